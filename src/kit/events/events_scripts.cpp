#include "kit/events/events_scripts.hpp"

#include "base/limits.hpp"
#include "kit/events/dead_events.hpp"
#include "kit/events/event.hpp"
#include "kit/events/feed.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/events/projector.hpp"
#include "larder_events_scripts.hpp"

namespace larder::events {

namespace {

constexpr std::size_t why_bytes_max = 1000;
constexpr int dead_head_words = 4;  // event, its id, why, the reason

}  // namespace

OutboxKeys::OutboxKeys(std::string stream)
    : stream(std::move(stream)),
      lease(this->stream + ":lease"),
      projected(projected_key(this->stream)),
      dead(fmt::format("{}{}", this->stream, dead_suffix)),
      retry(fmt::format("{}{}", this->stream, retry_suffix)),
      lost(fmt::format("{}{}", this->stream, lost_suffix)) {}

namespace scripts {

redis::ScriptCall outbox_bury(OutboxKeys const& keys, std::string_view from, std::string_view at,
                              std::string_view event, std::string_view why) {
  return redis::ScriptCall(lua::outbox_bury)
      .keys(from, keys.dead)
      .args(at, event, why.substr(0, why_bytes_max), from == keys.stream ? 0 : dead_head_words);
}

redis::ScriptCall outbox_confirm(OutboxKeys const& keys, std::string_view owner,
                                 std::chrono::milliseconds lease, std::string_view last_read) {
  return redis::ScriptCall(lua::outbox_confirm)
      .keys(keys.stream, keys.lease, keys.projected)
      .args(owner, lease.count(), last_read);
}

redis::ScriptCall outbox_exhume(std::string_view from, std::string_view to, std::string_view at) {
  auto call = redis::ScriptCall(lua::outbox_exhume).keys(from).args(at);
  if (!to.empty()) call.keys(to);
  return call;
}

redis::ScriptCall outbox_fence(OutboxKeys const& keys, std::string_view projected) {
  return redis::ScriptCall(lua::outbox_fence)
      .keys(keys.stream, keys.projected, keys.lost)
      .args(projected, next_id(projected));
}

redis::ScriptCall outbox_keep(OutboxKeys const& keys, std::string_view owner, std::string_view projected,
                              Lease lease, std::int64_t keep, std::int64_t forget_max) {
  return redis::ScriptCall(lua::outbox_keep)
      .keys(keys.stream, keys.lease, keys.projected)
      .args(owner, projected, lease == Lease::give_back, keep, forget_max);
}

redis::ScriptCall outbox_look(OutboxKeys const& keys, std::string_view last) {
  return redis::ScriptCall(lua::outbox_look)
      .keys(keys.stream, keys.projected, keys.dead, keys.retry)
      .args(last);
}

redis::ScriptCall outbox_open(OutboxKeys const& keys, std::string_view in_sql, bool create) {
  return redis::ScriptCall(lua::outbox_open).keys(keys.stream, keys.projected).args(in_sql, create);
}

redis::ScriptCall outbox_raise(OutboxKeys const& keys, std::string_view projected) {
  return redis::ScriptCall(lua::outbox_raise).keys(keys.projected).args(projected);
}

redis::ScriptCall outbox_trim(OutboxKeys const& keys, std::string_view owner, std::string_view projected,
                              Lease lease) {
  return redis::ScriptCall(lua::outbox_trim)
      .keys(keys.stream, keys.lease, keys.projected)
      .args(owner, projected, next_id(projected), lease == Lease::give_back);
}

redis::ScriptCall feed_append(std::span<FeedPlace const> outboxes, std::span<std::string const> packs) {
  auto call = redis::ScriptCall(lua::feed_append)
                  .keys(feed_key, feed_seen_key, feed_wanted_key, feed_followed_key)
                  .args(limits::feed_packs_max, limits::feed_followed_packs_max, outboxes.size());
  for (auto const& [outbox, before, after] : outboxes) call.args(outbox, before, after);
  for (auto const& pack : packs) call.args(pack);
  return call;
}

redis::ScriptCall feed_forget(std::string_view last) {
  return redis::ScriptCall(lua::feed_forget).keys(feed_key, feed_followed_key).args(last);
}

redis::ScriptCall feed_want() {
  return redis::ScriptCall(lua::feed_want).keys(feed_key, feed_wanted_key).args(limits::feed_wanted_s);
}

}  // namespace scripts

}  // namespace larder::events
