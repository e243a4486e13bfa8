// The background work of messages in one process: brings changes to Redis that their writer did not bring
// there, and sends events to the feed.
#pragma once

#include "base/task_group.hpp"
#include "kit/events/feed.hpp"
#include "systems/messages/messages.hpp"

#include <mutex>

namespace larder::messages {

// Works on one io_context. Make one Messages per io thread from shared(). A Messages may be used before
// start() and after stop(), as long as this object lives.
class Background {
 public:
  Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
             Metrics& metrics, std::chrono::milliseconds look_every = std::chrono::milliseconds(300));

  // Makes the tables. Blocks. Call it before anything else.
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

  std::optional<std::int64_t> seen_;  // every user's index has at least this version
  std::vector<UserVersion> behind_;   // except for these users
  std::int64_t kept_ = 0;             // the version that Redis remembers as checked
  std::int64_t due_ = 0;              // newest version at the last look; its writers have had time

  std::mutex mutex_;
  std::vector<events::FeedEvent> untold_;

  TaskGroup tasks_;
  prometheus::Counter& lost_events_;
};

}  // namespace larder::messages
