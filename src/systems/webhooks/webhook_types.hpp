// A webhook: an address of somebody else to which events are sent as they happen.
#pragma once

#include "base/error.hpp"
#include "base/scope.hpp"
#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace larder::webhooks {

namespace errors {
inline constexpr ErrorCode webhook_not_found{ErrorKind::not_found, "webhook_not_found"};
inline constexpr ErrorCode delivery_not_found{ErrorKind::not_found, "delivery_not_found"};
inline constexpr ErrorCode address_not_allowed{ErrorKind::forbidden, "address_not_allowed"};
inline constexpr ErrorCode too_many_webhooks{ErrorKind::conflict, "too_many_webhooks"};
}  // namespace errors

using Words = std::set<std::string, std::less<>>;

// Which events a webhook gets. An empty set lets all through.
struct Filter {
  Words systems;
  Words types;
  Words realms;
  friend bool operator==(Filter const&, Filter const&) = default;
};

struct Webhook {
  std::string id;
  std::string url;
  std::string secret;
  Filter filter;
  TimeMs created_at;
};

struct NewWebhook {
  std::string url;
  Filter filter;
};

// What is absent stays as it is.
struct WebhookChange {
  std::optional<std::string> url;
  std::optional<Words> systems;
  std::optional<Words> types;
  std::optional<Words> realms;
};

// The numbers of one webhook's deliveries grow in the order of its events.
using DeliveryNumber = std::int64_t;

struct Delivery {
  enum class State { waiting, delivered, dead };
  DeliveryNumber number = 0;
  State state = State::waiting;
  TimeMs queued_at;
  std::optional<TimeMs> finished_at = {};  // when it was delivered, or died
  int attempts = 0;
  int status = 0;        // the HTTP status of the last attempt; 0: no answer, or no attempt
  std::string why = {};  // why the last attempt failed
  std::string line;      // the event, as events::to_line() writes it
};

inline constexpr std::string_view delivery_states[] = {"waiting", "delivered", "dead"};

}  // namespace larder::webhooks
