// What works beside the requests for the messages of one process: brings to Redis what a writer did not live
// to bring there, and tells the feed.
#pragma once

#include "base/task_group.hpp"
#include "kit/events/feed.hpp"
#include "systems/messages/messages.hpp"

#include <mutex>

namespace larder::messages {

// Lives on one io_context. Make a Messages per io thread from shared(); they may be used before start() and
// after stop(), as long as this object lives.
class Background {
 public:
  Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
             Metrics& metrics, std::chrono::milliseconds look_every = std::chrono::milliseconds(300));

  // Makes the tables. Blocking, before anything else.
  void migrate_now() { table_.migrate_now(); }
  void start();
  Task<void> stop();

  Shared& shared() { return shared_; }

 private:
  Task<void> watch();
  Task<void> look();
  Task<bool> catch_up(UserVersion const& user, bool first);
  Task<std::vector<UserVersion>> catch_up(std::vector<UserVersion> users, bool first);
  Task<void> tell_feed();

  redis::Redis& redis_;
  MessageTable table_;
  Shared shared_;
  MessageIndex index_;
  events::Feed feed_;
  std::chrono::milliseconds look_every_;

  std::optional<std::int64_t> seen_;  // the index of every user is as new as this version
  std::vector<UserVersion> behind_;   // but for these
  std::int64_t kept_ = 0;             // what Redis remembers of it
  std::int64_t due_ = 0;  // what the latest version was at the last look: its writers had their time

  std::mutex mutex_;
  std::vector<events::FeedEvent> untold_;

  TaskGroup tasks_;
  prometheus::Counter& lost_events_;
};

}  // namespace larder::messages
