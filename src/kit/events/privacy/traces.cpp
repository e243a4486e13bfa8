#include "kit/events/privacy/traces.hpp"

#include "kit/events/event_pages.hpp"
#include "kit/events/events_scripts.hpp"
#include "kit/events/privacy/privacy_scripts.hpp"
#include "kit/events/projector.hpp"

namespace larder::privacy {

namespace {

constexpr auto journal_patience = std::chrono::seconds(10);

// The entries of a stream for which `wanted` is true.
Task<std::vector<events::Event>> entries(redis::Redis& redis, std::string stream,
                                         std::function<bool(events::Event const&)> wanted) {
  std::vector<events::Event> found;
  co_await events::each_event(redis, std::move(stream), "-", [&](events::Event event) {
    if (wanted(event)) found.push_back(std::move(event));
  });
  co_return found;
}

// Where a stream of events that were set aside keeps the ids of the events: dead ones have the fields event
// and why in front of their own. A lost event may have none, and then its own id is that of its entry.
void keep_own_id(events::Event& entry) {
  if (entry.fields.empty() || entry.fields.front().first != "event")
    entry.fields.insert(entry.fields.begin(), {"event", entry.id});
}

Task<void> rewrite(redis::Redis& redis, std::string stream,
                   std::function<bool(events::Event&)> const& change) {
  auto const mentions_user = [&](events::Event const& entry) {
    auto copy = entry;
    return change(copy);
  };
  auto found = co_await entries(redis, stream, mentions_user);
  for (auto& entry : found) {
    change(entry);
    keep_own_id(entry);
    co_await redis.run(redis::Use::idempotent_write, scripts::replace_entry(stream, entry));
  }
}

}  // namespace

Task<void> journal_all(redis::Redis& redis, std::string outbox) {
  if (!co_await events::caught_up(redis, outbox, journal_patience))
    throw StoreError("events wait to reach SQL", false);
}

Task<void> move_key(redis::Redis& redis, std::string from, std::string to) {
  co_await redis.run(redis::Use::idempotent_write, scripts::move_key(from, to));
}

Task<bool> replace_text(redis::Redis& redis, std::string key, std::string before, std::string after) {
  auto const reply =
      co_await redis.run(redis::Use::idempotent_write, scripts::replace_text(key, before, after));
  co_return reply.integer() == 1;
}

Task<bool> replace_field(redis::Redis& redis, std::string key, std::string field, std::string before,
                         std::string after) {
  auto const reply =
      co_await redis.run(redis::Use::idempotent_write, scripts::replace_field(key, field, before, after));
  co_return reply.integer() == 1;
}

Task<void> change_texts(redis::Redis& redis, std::string pattern,
                        std::function<std::optional<std::string>(std::string const& text)> change) {
  co_await redis.scan(std::move(pattern), [&](std::vector<std::string> keys) -> Task<void> {
    for (auto const& key : keys) {
      auto const type = co_await redis.command(redis::Use::read, key, {"TYPE", key});
      if (type.text() != "string") continue;
      auto const reply = co_await redis.command(redis::Use::read, key, {"GET", key});
      auto const text = reply.optional_text();
      auto after = text ? change(*text) : std::nullopt;
      if (after) co_await replace_text(redis, key, *text, std::move(*after));
    }
  });
}

Task<void> erase_kept(redis::Redis& redis, std::string outbox, std::string last,
                      std::function<bool(events::Event const&)> is_gone) {
  auto const key = events::projected_key(outbox);
  auto const projected = co_await redis.command(redis::Use::read, key, {"GET", key});
  if (projected.is_nil()) co_return;
  auto const end = std::min(events::parse_id(last), events::parse_id(projected.text()));
  auto const gone = co_await entries(redis, outbox, [&](events::Event const& event) {
    return events::parse_id(event.id) <= end && is_gone(event);
  });
  if (gone.empty()) co_return;
  co_await redis.run(redis::Use::idempotent_write, scripts::erase_entries(outbox, gone));
}

Task<void> rewrite_set_aside(redis::Redis& redis, std::string outbox,
                             std::function<bool(events::Event&)> change) {
  events::OutboxKeys const keys(std::move(outbox));
  std::vector<std::string> const streams{keys.dead, keys.retry, keys.lost};
  for (auto const& stream : streams) co_await rewrite(redis, stream, change);
}

Task<void> unlink_matching(redis::Redis& redis, std::string pattern,
                           std::function<bool(std::string const&)> is_gone) {
  co_await redis.scan(std::move(pattern), [&](std::vector<std::string> keys) -> Task<void> {
    for (auto const& key : keys) {
      if (!is_gone || is_gone(key))
        co_await redis.command(redis::Use::idempotent_write, key, {"UNLINK", key});
    }
  });
}

}  // namespace larder::privacy
