#include "systems/webhooks/webhooks_scripts.hpp"

#include "base/ids.hpp"
#include "kit/events/feed.hpp"
#include "larder_webhooks_scripts.hpp"

#include <fmt/format.h>

namespace larder::webhooks {

namespace {

constexpr std::size_t id_chars_max = 32;

std::string key_of(std::string_view id, std::string_view what) {
  return fmt::format("{{larder}}:webhook:{}:{}", id, what);
}

}  // namespace

WebhookKeys::WebhookKeys(std::string_view id)
    : delivered(key_of(id, "delivered")), troubles(key_of(id, "troubles")) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] = key_of(id, fmt::to_string(lane));
}

bool is_webhook_id(std::string_view text) {
  return !text.empty() && text.size() <= id_chars_max && all_in_charset(text, "");
}

std::string lane_member(std::string_view id, std::size_t lane) { return fmt::format("{}:{}", id, lane); }
std::string over_member(std::string_view id) { return fmt::format("{}:{}", id, over_word); }

namespace scripts {

redis::ScriptCall webhooks_look(std::string_view owner, std::chrono::milliseconds lease) {
  return redis::ScriptCall(lua::webhooks_look)
      .keys(state_key, lease_key, events::feed_followed_key)
      .args(owner, lease.count());
}

redis::ScriptCall webhooks_change(TimeMs now, bool follow, std::string_view due_now) {
  auto call = redis::ScriptCall(lua::webhooks_change)
                  .keys(state_key, events::feed_key, events::feed_followed_key, due_key)
                  .args(now, follow);
  if (due_now.empty()) return call;
  WebhookKeys const keys(due_now);
  for (std::size_t lane = 0; lane < keys.lanes.size(); ++lane) {
    call.keys(keys.lanes[lane]);
    call.args(lane_member(due_now, lane));
  }
  return call;
}

redis::ScriptCall webhooks_unfollow(std::string_view revision) {
  return redis::ScriptCall(lua::webhooks_unfollow).keys(state_key, events::feed_followed_key).args(revision);
}

redis::ScriptCall webhooks_enqueue(std::string_view revision, std::string_view before, std::string_view after,
                                   TimeMs now, std::int64_t waiting_max, std::span<std::string const> ids,
                                   std::span<Queued const> queued) {
  auto call = redis::ScriptCall(lua::webhooks_enqueue)
                  .keys(state_key, events::feed_followed_key, due_key)
                  .args(revision, before, after, now, waiting_max, limits::webhook_lanes, ids.size());
  for (auto const& id : ids) {
    for (auto const& lane : WebhookKeys(id).lanes) call.keys(lane);
    call.args(id);
  }
  for (auto const& [webhook, lane, line] : queued) call.args(webhook + 1, lane, line);
  return call;
}

redis::ScriptCall webhooks_settle(std::string_view id, std::size_t lane, TimeMs due, std::string_view trouble,
                                  std::span<Ended const> ended) {
  WebhookKeys const keys(id);
  auto call = redis::ScriptCall(lua::webhooks_settle)
                  .keys(keys.lanes[lane], keys.delivered, keys.troubles, due_key)
                  .args(lane_member(id, lane), due, limits::webhook_delivered_kept, lane, trouble);
  for (auto const& [entry, number, record] : ended) call.args(entry, number, record);
  return call;
}

redis::ScriptCall webhooks_bury(std::string_view id, TimeMs now, std::int64_t waiting_max,
                                std::span<std::pair<std::size_t, std::string> const> entries) {
  auto call = redis::ScriptCall(lua::webhooks_bury).keys(due_key).args(over_member(id), now, waiting_max);
  for (auto const& lane : WebhookKeys(id).lanes) call.keys(lane);
  for (auto const& [lane, entry] : entries) call.args(lane, entry);
  return call;
}

redis::ScriptCall webhooks_page(std::string_view id, DeliveryNumber below, std::int64_t count) {
  WebhookKeys const keys(id);
  auto call = redis::ScriptCall(lua::webhooks_page).keys(keys.delivered, keys.troubles).args(below, count);
  for (auto const& lane : keys.lanes) call.keys(lane);
  return call;
}

redis::ScriptCall webhooks_replay(std::string_view id, std::size_t lane, DeliveryNumber number,
                                  std::string_view entry, TimeMs now) {
  WebhookKeys const keys(id);
  return redis::ScriptCall(lua::webhooks_replay)
      .keys(keys.lanes[lane], keys.delivered, due_key)
      .args(number, entry, lane_member(id, lane), now);
}

redis::ScriptCall webhooks_remove(std::string_view id, TimeMs now) {
  WebhookKeys const keys(id);
  auto call = redis::ScriptCall(lua::webhooks_remove)
                  .keys(state_key, due_key, keys.delivered, keys.troubles)
                  .args(now);
  for (std::size_t lane = 0; lane < keys.lanes.size(); ++lane) {
    call.keys(keys.lanes[lane]);
    call.args(lane_member(id, lane));
  }
  call.args(over_member(id));
  return call;
}

}  // namespace scripts

}  // namespace larder::webhooks
