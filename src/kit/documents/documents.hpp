// Documents in Redis: JSON texts that change only from the revision that the writer has seen.
//
//   documents::Documents documents(redis);
//   auto const town = co_await documents.read("user:1:gamestate");
//   ... make the new text from *town.text ...
//   std::vector<documents::Change> changes{{.key = "user:1:gamestate", .revision = town.revision, .text =
//   text}}; if (!co_await documents.commit(changes)) ... somebody else was faster: read again
//
// The key of a document has its text and nothing else, as the original tribes game prints it; the revision is
// beside it, in `<key>:revision`. The revision grows by 1 with every change, also when the document is
// deleted, and stays then: a document that was deleted and made again never has a revision that it had
// before. A document without a revision, put there by hand, has revision 0.
//
// A system that changes more than documents in one step includes documents.lua in its own script.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace larder::documents {

std::string revision_key(std::string_view key);

struct Document {
  std::optional<std::string> text;  // nothing: there is no document
  std::int64_t revision = 0;
  friend bool operator==(Document const&, Document const&) = default;
};

struct Change {
  std::string key;
  std::optional<std::int64_t> revision;  // what it must have; nothing: there must be no document
  std::optional<std::string> text;       // not empty; nothing: delete it
};

struct Committed {
  bool committed = false;
  std::vector<std::int64_t> revisions = {};  // of each document, after the call
  explicit operator bool() const { return committed; }
};

// The keys of one call are different and, on a cluster, share a hash tag: {tribes:w}:user:1:gamestate.
// Thread-compatible, like the Redis it uses. Throws what Redis throws, and redis::ReplyError with the key if
// one of its two keys is not what it should be; then nothing was written.
class Documents {
 public:
  explicit Documents(redis::Redis& redis) : redis_(redis) {}

  Task<Document> read(std::string key);
  // All of one moment.
  Task<std::vector<Document>> read(std::vector<std::string> keys);
  // Makes every change, or none if one document is not at the revision it must have. If the outcome is
  // unknown, the changes may have been made, and the call is not repeated: read and compare.
  Task<Committed> commit(std::vector<Change> changes);

 private:
  redis::Redis& redis_;
};

}  // namespace larder::documents
