// Reads long streams in portions.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "stores/redis/redis.hpp"

#include <functional>
#include <string>

namespace larder::events {

// Gives each entry of the stream to `each`, oldest first. `first` is where to begin: "-", or "(" and the id
// that is the last one to leave out. Returns the number of entries.
Task<std::int64_t> each_event(redis::Redis& redis, std::string stream, std::string first,
                              std::function<void(Event)> each);

}  // namespace larder::events
