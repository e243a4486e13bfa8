// Takes events from the feed and queues a delivery for each webhook that wants them.
//
// The projectors append an event to the feed before they trim it from its outbox. While there are webhooks,
// the feed keeps everything after the follower's place. One script queues deliveries and moves that place. So
// whichever process dies, each event is queued exactly once.
#pragma once

#include "base/metrics.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/webhooks/webhook_list.hpp"
#include "systems/webhooks/webhooks_scripts.hpp"

#include <chrono>
#include <functional>

namespace larder::webhooks {

// Every server has one, and a lease lets one of them work. The lease only saves effort. Thread-compatible.
class FeedFollower {
 public:
  // `on_queued` is called after deliveries were queued.
  FeedFollower(redis::Redis& redis, WebhookList& list, Clock const& clock, std::int64_t waiting_max,
               Metrics& metrics, std::function<void()> on_queued,
               std::chrono::milliseconds lease = std::chrono::seconds(3));

  // Reads the webhooks if they have changed, and queues some deliveries. Returns when to call it again.
  // Throws StoreError.
  Task<std::chrono::milliseconds> round();

 private:
  struct Packs {
    std::string after;  // the new place
    std::vector<Queued> queued;
    bool more = false;  // the feed has more of them
  };
  Task<bool> follow(std::string place);
  Packs gather(std::string_view place, redis::Reply const& entries, TimeMs now) const;
  void add_line(Packs& packs, std::string_view line) const;
  void add_gap(Packs& packs, std::string_view place, TimeMs now) const;
  Task<void> count_waiting();

  redis::Redis& redis_;
  WebhookList& list_;
  Clock const& clock_;
  std::int64_t waiting_max_;
  std::function<void()> on_queued_;
  std::chrono::milliseconds lease_;
  std::string owner_;
  std::string revision_;
  std::chrono::steady_clock::time_point read_at_{};
  std::chrono::steady_clock::time_point counted_at_{};
  prometheus::Counter& queued_;
  prometheus::Counter& gaps_;
  prometheus::Gauge& waiting_;
};

}  // namespace larder::webhooks
