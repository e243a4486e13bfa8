#include "systems/messages/messages_service.hpp"

#include "base/log.hpp"

#include <boost/asio/redirect_error.hpp>
#include <fmt/format.h>

namespace larder::messages {

namespace {

constexpr auto look_every = std::chrono::milliseconds(300);
constexpr auto tell_every = std::chrono::milliseconds(50);
constexpr std::int64_t users_per_look = 500;
constexpr std::size_t untold_max = 10'000;
constexpr std::string_view seen_key = "{messages}:caught_up";

}  // namespace

Service::Service(asio::io_context& io, redis::Redis& redis, Sql& sql, Clock const& clock, Metrics& metrics)
    : io_(io),
      redis_(redis),
      table_(sql),
      shared_{.table = table_,
              .clock = clock,
              .metrics = metrics,
              .tell =
                  [this](events::FeedEvent event) {
                    std::lock_guard const lock(mutex_);
                    if (untold_.size() < untold_max) {
                      untold_.push_back(std::move(event));
                    } else {
                      lost_events_.Increment();
                    }
                  }},
      index_(redis, table_, clock),
      feed_(redis),
      watch_timer_(io),
      feed_timer_(io),
      lost_events_(metrics.counter("larder_messages_untold_events_total",
                                   "Events that came faster than the feed took them")) {}

void Service::start() {
  running_ = 2;
  asio::co_spawn(io_, watch(), asio::detached);
  asio::co_spawn(io_, tell_feed(), asio::detached);
}

Task<void> Service::stop() {
  stopping_ = true;
  watch_timer_.cancel();
  feed_timer_.cancel();
  while (running_ > 0) {
    Timer pause(io_);
    pause.expires_after(std::chrono::milliseconds(2));
    co_await pause.async_wait(use_task);
  }
}

Task<void> Service::sleep(Timer& timer, std::chrono::milliseconds time) {
  if (stopping_) co_return;
  boost::system::error_code cancelled;
  timer.expires_after(time);
  co_await timer.async_wait(asio::redirect_error(use_task, cancelled));
}

Task<void> Service::watch() {
  bool told = false;
  while (!stopping_) {
    try {
      co_await catch_up();
      told = false;
    } catch (std::exception const& error) {
      if (!std::exchange(told, true)) {
        log::warn("whether Redis knows all messages was not checked", {{"why", error.what()}});
      }
    }
    co_await sleep(watch_timer_, look_every);
  }
  --running_;
}

// Every Larder looks at every change; almost always its writer has brought it to Redis long ago.
Task<void> Service::catch_up() {
  if (!seen_) {
    auto const kept = co_await redis_.command(redis::Use::read, seen_key, {"GET", seen_key});
    seen_ = kept.is_nil() ? 0 : kept.integer();
  }
  auto const newest = co_await table_.newest_version();
  while (*seen_ < due_ && !stopping_) {
    auto const users = co_await table_.changed_users(*seen_, due_, users_per_look);
    for (auto const& user : users) {
      co_await index_.catch_up(user);
      co_await table_.forget_user(user);
    }
    seen_ = std::int64_t(users.size()) < users_per_look ? due_ : users.back().version;
    auto const text = fmt::to_string(*seen_);
    co_await redis_.command(redis::Use::idempotent_write, seen_key, {"SET", seen_key, text});
  }
  due_ = newest;
}

Task<void> Service::tell_feed() {
  do {
    co_await sleep(feed_timer_, tell_every);
    std::vector<events::FeedEvent> events;
    {
      std::lock_guard const lock(mutex_);
      events.swap(untold_);
    }
    auto const count = events.size();
    try {
      co_await feed_.tell(std::move(events));
    } catch (std::exception const& error) {
      lost_events_.Increment(double(count));
      log::warn("events of messages are not in the feed", {{"events", count}, {"why", error.what()}});
    }
  } while (!stopping_);
  --running_;
}

}  // namespace larder::messages
