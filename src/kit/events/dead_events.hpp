// Dead events: events that SQL refuses for good, because of their content.
//
// Next to the outbox `<stream>` there are two more streams: `<stream>:dead` has its dead events, each with
// the reason, and `<stream>:dead:retry` has those that somebody wants to try again. The projector tries them,
// and an event that is refused again is dead again. A dead event keeps its id, so that it takes its own place
// in the journal.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "stores/redis/redis.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::events {

inline constexpr std::string_view dead_suffix = ":dead";
inline constexpr std::string_view retry_suffix = ":dead:retry";

struct DeadEvent {
  std::string id;  // in the stream of dead events; contains the time of death
  std::string why;
  Event event;  // with the id that it had in its outbox
};

// The entries of `<stream>:dead` or of `<stream>:dead:retry`, oldest first, at most `count`.
Task<std::vector<DeadEvent>> read_dead(redis::Redis& redis, std::string const& key, int count);
// Gives all entries of `<stream>:dead` or of `<stream>:dead:retry` to `each`, oldest first. Returns their
// number.
Task<std::int64_t> each_dead(redis::Redis& redis, std::string const& key,
                             std::function<void(DeadEvent)> each);

// For operators. The outboxes for which there is a stream with one of these suffixes. Looks at all keys.
Task<std::vector<std::string>> outboxes_with(redis::Redis& redis, std::vector<std::string_view> suffixes);
// Those that have dead events, or events to retry.
Task<std::vector<std::string>> outboxes_with_dead(redis::Redis& redis);
// Lets the projector try the event once more. Returns false if there is no such dead event.
Task<bool> retry_dead(redis::Redis& redis, std::string const& outbox, std::string const& id);
// Forgets the event: the journal will never have it. Returns false if there is no such dead event.
Task<bool> drop_dead(redis::Redis& redis, std::string const& outbox, std::string const& id);

}  // namespace larder::events
