#include "kit/presence/clock_watch.hpp"

#include "base/error.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

namespace larder::presence {
namespace {

using namespace std::chrono_literals;

// The clock of the machine, and what a test adds to it.
class MovedClock final : public Clock {
 public:
  TimeMs now() const override { return SystemClock{}.now() + ahead; }
  std::atomic<std::int64_t> ahead = 0;
};

struct Larder {
  explicit Larder(std::string const& url)
      : redis(io, {.url = redis::parse_url(url), .timeout = 5s, .tls_ca = {}}, metrics) {}

  void enter() { test::run(io, watch.enter()); }
  bool trusted() const { return clock.problem().empty(); }

  asio::io_context io;
  Metrics metrics;
  MovedClock moved;
  CheckedClock clock{moved, 10s};
  redis::Redis redis;
  ClockWatch watch{io, redis, clock};
};

constexpr std::int64_t days_400 = 400 * day_ms;

TEST(CheckedClock, is_not_trusted_before_it_was_compared) {
  MovedClock moved;
  CheckedClock clock(moved, 10s);
  EXPECT_THROW(clock.now(), StoreError);
  clock.compared(0, false);
  EXPECT_GE(clock.now(), SystemClock{}.now() + -1000);
}

TEST(CheckedClock, notices_a_jump_at_once_and_recovers_by_itself) {
  MovedClock moved;
  CheckedClock clock(moved, 10s);
  clock.compared(0, false);
  for (std::int64_t const jump : {days_400, -days_400, std::int64_t(11'000), std::int64_t(-11'000)}) {
    moved.ahead = jump;
    EXPECT_THROW(clock.now(), ClockError) << jump;
    EXPECT_GE(std::abs(clock.unchecked() - SystemClock{}.now()), 10'000);
    moved.ahead = 0;
    EXPECT_NO_THROW(clock.now());
  }
  moved.ahead = days_400;
  EXPECT_TRUE(clock.problem().contains("400 days ahead of")) << clock.problem();
  moved.ahead = -days_400 - 1000;
  EXPECT_TRUE(clock.problem().contains("400 days behind")) << clock.problem();
  moved.ahead = 9'000;
  EXPECT_EQ(clock.problem(), "");
}

TEST(ClockWatch, refuses_to_start_with_a_clock_that_is_off) {
  test::RedisServer server;
  for (std::int64_t const ahead : {days_400, -days_400, std::int64_t(11'000)}) {
    Larder larder(server.url());
    larder.moved.ahead = ahead;
    EXPECT_THROW(larder.enter(), SetupError) << ahead;
  }
  Larder larder(server.url());
  larder.enter();
  EXPECT_TRUE(larder.trusted());
}

TEST(ClockWatch, trusts_the_clock_again_when_it_is_right) {
  test::RedisServer server;
  Larder larder(server.url());
  larder.enter();
  larder.watch.start();
  larder.moved.ahead = days_400;
  EXPECT_FALSE(larder.trusted());
  larder.moved.ahead = 0;
  EXPECT_TRUE(larder.trusted());
  test::run(larder.io, larder.watch.leave());
  EXPECT_EQ(server.cli({"EXISTS", std::string(clocks_key)}), "0");
}

TEST(ClockWatch, without_redis_the_clock_is_trusted_only_later) {
  test::RedisServer server;
  server.stop();
  Larder larder(server.url());
  larder.enter();
  EXPECT_THROW(larder.clock.now(), StoreError);
  larder.watch.start();
  server.start();
  EXPECT_TRUE(test::eventually(larder.io, [&] { return larder.trusted(); }));
  test::run(larder.io, larder.watch.leave());
}

TEST(ClockWatch, a_full_redis_does_not_hide_a_clock_that_is_off) {
  test::RedisServer server;
  server.cli({"CONFIG", "SET", "maxmemory", "1"});
  Larder larder(server.url());
  larder.moved.ahead = days_400;
  EXPECT_THROW(larder.enter(), SetupError);
}

// Each says by how much its clock is ahead of Redis.
void put_servers(test::RedisServer& server, std::vector<std::int64_t> const& ahead) {
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    server.cli({"HSET", std::string(clocks_key), fmt::format("server{}", i),
                fmt::format("{} {}", ahead[i], SystemClock{}.now().value)});
  }
}

TEST(ClockWatch, one_wrong_server_does_not_stop_the_others_but_most_do) {
  test::RedisServer server;
  Larder larder(server.url());
  put_servers(server, {days_400, days_400});  // two against this server and Redis
  larder.enter();
  EXPECT_TRUE(larder.trusted());
  put_servers(server, {days_400, days_400, days_400});
  EXPECT_THROW(larder.enter(), SetupError);
  EXPECT_TRUE(larder.clock.problem().contains("most other servers")) << larder.clock.problem();
  put_servers(server, {0, 0, 0});
  Larder later(server.url());
  later.enter();
  EXPECT_TRUE(later.trusted());
}

TEST(ClockWatch, an_outvoted_clock_is_not_trusted_while_it_is_compared_again) {
  test::RedisServer server;
  put_servers(server, {days_400, days_400, days_400});
  Larder larder(server.url());
  for (auto const* const comparison : {"first", "second"}) {
    bool done = false;
    asio::co_spawn(larder.io, larder.watch.enter(), [&](std::exception_ptr) { done = true; });
    larder.io.restart();
    while (!done) {
      ASSERT_GT(larder.io.run_one_for(test::patience), 0U);
      ASSERT_FALSE(larder.trusted()) << comparison;
    }
    EXPECT_TRUE(larder.clock.problem().contains("most other servers")) << larder.clock.problem();
  }
}

TEST(ClockWatch, a_full_redis_does_not_hide_that_most_servers_contradict) {
  test::RedisServer server;
  put_servers(server, {days_400, days_400, days_400});
  Larder larder(server.url());
  EXPECT_THROW(larder.enter(), SetupError);
  server.cli({"CONFIG", "SET", "maxmemory", "1"});
  EXPECT_THROW(larder.enter(), SetupError);
}

TEST(ClockWatch, servers_that_are_refused_at_the_start_have_no_say) {
  test::RedisServer server;
  for (int i = 0; i < 5; ++i) {
    Larder wrong(server.url());
    wrong.moved.ahead = days_400;
    EXPECT_THROW(wrong.enter(), SetupError);
  }
  Larder larder(server.url());
  larder.enter();
  EXPECT_TRUE(larder.trusted());
}

TEST(ClockWatch, forgets_servers_that_say_nothing_any_more) {
  test::RedisServer server;
  auto const long_ago = SystemClock{}.now().value - 60'000;
  for (auto const* const name : {"a", "b", "c", "d"})
    server.cli({"HSET", std::string(clocks_key), name, fmt::format("{} {}", days_400, long_ago)});
  server.cli({"HSET", std::string(clocks_key), "e", "nonsense"});
  Larder larder(server.url());
  larder.enter();
  EXPECT_EQ(server.cli({"HLEN", std::string(clocks_key)}), "1");
}

TEST(ClockWatch, on_a_cluster_the_clock_is_compared_with_every_master) {
  test::RedisCluster cluster;
  Larder larder(cluster.url());
  larder.enter();
  EXPECT_EQ(test::run(larder.io, ms_ahead_of_redis(larder.redis, larder.clock, 10s)).size(), 3U);
  Larder wrong(cluster.url());
  wrong.moved.ahead = days_400;
  EXPECT_THROW(wrong.enter(), SetupError);
}

}  // namespace
}  // namespace larder::presence
