#include "systems/webhooks/webhooks_background.hpp"

#include "base/log.hpp"

#include <limits>

namespace larder::webhooks {

namespace {

constexpr std::chrono::milliseconds pause_after_failure{1000};

// Each lane of each webhook can have a handler at the same time, so slow receivers hold up nobody else.
constexpr int members_max = int(limits::webhooks_max * (limits::webhook_lanes + 1));

schedule::SchedulerOptions scheduler_options(std::chrono::milliseconds lease) {
  return {.name = "webhooks",
          .sets = {std::string(due_key)},
          .batch = members_max,
          .lease = lease,
          .attempts_max = std::numeric_limits<int>::max(),  // deliveries die, lanes do not
          .at_once = members_max};
}

}  // namespace

Background::Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
                       Metrics& metrics, Options const& options)
    : allow_(options.allow),
      list_(sql),
      courier_(io, redis, sql, clock, list_,
               {.allow = options.allow,
                .waiting_max = options.waiting_max,
                .lease = options.lease,
                .tls = options.tls},
               metrics, [this](TimeMs due) { scheduler_.wake(0, due); }),
      scheduler_(
          io, redis, clock, scheduler_options(options.lease),
          [this](std::size_t, std::string member, TimeMs) { return courier_.handle(std::move(member)); },
          metrics),
      follower_(redis, list_, clock, options.waiting_max, metrics,
                [this] { scheduler_.wake(0, clock_.unchecked()); }),
      shared_{.sql = sql,
              .clock = clock,
              .allow = allow_,
              .lookup = lookup_,
              .on_due = [this](TimeMs due) { scheduler_.wake(0, due); }},
      clock_(clock),
      tasks_(io) {}

void Background::start() {
  scheduler_.start();
  tasks_.spawn(follow());
}

Task<void> Background::stop() {
  courier_.stop();
  co_await tasks_.stop();
  co_await scheduler_.stop();
}

Task<void> Background::follow() {
  for (bool told = false; !tasks_.stopping();) {
    auto pause = pause_after_failure;
    try {
      pause = co_await follower_.round();
      told = false;
    } catch (std::exception const& error) {
      if (!std::exchange(told, true)) log::warn("webhooks do not follow the feed", {{"why", error.what()}});
    }
    co_await tasks_.sleep(pause);
  }
}

}  // namespace larder::webhooks
