#include "stores/redis/redis.hpp"

#include "base/error.hpp"
#include "base/when_all.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

namespace larder::redis {
namespace {

using namespace std::chrono_literals;

// How a command ended.
struct Ended {
  bool failed = false;
  bool outcome_unknown = false;
  std::string what;  // the answer, or the message of the error
};

class RedisTest : public testing::Test {
 protected:
  Ended call(Redis& target, Use use, std::initializer_list<std::string_view> args) {
    try {
      auto const reply = test::run(io, target.command(use, "", args));
      return {.what = reply.is_nil() ? "nil" : std::string(reply.text())};
    } catch (StoreError const& error) {
      return {.failed = true, .outcome_unknown = error.outcome_unknown(), .what = error.what()};
    }
  }
  Ended call(Use use, std::initializer_list<std::string_view> args) { return call(redis, use, args); }

  double losses() {
    return metrics.counter("larder_redis_connection_losses_total", "Redis connections lost or refused")
        .Value();
  }
  // Starts a command, sends it to a server that does not answer, and calls `then`.
  template <class F>
  void with_command_in_flight(F task, auto then) {
    auto const result = std::make_shared<std::optional<Ended>>();
    asio::co_spawn(
        io,
        [](F call, std::shared_ptr<std::optional<Ended>> out) -> Task<void> {
          try {
            auto const reply = co_await call();
            *out = Ended{.what = std::string(reply.text())};
          } catch (StoreError const& error) {
            *out = Ended{.failed = true, .outcome_unknown = error.outcome_unknown(), .what = error.what()};
          }
        }(std::move(task), result),
        asio::detached);
    io.restart();
    while (io.poll_one() > 0) {}
    then();
    ASSERT_TRUE(test::eventually(io, [&] { return result->has_value(); }));
    ended = **result;
  }

