#include "kit/events/events_scripts.hpp"

#include "base/limits.hpp"
#include "kit/events/event.hpp"
#include "kit/events/feed.hpp"
#include "kit/events/projector.hpp"
#include "larder_events_scripts.hpp"

namespace larder::events {

OutboxKeys::OutboxKeys(std::string stream)
    : stream(std::move(stream)), lease(this->stream + ":lease"), projected(projected_key(this->stream)) {}

namespace scripts {

redis::ScriptCall outbox_confirm(OutboxKeys const& keys, Kept kept, std::string_view owner,
                                 std::chrono::milliseconds lease, std::string_view last_read) {
  auto call = redis::ScriptCall(lua::outbox_confirm)
                  .keys(keys.stream, keys.lease)
                  .args(owner, lease.count(), last_read);
  if (kept == Kept::some) call.keys(keys.projected);
  return call;
}

redis::ScriptCall outbox_keep(OutboxKeys const& keys, std::string_view owner, std::string_view projected,
                              Lease lease, std::int64_t keep, std::int64_t forget_max) {
  return redis::ScriptCall(lua::outbox_keep)
      .keys(keys.stream, keys.lease, keys.projected)
      .args(owner, projected, lease == Lease::give_back, keep, forget_max);
}

redis::ScriptCall outbox_oldest(OutboxKeys const& keys, std::string_view last) {
  return redis::ScriptCall(lua::outbox_oldest).keys(keys.stream, keys.projected).args(last);
}

redis::ScriptCall outbox_trim(OutboxKeys const& keys, std::string_view owner, std::string_view projected,
                              Lease lease) {
  return redis::ScriptCall(lua::outbox_trim)
      .keys(keys.stream, keys.lease)
      .args(owner, next_id(projected), lease == Lease::give_back);
}

redis::ScriptCall feed_append(std::span<FeedPlace const> outboxes, std::span<std::string const> packs) {
  auto call = redis::ScriptCall(lua::feed_append)
                  .keys(feed_key, feed_seen_key, feed_wanted_key)
                  .args(limits::feed_packs_max, outboxes.size());
  for (auto const& [outbox, before, after] : outboxes) call.args(outbox, before, after);
  for (auto const& pack : packs) call.args(pack);
  return call;
}

redis::ScriptCall feed_want() {
  return redis::ScriptCall(lua::feed_want).keys(feed_key, feed_wanted_key).args(limits::feed_wanted_s);
}

}  // namespace scripts

}  // namespace larder::events
