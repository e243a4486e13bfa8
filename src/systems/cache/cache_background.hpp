// The background work of the cache in one process: does the jobs of its due set, keeps counts, and tells the
// feed.
#pragma once

#include "base/task_group.hpp"
#include "kit/events/feed.hpp"
#include "kit/schedule/scheduler.hpp"
#include "systems/cache/cache.hpp"

#include <mutex>

namespace larder::cache {

// Works on one io_context. Make one Cache per io thread from shared(). A Cache may be used before start() and
// after stop(), as long as this object lives.
class Background {
 public:
  // `redis` is that of the cache, `feed_redis` the one with the feed. Both belong to the io_context.
  Background(asio::io_context& io, redis::Redis& redis, redis::Redis& feed_redis, Clock const& clock,
             Metrics& metrics, CacheSetup setup);

  void start();
  Task<void> stop();

  CacheShared const& shared() const { return shared_; }

 private:
  void tell(std::vector<Changed> const& changed);
  Task<void> tell_feed();
  Task<void> keep_counts();
  Task<void> write_counts();

  redis::Redis& redis_;
  Metrics& metrics_;
  EventCounts counts_;
  CacheShared shared_;
  Cache cache_;
  events::Feed feed_;
  schedule::Scheduler scheduler_;
  std::mutex mutex_;
  std::vector<events::FeedEvent> untold_;
  TaskGroup tasks_;
  prometheus::Counter& lost_events_;
};

}  // namespace larder::cache
