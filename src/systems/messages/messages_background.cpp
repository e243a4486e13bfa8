#include "systems/messages/messages_background.hpp"

#include "base/log.hpp"
#include "base/when_all.hpp"
#include "systems/messages/index_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::messages {

namespace {

constexpr auto tell_every = std::chrono::milliseconds(50);
constexpr std::int64_t users_per_look = 500;
constexpr std::size_t users_at_once = 100;
constexpr std::size_t behind_max = 1'000;
constexpr std::size_t untold_max = 10'000;

}  // namespace

Background::Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
                       Metrics& metrics, std::chrono::milliseconds look_every)
    : redis_(redis),
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
      index_(redis, table_, clock, shared_.dead_after),
      feed_(redis),
      look_every_(look_every),
      tasks_(io),
      lost_events_(metrics.counter("larder_messages_untold_events_total",
                                   "Events that the feed did not take, or not fast enough")) {}

void Background::start() {
  tasks_.spawn(watch());
  tasks_.spawn(tell_feed());
}

Task<void> Background::stop() { return tasks_.stop(); }

Task<void> Background::watch() {
  bool told = false;
  while (!tasks_.stopping()) {
    try {
      co_await look();
      told = false;
    } catch (std::exception const& error) {
      if (!std::exchange(told, true)) {
        log::warn("could not check whether Redis has all messages", {{"why", error.what()}});
      }
    }
    co_await tasks_.sleep(look_every_);
  }
}

// Whether Redis has this change.
Task<bool> Background::catch_up(UserVersion const& user, bool first) {
  try {
    if (!co_await index_.catch_up(user)) co_return false;
    co_await table_.forget_user(user);
    co_return true;
  } catch (std::exception const& error) {
    if (first) {
      log::warn("what changed for a user is not in Redis yet",
                {{"user", user.user.str()}, {"why", error.what()}});
    }
    co_return false;
  }
}

// Returns the users whose changes Redis could not take now. The next look tries them again, and other
// users do not wait for them.
Task<std::vector<UserVersion>> Background::catch_up(std::vector<UserVersion> users, bool first) {
  std::vector<UserVersion> behind;
  for (std::size_t begin = 0; begin < users.size(); begin += users_at_once) {
    auto const end = std::min(begin + users_at_once, users.size());
    std::vector<Task<bool>> tasks;
    for (auto i = begin; i < end && !tasks_.stopping(); ++i) tasks.push_back(catch_up(users[i], first));
    auto done = co_await when_all(std::move(tasks));
    done.resize(end - begin, false);
    for (auto i = begin; i < end; ++i) {
      if (!done[i - begin]) behind.push_back(users[i]);
    }
  }
  co_return behind;
}

// Every server looks at every change. Almost always, the writer has brought it to Redis long ago.
Task<void> Background::look() {
  auto const reply = co_await redis_.command(redis::Use::read, caught_up_key, {"GET", caught_up_key});
  auto const kept = reply.is_nil() ? 0 : reply.integer();
  auto const newest = co_await table_.newest_version();
  // If a version went back, a store was restored from a copy or lost its last changes. Check them again.
  if (!seen_ || kept < kept_ || newest < *seen_) seen_ = std::min(kept, newest);
  kept_ = kept;
  behind_ = co_await catch_up(behind_, false);
  while (*seen_ < due_ && behind_.size() < behind_max && !tasks_.stopping()) {
    auto const users = co_await table_.changed_users(*seen_, due_, users_per_look);
    auto const late = co_await catch_up(users, true);
    behind_.insert(behind_.end(), late.begin(), late.end());
    seen_ = std::int64_t(users.size()) < users_per_look ? due_ : users.back().version;
  }
  // A server that starts later must also look at the users that are behind.
  auto const sure =
      behind_.empty() ? *seen_ : std::ranges::min(behind_, {}, &UserVersion::version).version - 1;
  if (sure != kept_) {
    auto const text = fmt::to_string(sure);
    co_await redis_.command(redis::Use::idempotent_write, caught_up_key, {"SET", caught_up_key, text});
    kept_ = sure;
  }
  due_ = newest;
}

Task<void> Background::tell_feed() {
  for (bool last_round = false; !last_round;) {
    co_await tasks_.sleep(tell_every);
    last_round = tasks_.stopping();
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
  }
}

}  // namespace larder::messages
