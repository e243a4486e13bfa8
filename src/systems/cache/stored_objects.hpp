// Finds objects as Redis has them.
#pragma once

#include "systems/cache/object_places.hpp"
#include "systems/cache/raw_json.hpp"
#include "systems/cache/reads.hpp"

#include <deque>

namespace larder::cache {

// Its answers are views, valid as long as the StoredObjects and the answers of its Reads.
class StoredObjects {
 public:
  StoredObjects(Reads& reads, CacheKeys const& keys) : reads_(reads), keys_(keys) {}

  struct Found {
    ObjectKind kind;  // of a channel that is a thread: thread
    std::string_view text;
  };
  // A channel is also looked for among the threads, and without a guild, everywhere.
  std::optional<Found> find(ObjectKey const& key);

  // The object of a stored text. Nothing if the text is no JSON object: others may have written it.
  std::optional<RawObject> parse(std::optional<std::string_view> stored);
  std::optional<RawObject> get(ObjectKey const& key);

  Reads& reads() { return reads_; }
  CacheKeys const& keys() const { return keys_; }

 private:
  std::optional<Found> find_channel(ObjectKey const& key);
  std::optional<std::string_view> text_at(Place place);
  bool is_in_guild(std::string_view text, Id guild);

  Reads& reads_;
  CacheKeys const& keys_;
  std::deque<std::string> texts_;  // a deque does not move them
};

}  // namespace larder::cache
