// For operators: counts, deletes and repairs whole caches. These functions walk through all keys in portions;
// they may run while events are applied.
#pragma once

#include "systems/cache/cache_types.hpp"
#include "systems/cache/objects.hpp"

#include <functional>

namespace larder::cache {

// Called now and then with the number of keys that were looked at.
using Progress = std::function<void(std::int64_t keys)>;

struct CacheStats {
  struct Kind {
    std::int64_t objects = 0;
    std::int64_t bytes = 0;  // of Redis' memory
  };
  std::map<std::string, Kind> kinds;  // by resource as in the keys, such as "voice-states"; "index": our own
  std::map<std::string, std::int64_t> events;  // by name, since the cache began
  std::map<std::int64_t, EventCounts::Shard> shards;
  TimeMs counted_at;
};
Task<CacheStats> count_cache(redis::Redis& redis, CacheKeys const& keys, Clock const& clock,
                             Progress const& progress = {});

// Deletes every key of this prefix and version info, ours included. Returns how many.
Task<std::int64_t> purge_cache(redis::Redis& redis, CacheKeys const& keys, Progress const& progress = {});

struct Reindexed {
  std::int64_t keys = 0;     // that were looked at
  std::int64_t added = 0;    // index entries that may have been missing
  std::int64_t removed = 0;  // index entries without an object
};
// Makes our indexes agree with the objects, for a cache that other programs have filled, or after a crash on
// a cluster.
Task<Reindexed> reindex_cache(redis::Redis& redis, CacheSetup const& setup, Progress const& progress = {});

// Whether a text can be the prefix, or the version info, of a cache.
bool is_cache_prefix(std::string_view text);
bool is_version_info(std::string_view text);

}  // namespace larder::cache
