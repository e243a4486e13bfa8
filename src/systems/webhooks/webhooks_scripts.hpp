// The keys of webhooks, and the calls of their scripts. The head of each script says what it does and what it
// returns. All keys are in one slot, with the feed: a script takes events from the feed and queues them.
#pragma once

#include "base/limits.hpp"
#include "stores/redis/script_call.hpp"
#include "systems/webhooks/webhook_types.hpp"

#include <array>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder::webhooks {

inline constexpr std::string_view state_key = "{larder}:webhooks";
inline constexpr std::string_view lease_key = "{larder}:webhooks:lease";
inline constexpr std::string_view due_key = "{larder}:webhooks:due";
inline constexpr std::string_view over_word = "over";  // a member of the due set: too many deliveries wait

// The keys of one webhook. `id` must be of an existing webhook, or pass is_webhook_id().
struct WebhookKeys {
  explicit WebhookKeys(std::string_view id);
  std::array<std::string, limits::webhook_lanes> lanes;  // sorted sets of deliveries that wait
  std::string delivered;                                 // a sorted set of the newest that were made
  std::string troubles;                                  // a hash: why the first of each lane waits
};

bool is_webhook_id(std::string_view text);
// A member of the due set: a lane of a webhook.
std::string lane_member(std::string_view id, std::size_t lane);
std::string over_member(std::string_view id);

// Deliveries to queue: the webhook (its place in the list of ids), the lane and the event.
struct Queued {
  std::size_t webhook = 0;
  std::size_t lane = 0;
  std::string line;
};

// A delivery that has ended.
struct Ended {
  std::string entry;  // in the lane
  DeliveryNumber number = 0;
  std::string record;  // to keep; empty: nothing
};

namespace scripts {

redis::ScriptCall webhooks_look(std::string_view owner, std::chrono::milliseconds lease);
// `due_now`: the webhook of which all deliveries are due now; empty: none.
redis::ScriptCall webhooks_change(TimeMs now, bool follow, std::string_view due_now);
redis::ScriptCall webhooks_unfollow(std::string_view revision);
redis::ScriptCall webhooks_enqueue(std::string_view revision, std::string_view before, std::string_view after,
                                   TimeMs now, std::int64_t waiting_max, std::span<std::string const> ids,
                                   std::span<Queued const> queued);
redis::ScriptCall webhooks_settle(std::string_view id, std::size_t lane, TimeMs due, std::string_view trouble,
                                  std::span<Ended const> ended);
redis::ScriptCall webhooks_bury(std::string_view id, TimeMs now, std::int64_t waiting_max,
                                std::span<std::pair<std::size_t, std::string> const> entries);
redis::ScriptCall webhooks_page(std::string_view id, DeliveryNumber below, std::int64_t count);
redis::ScriptCall webhooks_replay(std::string_view id, std::size_t lane, DeliveryNumber number,
                                  std::string_view entry, TimeMs now);
redis::ScriptCall webhooks_remove(std::string_view id, TimeMs now);

}  // namespace scripts

}  // namespace larder::webhooks
