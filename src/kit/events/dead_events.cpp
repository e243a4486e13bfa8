#include "kit/events/dead_events.hpp"

#include "kit/events/event_pages.hpp"
#include "kit/events/events_scripts.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::events {

namespace {

Task<bool> is_stream(redis::Redis& redis, std::string const& key) {
  auto const type = co_await redis.command(redis::Use::read, key, {"TYPE", key});
  co_return type.text() == "stream";
}

DeadEvent to_dead(Event entry) {
  DeadEvent found{.id = std::move(entry.id),
                  .why = entry.field("why"),
                  .event = {.id = entry.field("event"), .fields = std::move(entry.fields)}};
  found.event.fields.erase(found.event.fields.begin(), found.event.fields.begin() + 2);
  return found;
}

}  // namespace

Task<std::vector<DeadEvent>> read_dead(redis::Redis& redis, std::string const& key, int count) {
  auto const limit = fmt::to_string(count);
  auto const entries =
      co_await redis.command(redis::Use::read, key, {"XRANGE", key, "-", "+", "COUNT", limit});
  std::vector<DeadEvent> dead;
  for (std::size_t i = 0; i < entries.size(); ++i) dead.push_back(to_dead(parse_event(entries.at(i))));
  co_return dead;
}

Task<std::int64_t> each_dead(redis::Redis& redis, std::string const& key,
                             std::function<void(DeadEvent)> each) {
  return each_event(redis, key, "-",
                    [each = std::move(each)](Event entry) { each(to_dead(std::move(entry))); });
}

Task<std::vector<std::string>> outboxes_with_dead(redis::Redis& redis) {
  return outboxes_with(redis, {dead_suffix, retry_suffix});
}

Task<std::vector<std::string>> outboxes_with(redis::Redis& redis, std::vector<std::string_view> suffixes) {
  std::set<std::string> found;
  for (auto const suffix : suffixes) {
    co_await redis.scan(fmt::format("*{}", suffix), [&](std::vector<std::string> keys) -> Task<void> {
      for (auto const& key : keys) {
        // Due sets have dead members, too, but these are in sorted sets.
        if (co_await is_stream(redis, key)) found.insert(key.substr(0, key.size() - suffix.size()));
      }
    });
  }
  co_return std::vector(found.begin(), found.end());
}

Task<bool> retry_dead(redis::Redis& redis, std::string const& outbox, std::string const& id) {
  OutboxKeys const keys(outbox);
  auto const moved = co_await redis.run(redis::Use::write, scripts::outbox_exhume(keys.dead, keys.retry, id));
  co_return moved.integer() == 1;
}

Task<bool> drop_dead(redis::Redis& redis, std::string const& outbox, std::string const& id) {
  OutboxKeys const keys(outbox);
  auto const dropped = co_await redis.run(redis::Use::write, scripts::outbox_exhume(keys.dead, {}, id));
  co_return dropped.integer() == 1;
}

}  // namespace larder::events
