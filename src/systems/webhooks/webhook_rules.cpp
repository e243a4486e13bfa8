#include "systems/webhooks/webhook_rules.hpp"

#include "base/hash.hpp"
#include "base/limits.hpp"
#include "stores/redis/slot.hpp"

#include <fmt/format.h>

namespace larder::webhooks {

bool lets_through(Filter const& filter, events::FeedEvent const& event) {
  auto const& [systems, types, realms] = filter;
  if (!systems.empty() && !systems.contains(scope_name(event.system))) return false;
  if (!types.empty() && !types.contains(event.type)) return false;
  return realms.empty() || realms.contains(events::realm_of(event));
}

std::size_t lane_of(events::FeedEvent const& event) {
  auto const owner = event.user_id.empty() ? scope_name(event.system) : std::string_view(event.user_id);
  return redis::crc16(owner) % limits::webhook_lanes;
}

std::int64_t pause_ms_after(int attempts) {
  auto pause = limits::webhook_retry_first_ms;
  for (int i = 1; i < attempts && pause < limits::webhook_retry_max_ms; ++i) pause *= 2;
  return std::min(pause, limits::webhook_retry_max_ms);
}

bool is_over(TimeMs queued_at, TimeMs now) { return now - queued_at >= limits::webhook_dead_after_ms; }

std::string signature(std::string_view secret, TimeMs now, std::string_view body) {
  auto const seconds = now.value / 1000;
  return fmt::format("t={},v1={}", seconds, hmac_sha256_hex(secret, fmt::format("{}.{}", seconds, body)));
}

}  // namespace larder::webhooks
