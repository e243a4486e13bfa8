// The background work of webhooks in one process: follows the feed, and makes deliveries.
#pragma once

#include "base/task_group.hpp"
#include "kit/schedule/scheduler.hpp"
#include "systems/webhooks/courier.hpp"
#include "systems/webhooks/feed_follower.hpp"
#include "systems/webhooks/webhooks.hpp"

namespace larder::webhooks {

struct Options {
  AllowList allow;
  std::int64_t waiting_max = 50'000;             // deliveries of one webhook
  std::shared_ptr<asio::ssl::context> tls = {};  // for https
  std::chrono::milliseconds lease{15'000};       // of a lane; longer than the longest run of the Courier
};

// Works on one io_context. Make one Webhooks per io thread from shared().
class Background {
 public:
  Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
             Metrics& metrics, Options const& options);

  void start();
  Task<void> stop();

  Shared& shared() { return shared_; }

 private:
  Task<void> follow();

  AllowList allow_;
  HostLookup lookup_;
  WebhookList list_;
  Courier courier_;
  schedule::Scheduler scheduler_;
  FeedFollower follower_;
  Shared shared_;
  Clock const& clock_;
  TaskGroup tasks_;
};

}  // namespace larder::webhooks
