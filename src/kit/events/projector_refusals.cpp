// What a projector does about events that SQL refuses.
#include "base/error.hpp"
#include "base/log.hpp"
#include "kit/events/dead_events.hpp"
#include "kit/events/projector.hpp"

namespace larder::events {

namespace {

constexpr int times_refused = 3;  // alone and in a row, before an event is dead
constexpr int retried_at_once = 100;

}  // namespace

// Why SQL refuses what the job writes, or nothing. Throws StoreError in an outage, and StatementError if SQL
// would refuse any event.
Task<std::optional<std::string>> Projector::refusal(std::function<void(sql::Session&)> job) {
  try {
    co_await sql_.project(std::move(job));
  } catch (StoreError const&) {
    throw;
  } catch (sql::StatementError const&) {
    throw;
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& error) {
    co_return error.what();
  }
  co_return std::nullopt;
}

Task<std::optional<std::string>> Projector::refusal(Stream const& stream, std::span<Event const> events) {
  return refusal([this, &stream, events](sql::Session& session) {
    apply_(session, stream.keys.stream, events);
    raise_positions(session, {{stream.keys.stream, redis::parse_stream_id(events.back().id)}});
  });
}

// Halves the events until each one that SQL refuses is alone. If SQL refuses it alone, too, and more than
// once, the fault is in the event. Returns the id of the last event that SQL took, or nothing.
Task<std::string> Projector::write_what_sql_takes(Stream const& stream, std::span<Event const> events) {
  auto refused = co_await refusal(stream, events);
  if (refused && events.size() > 1) {
    auto const half = events.size() / 2;
    auto const first = co_await write_what_sql_takes(stream, events.first(half));
    auto second = co_await write_what_sql_takes(stream, events.subspan(half));
    co_return second.empty() ? first : second;
  }
  for (int times = 1; refused && times < times_refused; ++times) refused = co_await refusal(stream, events);
  if (!refused) co_return events.back().id;
  co_await bury(stream, stream.keys.stream, events.front().id, events.front().id, *refused);
  co_return std::string();
}

Task<void> Projector::bury(Stream const& stream, std::string_view from, std::string_view at,
                           std::string_view event, std::string_view why) {
  co_await redis_.run(redis::Use::idempotent_write, scripts::outbox_bury(stream.keys, from, at, event, why));
  log::error("SQL refuses an event: it is dead until somebody runs `larder outbox dead retry` or `drop`",
             {{"outbox", stream.keys.stream}, {"event", event}, {"why", why}});
}

// Tries the dead events once more that somebody wants to be tried. Does not throw: new events must not wait
// for old ones.
Task<void> Projector::retry(Stream const& stream) {
  try {
    auto const wanted = co_await read_dead(redis_, stream.keys.retry, retried_at_once);
    for (auto const& dead : wanted) {
      // Takes its own place in the journal, so the position of the outbox stays.
      auto const refused = co_await refusal([this, &stream, &dead](sql::Session& session) {
        apply_(session, stream.keys.stream, std::span(&dead.event, 1));
        if (options_.applied_late) options_.applied_late(session);
      });
      if (refused) {
        co_await bury(stream, stream.keys.retry, dead.id, dead.event.id, *refused);
      } else {
        co_await redis_.run(redis::Use::idempotent_write,
                            scripts::outbox_exhume(stream.keys.retry, {}, dead.id));
      }
      ++retried_;
    }
  } catch (std::exception const& error) {
    report(error.what());
  }
}

}  // namespace larder::events
