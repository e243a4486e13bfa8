// Due sets on a separate Redis, and servers that work them off.
#pragma once

#include "kit/schedule/scheduler.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <boost/asio/redirect_error.hpp>
#include <gtest/gtest.h>

#include <thread>

namespace larder::schedule {

using namespace std::chrono_literals;

inline constexpr TimeMs start_time{1'700'000'000'000};
inline std::vector<std::string> const sets = {"{0}:due", "{1}:due"};

inline redis::Script const finish{"finish",
                                  "local taken = redis.call('ZREM', KEYS[1], ARGV[1])\n"
                                  "if taken == 1 then redis.call('HINCRBY', KEYS[2], ARGV[1], 1) end\n"
                                  "return taken"};

// A server with a scheduler. If it is destroyed without stop(), it acts like a killed one.
struct Larder {
  Larder(std::string const& redis_url, Clock const& time, std::chrono::milliseconds timeout = 5s)
      : clock(time),
        redis(io, {.url = redis::parse_url(redis_url), .timeout = timeout, .tls_ca = {}}, metrics) {}

  void start() {
    make();
    scheduler->start();
  }
  void make() {
    scheduler.emplace(
        io, redis, clock, options,
        [this](std::size_t set, std::string member, TimeMs due) {
          return handle(set, std::move(member), due);
        },
        metrics);
  }
  std::size_t add(std::string set) {
    options.sets.push_back(set);
    return scheduler->add(std::move(set));
  }

  Task<void> handle(std::size_t set, std::string member, TimeMs due) {
    begun.push_back(fmt::format("{} {}", member, due.value - start_time.value));
    if (before) co_await before(set, member);
    if (commits_work) co_await commit(set, member);
  }
  // The fence: if two handlers did the same work, only one commit counts.
  Task<void> commit(std::size_t set, std::string member) {
    auto const done = options.sets[set] + ":done";
    auto const taken = co_await redis.run(
        redis::Use::idempotent_write, redis::ScriptCall(finish).keys(options.sets[set], done).args(member));
    commits += int(taken.integer());
  }
  Task<void> reschedule(std::size_t set, std::string member, TimeMs due) {
    auto const score = std::to_string(due.value);
    co_await redis.command(redis::Use::write, options.sets[set], {"ZADD", options.sets[set], score, member});
  }
  // Waits until open_gate() is called.
  Task<void> wait_at_gate() {
    ++at_gate;
    boost::system::error_code opened;
    if (!gate_open) co_await gate.async_wait(asio::redirect_error(use_task, opened));
    --at_gate;
  }
  void open_gate() {
    gate_open = true;
    gate.cancel();
  }
  double counted(std::string const& name) const {
    auto const text = metrics.text();
    auto const at = text.find("\n" + name + "{");
    return at == text.npos ? -1 : std::stod(text.substr(text.find("} ", at) + 2));
  }

  asio::io_context io;
  Metrics metrics;
  Clock const& clock;
  redis::Redis redis;
  SchedulerOptions options{.name = "test", .sets = sets, .look_every = 5ms};
  std::function<Task<void>(std::size_t set, std::string member)> before;  // runs before the commit
  std::vector<std::string> begun;  // "<member> <due time minus start time, ms>"
  bool commits_work = true;
  int commits = 0;
  int at_gate = 0;
  bool gate_open = false;
  Timer gate{io, Timer::time_point::max()};
  std::optional<Scheduler> scheduler;
};

class SchedulerTest : public testing::Test {
 protected:
  void put(std::size_t set, std::string const& member, std::int64_t due_after) {
    server.cli({"ZADD", sets[set], std::to_string(start_time.value + due_after), member});
  }
  void put_many(std::size_t set, int count) {
    server.cli({"EVAL", "for i = 1, ARGV[1] do redis.call('ZADD', KEYS[1], ARGV[2], 'm' .. i) end", "1",
                sets[set], std::to_string(count), std::to_string(start_time.value)});
  }
  // The due time minus the start time in ms, or "gone".
  std::string due_of(std::string const& member, std::size_t set = 0) {
    auto const score = server.cli({"ZSCORE", sets[set], member});
    return score.empty() ? "gone" : std::to_string(std::stoll(score) - start_time.value);
  }
  int waiting(std::size_t set) { return std::stoi(server.cli({"ZCARD", sets[set]})); }
  int failures(std::size_t set) { return std::stoi(server.cli({"HLEN", sets[set] + ":failures"})); }
  int done(std::string const& member, std::size_t set = 0) {
    auto const count = server.cli({"HGET", sets[set] + ":done", member});
    return count.empty() ? 0 : std::stoi(count);
  }
  std::vector<DeadMember> dead(Larder& in, std::size_t set = 0) {
    return test::run(in.io, dead_members(in.redis, sets[set]));
  }
  // Returns after several looks.
  void let_it_look(Larder& in) {
    auto const seen = server.stat("total_commands_processed");
    ASSERT_TRUE(test::eventually(in.io, [&] { return server.stat("total_commands_processed") > seen + 40; }));
  }
  template <class F>
  bool eventually(Larder& in, F condition) {
    return test::eventually(in.io, condition);
  }
  // The same, and also moves the clock.
  template <class F>
  bool as_time_passes(Larder& in, F condition, std::int64_t step_ms = 20) {
    return test::eventually(in.io, [&] {
      clock.advance(step_ms);
      return condition();
    });
  }
  void replace_larder() {
    larder.reset();
    larder.emplace(server.url(), clock);
  }

  test::RedisServer server{{.settings = {"appendonly yes", "appendfsync always"}}};
  TestClock clock{start_time};
  std::optional<Larder> larder{std::in_place, server.url(), clock};
};

}  // namespace larder::schedule
