#include "kit/presence/clock_watch.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/random.hpp"
#include "kit/presence/presence_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace larder::presence {

namespace {

constexpr auto compare_every = std::chrono::seconds(5);
constexpr auto compare_again = std::chrono::milliseconds(500);  // while the clock is not trusted
constexpr std::int64_t forgotten_after_ms = 30'000;

std::int64_t median(std::vector<std::int64_t> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

Task<std::vector<std::int64_t>> ms_ahead_of_redis(redis::Redis& redis, Clock const& clock,
                                                  std::chrono::milliseconds trip_max) {
  std::vector<std::int64_t> ahead;
  auto asked = clock.unchecked();
  co_await redis.ask_masters({"TIME"}, [&](redis::Endpoint const&, redis::ReplyView time) {
    auto const answered = clock.unchecked();
    auto const redis_ms = time.at(0).integer() * 1000 + time.at(1).integer() / 1000;
    if (answered - asked >= 0 && answered - asked <= trip_max.count())
      ahead.push_back((asked.value + answered.value) / 2 - redis_ms);
    asked = answered;
  });
  co_return ahead;
}

ClockWatch::ClockWatch(asio::io_context& io, redis::Redis& redis, CheckedClock& clock)
    : redis_(redis), clock_(clock), server_(random_hex(8)), tasks_(io) {}

Task<void> ClockWatch::enter() {
  try {
    co_await compare();
  } catch (StoreError const& error) {
    log::warn("the clock of this server was not compared with Redis yet", {{"why", error.what()}});
    co_return;
  }
  auto const problem = clock_.problem();
  if (problem.empty()) co_return;
  co_await leave();  // a server that does not start must not have a say, however often it is started
  throw SetupError(problem);
}

void ClockWatch::start() { tasks_.spawn(keep_comparing()); }

Task<void> ClockWatch::leave() {
  co_await tasks_.stop();
  try {
    co_await redis_.command(redis::Use::idempotent_write, clocks_key, {"HDEL", clocks_key, server_});
  } catch (std::exception const&) {}  // then the other servers forget this one later
}

Task<void> ClockWatch::compare() {
  std::vector<std::int64_t> masters;
  try {
    masters = co_await ms_ahead_of_redis(redis_, clock_, clock_.allowed());
  } catch (redis::ReplyError const& error) {
    log::warn("Redis does not tell its time, so the clock of this server cannot be checked",
              {{"why", error.what()}});
    masters = {0};
  }
  if (masters.empty()) throw StoreError("Redis takes too long to tell its time", false);
  auto const ahead = median(masters);
  clock_.measured(ahead);  // now, because the other servers may take a while
  co_await ask_others(ahead);
  auto differences = masters;
  for (auto const other : others_) differences.push_back(ahead - other);
  auto const against = std::ranges::count_if(
      differences, [&](auto difference) { return std::abs(difference) > clock_.allowed().count(); });
  clock_.judged(2 * against > std::ssize(differences) + 1);
}

Task<void> ClockWatch::ask_others(std::int64_t ahead) {
  try {
    auto const redis_now = clock_.unchecked() + -ahead;
    auto const others = co_await redis_.run(
        redis::Use::idempotent_write, scripts::say_clock(server_, ahead, redis_now, forgotten_after_ms));
    others_.clear();
    for (std::size_t i = 0; i < others.size(); ++i) others_.push_back(others.at(i).integer());
  } catch (std::exception const& error) {  // a full Redis still tells its own time
    log::debug("the clocks of other servers are not known", {{"why", error.what()}});
  }
}

Task<void> ClockWatch::keep_comparing() {
  while (!tasks_.stopping()) {
    auto const problem = clock_.problem();
    if (problem.empty() != !was_off_) {
      was_off_ = !was_off_;
      if (was_off_) {
        log::error(problem);
      } else {
        log::info("the clock of this server is right again");
      }
    }
    co_await tasks_.sleep(was_off_ ? compare_again : compare_every);
    if (tasks_.stopping()) co_return;
    try {
      co_await compare();
    } catch (std::exception const& error) {
      log::debug("the clock was not compared", {{"why", error.what()}});
    }
  }
}

Task<bool> check_clock(redis::Redis& redis, std::chrono::milliseconds allowed) {
  SystemClock const system;
  CheckedClock clock(system, allowed);
  std::vector<std::int64_t> masters;
  try {
    masters = co_await ms_ahead_of_redis(redis, clock, allowed);
  } catch (std::exception const&) {}  // the next step of the command reports it
  if (masters.empty()) co_return false;
  clock.compared(median(masters), false);
  if (auto const problem = clock.problem(); !problem.empty()) throw SetupError(problem);
  co_return true;
}

}  // namespace larder::presence
