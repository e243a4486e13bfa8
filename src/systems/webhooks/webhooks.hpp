// What can be done with webhooks.
#pragma once

#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"
#include "systems/webhooks/host_lookup.hpp"
#include "systems/webhooks/webhook_types.hpp"

#include <functional>

namespace larder::webhooks {

// What all threads of a server share.
struct Shared {
  sql::Database& sql;
  Clock const& clock;
  AllowList const& allow;
  HostLookup& lookup;
  std::function<void(TimeMs)> on_due;  // something is due at that time; called on any thread
};

struct DeliveryQuery {
  DeliveryNumber below = 0;
  std::int64_t limit = 0;
  std::optional<Delivery::State> state = {};
};

// Thread-compatible: one per io thread. Throws StoreError.
class Webhooks {
 public:
  Webhooks(redis::Redis& redis, Shared& shared) : redis_(redis), shared_(shared) {}

  // Every event that happens after this call is delivered. Refusals: address_not_allowed, too_many_webhooks,
  // and invalid_request for the field url.
  Task<Result<Webhook>> create(NewWebhook webhook);
  Task<std::vector<Webhook>> list();
  Task<Result<Webhook>> find(std::string id);
  // What waits is due at once, because the receiver may work now.
  Task<Result<Webhook>> change(std::string id, WebhookChange change);
  // Also forgets all its deliveries.
  Task<Result<void>> remove(std::string id);
  // Newest first.
  Task<Result<std::vector<Delivery>>> deliveries(std::string id, DeliveryQuery query);
  // Makes a delivery again that was made or is dead. One that waits is due at once.
  Task<Result<Delivery>> replay(std::string id, DeliveryNumber number);

 private:
  Task<Result<void>> check_url(std::string url);
  Task<std::vector<Delivery>> read(std::string id, DeliveryQuery query);

  redis::Redis& redis_;
  Shared& shared_;
};

}  // namespace larder::webhooks
