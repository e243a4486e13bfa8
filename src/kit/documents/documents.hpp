// Documents in Redis: JSON texts. A writer can change a document only from the revision that it has read.
//
//   documents::Documents documents(redis);
//   auto const town = co_await documents.read("user:1:gamestate");
//   ... make the new text from *town.text ...
//   std::vector<documents::Change> changes{
//       {.key = "user:1:gamestate", .revision = town.revision, .text = text}};
//   if (!co_await documents.commit(changes)) ...  // somebody else was faster: read again
//
// The key of a document has only the text, as in the original Pizza Tribes game. The revision is in a second
// key, `<key>:revision`. The revision grows by 1 with every change. A deletion is also a change, and the
// revision stays after it. So a document that was deleted and made again never returns to an earlier
// revision. A document that was written by hand, without a revision, has revision 0.
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
  std::optional<std::string> text;  // nothing: the document does not exist
  std::int64_t revision = 0;
  friend bool operator==(Document const&, Document const&) = default;
};

struct Change {
  std::string key;
  std::optional<std::int64_t> revision;  // the expected one; nothing: the document must not exist
  std::optional<std::string> text;       // must not be empty; nothing: delete the document
};

struct Committed {
  bool committed = false;
  std::vector<std::int64_t> revisions = {};  // of each document, after the call
  explicit operator bool() const { return committed; }
};

// Thread-compatible, like the Redis it uses. The keys of one call must be different and, on a cluster, share
// a hash tag: {tribes:w}:user:1:gamestate. Throws what Redis throws. If the text or the revision of a
// document is corrupt, throws redis::ReplyError with the key, and nothing was written.
class Documents {
 public:
  explicit Documents(redis::Redis& redis) : redis_(redis) {}

  Task<Document> read(std::string key);
  // Reads all documents in one step.
  Task<std::vector<Document>> read(std::vector<std::string> keys);
  // Makes every change, or none if one document is not at its expected revision. If the outcome is unknown,
  // the changes may have been made, and the call is not repeated: read the documents and compare.
  Task<Committed> commit(std::vector<Change> changes);

 private:
  redis::Redis& redis_;
};

}  // namespace larder::documents
