#include "systems/cache/cache_types.hpp"

#include <utility>

namespace larder::cache {

void EventCounts::count(std::string_view event) {
  std::scoped_lock const lock(mutex_);
  ++counted_.events[std::string(event)];
}

// A shard begins again at 1 when it identifies anew, so the newest number is the last one, not the highest.
void EventCounts::note(std::int64_t shard, std::int64_t sequence, TimeMs at) {
  std::scoped_lock const lock(mutex_);
  counted_.shards[shard] = {.sequence = sequence, .at = at};
}

EventCounts::Counted EventCounts::take() {
  std::scoped_lock const lock(mutex_);
  return std::exchange(counted_, {});
}

}  // namespace larder::cache
