// Makes the deliveries that are due.
//
// A member of the due set is a lane of a webhook. Its handler delivers what waits in the lane, one after the
// other, so the events of a user arrive in order. If a delivery fails, its lane waits, and no other lane
// does.
#pragma once

#include "base/metrics.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"
#include "systems/webhooks/host_lookup.hpp"
#include "systems/webhooks/http_link.hpp"
#include "systems/webhooks/webhook_list.hpp"
#include "systems/webhooks/webhooks_scripts.hpp"

#include <functional>
#include <map>

namespace larder::webhooks {

struct CourierOptions {
  AllowList allow;
  std::int64_t waiting_max = 0;
  std::chrono::milliseconds lease{};  // of a lane
  std::shared_ptr<asio::ssl::context> tls;
};

// Thread-compatible: belongs to one io_context.
class Courier {
 public:
  // `on_due` is called when something is due at that time.
  Courier(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
          WebhookList& list, CourierOptions options, Metrics& metrics, std::function<void(TimeMs)> on_due);

  // The handler of the due set. Throws StoreError.
  Task<void> handle(std::string member);
  // Ends all requests that are under way, and begins no other. They stay in their lanes.
  void stop();

 private:
  struct Run;
  Task<void> deliver(Run& run);
  Task<bool> deliver_some(Run& run);
  Task<void> attempt(Run& run, Delivery& delivery);
  Task<std::string> connect(Run& run);
  Task<std::int64_t> settle(Run& run, TimeMs due, std::string trouble);
  void note_failure(Run const& run, Delivery const& delivery);
  Task<void> bury_excess(WebhookList::Pointer webhook);
  Task<std::int64_t> bury_oldest(std::string id);

  asio::io_context& io_;
  redis::Redis& redis_;
  sql::Database& sql_;
  Clock const& clock_;
  WebhookList& list_;
  CourierOptions options_;
  std::function<void(TimeMs)> on_due_;
  HostLookup lookup_;
  std::map<std::string, HttpLink> links_;  // by member
  bool stopping_ = false;

  prometheus::Counter& delivered_;
  prometheus::Counter& failures_;
  prometheus::Counter& dead_;
  prometheus::Histogram& seconds_;
};

}  // namespace larder::webhooks