  asio::io_context io;
  Metrics metrics;
  test::RedisServer server;
  Redis redis{io, {.url = parse_url(server.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
  Ended ended;
};

Task<std::int64_t> push(Redis& redis, int number) {
  auto const text = std::to_string(number);
  auto const reply = co_await redis.command(Use::write, "list", {"RPUSH", "list", text});
  co_return reply.integer();
}

TEST_F(RedisTest, many_commands_at_once_keep_their_order_and_leave_in_few_writes) {
  test::run(io, redis.ping());
  auto const reads_before = server.stat("total_reads_processed");
  std::vector<Task<std::int64_t>> pushes;
  for (int i = 0; i < 1000; ++i) pushes.push_back(push(redis, i));
  auto const lengths = test::run(io, when_all(std::move(pushes)));
  for (std::size_t i = 0; i < lengths.size(); ++i) ASSERT_EQ(lengths[i], std::int64_t(i) + 1);
  EXPECT_LT(server.stat("total_reads_processed") - reads_before, 20);
  auto const list = test::run(io, redis.command(Use::read, "list", {"LRANGE", "list", "0", "-1"}));
  ASSERT_EQ(list.size(), 1000u);
  for (std::size_t i = 0; i < list.size(); ++i) ASSERT_EQ(list.at(i).integer(), std::int64_t(i));
}

TEST_F(RedisTest, any_bytes_come_back_as_they_went_in) {
  std::string const bytes("\0\r\n$5\r\n*1\xFF", 10);
  std::string const large(3'000'000, 'x');
  for (auto const& value : {bytes, std::string(), large}) {
    EXPECT_EQ(call(Use::write, {"SET", "key", value}).what, "OK");
    EXPECT_EQ(call(Use::read, {"GET", "key"}).what, value);
  }
  EXPECT_EQ(call(Use::read, {"GET", "nothing"}).what, "nil");
}

TEST_F(RedisTest, a_refused_command_is_a_reply_error_and_the_connection_works_on) {
  EXPECT_THROW(call(Use::write, {"NONSENSE"}), ReplyError);
  call(Use::write, {"SET", "text", "x"});
  EXPECT_THROW(call(Use::write, {"LPUSH", "text", "1"}), ReplyError);
  EXPECT_EQ(call(Use::read, {"GET", "text"}).what, "x");
  EXPECT_EQ(losses(), 0);
}

TEST_F(RedisTest, a_script_runs_again_after_the_server_forgot_it) {
  Script const script("words", "return {KEYS[1], ARGV[1], ARGV[2]}");
  for (int i = 0; i < 3; ++i) {
    auto const reply = test::run(io, redis.run(Use::write, ScriptCall(script).keys("k").args(1, "2")));
    ASSERT_EQ(reply.size(), 3u);
    EXPECT_EQ(reply.at(0).text(), "k");
    EXPECT_EQ(reply.at(2).text(), "2");
    if (i == 1) server.cli({"SCRIPT", "FLUSH"});
  }
  Script const wrong("wrong", "return redis.call('NONSENSE')");
  EXPECT_THROW(test::run(io, redis.run(Use::write, ScriptCall(wrong).keys("k"))), ReplyError);
}

TEST_F(RedisTest, a_stopped_server_is_away_and_used_again_when_it_is_back) {
  test::run(io, redis.ping());
  server.stop();
  ASSERT_TRUE(test::eventually(io, [&] { return losses() >= 1; }));
  for (auto const use : {Use::read, Use::write, Use::idempotent_write}) {
    auto const outcome = call(use, {"INCR", "n"});
    EXPECT_TRUE(outcome.failed);
    EXPECT_FALSE(outcome.outcome_unknown) << outcome.what;
    EXPECT_NE(outcome.what.find("is away"), outcome.what.npos) << outcome.what;
  }
  server.start();
  ASSERT_TRUE(test::eventually([&] { return !call(Use::write, {"SET", "k", "v"}).failed; }));
  EXPECT_EQ(call(Use::read, {"GET", "k"}).what, "v");
}

TEST_F(RedisTest, a_server_that_is_not_there_yet_is_no_obstacle) {
  server.stop();
  EXPECT_FALSE(call(Use::write, {"SET", "k", "v"}).outcome_unknown);
  server.start();
  ASSERT_TRUE(test::eventually([&] { return !call(Use::write, {"SET", "k", "v"}).failed; }));
}

TEST_F(RedisTest, a_write_that_has_not_left_yet_goes_out_on_the_next_connection) {
  test::run(io, redis.ping());
  server.cli({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
  // The client notices the loss in the same turn of the loop in which it would send the command.
  EXPECT_EQ(call(Use::write, {"SET", "k", "v"}).what, "OK");
}

TEST_F(RedisTest, a_write_cut_off_by_a_dying_server_has_an_unknown_outcome) {
  test::run(io, redis.ping());
  server.pause();
  with_command_in_flight(
      [&]() -> Task<Reply> { co_return co_await redis.command(Use::write, "n", {"SET", "n", "1"}); },
      [&] { server.kill(); });
  EXPECT_TRUE(ended.failed);
  EXPECT_TRUE(ended.outcome_unknown);
}

TEST_F(RedisTest, an_idempotent_write_cut_off_by_a_dying_server_is_done_when_it_is_back) {
  test::run(io, redis.ping());
  server.pause();
  with_command_in_flight(
      [&]() -> Task<Reply> {
        co_return co_await redis.command(Use::idempotent_write, "n", {"SET", "n", "1"});
      },
      [&] {
        server.kill();
        server.start();
      });
  EXPECT_FALSE(ended.failed) << ended.what;
  EXPECT_EQ(call(Use::read, {"GET", "n"}).what, "1");
}

TEST_F(RedisTest, after_a_broken_connection_reads_and_idempotent_writes_are_repeated_and_writes_are_not) {
  struct Case {
    Use use;
    bool repeated;
  };
  for (auto const& [use, repeated] :
       {Case{Use::read, true}, Case{Use::idempotent_write, true}, Case{Use::write, false}}) {
    server.cli({"DEL", "queue"});
    test::run(io, redis.ping());
    with_command_in_flight(
        [&]() -> Task<Reply> {
          co_return co_await redis.command(use, "queue", {"BLMOVE", "queue", "done", "LEFT", "RIGHT", "0"});
        },
        [&] {
          ASSERT_TRUE(test::eventually([&] { return server.stat("blocked_clients") == 1; }));
          server.cli({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
          server.cli({"RPUSH", "queue", "item"});
        });
    EXPECT_EQ(ended.failed, !repeated) << ended.what;
    EXPECT_EQ(ended.outcome_unknown, !repeated) << ended.what;
    if (repeated) EXPECT_EQ(ended.what, "item");
  }
}

TEST_F(RedisTest, a_server_that_hangs_is_given_up_after_the_timeout) {
  Redis impatient(io, {.url = parse_url(server.url()), .timeout = 100ms, .tls_ca = {}}, metrics);
  test::run(io, impatient.ping());
  server.pause();
  EXPECT_TRUE(call(impatient, Use::write, {"SET", "k", "1"}).outcome_unknown);
  // Now the client cannot connect, so nothing is sent.
  for (auto const use : {Use::write, Use::read}) {
    auto const outcome = call(impatient, use, {"GET", "k"});
    EXPECT_TRUE(outcome.failed);
    EXPECT_FALSE(outcome.outcome_unknown) << outcome.what;
  }
  server.resume();
  ASSERT_TRUE(test::eventually([&] { return !call(impatient, Use::read, {"GET", "k"}).failed; }));
}

Task<bool> push_value(Redis& redis, std::string value) {
  try {
    co_await redis.command(Use::write, "list", {"RPUSH", "list", value});
    co_return true;
  } catch (StoreError const&) {
    co_return false;
  }
}

TEST_F(RedisTest, a_write_that_was_cut_in_the_middle_is_not_sent_twice) {
  Redis impatient(io, {.url = parse_url(server.url()), .timeout = 200ms, .tls_ca = {}}, metrics);
  test::run(io, impatient.ping());
  server.pause();
  // More than the socket buffer holds, so that a part is still unsent when the client gives up
  // the connection.
  std::vector<Task<bool>> pushes;
  for (int i = 0; i < 40; ++i) {
    pushes.push_back(push_value(impatient, std::to_string(i) + std::string(100'000, 'x')));
  }
  for (bool const done : test::run(io, when_all(std::move(pushes)))) EXPECT_FALSE(done);
  server.resume();
  ASSERT_TRUE(test::eventually([&] { return !call(impatient, Use::read, {"GET", "k"}).failed; }));
  for (int i = 0; i < 10; ++i) {
    auto const value = std::to_string(i);
    EXPECT_EQ(call(impatient, Use::write, {"SET", "k", value}).what, "OK");
    EXPECT_EQ(call(impatient, Use::read, {"GET", "k"}).what, value);
  }
  auto const list = test::run(io, redis.command(Use::read, "list", {"LRANGE", "list", "0", "-1"}));
  std::set<std::string_view> once;
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_TRUE(once.insert(list.at(i).text()).second);
}

TEST_F(RedisTest, a_server_that_loads_its_data_is_away) {
  test::RedisServer slow({.settings = {"key-load-delay 2000", "loading-process-events-interval-bytes 1024",
                                       "rdbcompression no"}});
  Redis client(io, {.url = parse_url(slow.url()), .timeout = 5000ms, .tls_ca = {}}, metrics);
  std::string const value(2000, 'x');
  for (int i = 0; i < 200; ++i) {
    auto const key = std::to_string(i);
    ASSERT_FALSE(call(client, Use::write, {"SET", key, value}).failed);
  }
  slow.cli({"SAVE"});
  slow.stop();
  slow.launch();
  bool loading = false;
  ASSERT_TRUE(test::eventually([&] {
    auto const outcome = call(client, Use::write, {"SET", "more", "x"});
    EXPECT_FALSE(outcome.outcome_unknown) << outcome.what;
    loading = loading || outcome.what.find("LOADING") != outcome.what.npos;
    return !outcome.failed;
  }));
  EXPECT_TRUE(loading);
}

TEST_F(RedisTest, ping_tells_whether_redis_answers) {
  test::run(io, redis.ping());
  server.stop();
  EXPECT_THROW(test::run(io, redis.ping()), StoreError);
}

}  // namespace
}  // namespace larder::redis
