#include "stores/redis/connection.hpp"

#include "base/error.hpp"
#include "stores/redis/redis.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

namespace larder::redis {
namespace {

using namespace std::chrono_literals;

class RedisLoginTest : public testing::Test {
 protected:
  // The answer, or the message of the StoreError.
  std::string ask(std::string const& url, std::initializer_list<std::string_view> args,
                  std::string const& tls_ca = {}, std::chrono::milliseconds timeout = 5000ms) {
    Redis redis(io, {.url = parse_url(url), .timeout = timeout, .tls_ca = tls_ca}, metrics);
    try {
      return std::string(test::run(io, redis.command(Use::write, "", args)).text());
    } catch (StoreError const& error) {
      EXPECT_FALSE(error.outcome_unknown());
      return error.what();
    }
  }

  asio::io_context io;
  Metrics metrics;
};

TEST_F(RedisLoginTest, a_password_opens_the_door_and_is_never_repeated) {
  test::RedisServer server({.tcp = true, .password = "open-sesame"});
  auto const at = fmt::format("127.0.0.1:{}", server.port());
  EXPECT_EQ(ask(fmt::format("redis://:open-sesame@{}", at), {"SET", "k", "v"}), "OK");
  auto const wrong = ask(fmt::format("redis://:hunter2@{}", at), {"SET", "k", "v"});
  EXPECT_NE(wrong.find("WRONGPASS"), wrong.npos) << wrong;
  EXPECT_EQ(wrong.find("hunter2"), wrong.npos) << wrong;
  auto const none = ask(fmt::format("redis://{}", at), {"SET", "k", "v"});
  EXPECT_NE(none.find("NOAUTH"), none.npos) << none;
}

TEST_F(RedisLoginTest, an_acl_user_logs_in_by_name) {
  test::RedisServer server({.tcp = true, .settings = {"user alice on >wonder ~a:* +@all"}});
  auto const at = fmt::format("127.0.0.1:{}", server.port());
  EXPECT_EQ(ask(fmt::format("redis://alice:wonder@{}", at), {"SET", "a:1", "v"}), "OK");
  EXPECT_EQ(ask(fmt::format("redis://alice:wonder@{}", at), {"ACL", "WHOAMI"}), "alice");
  EXPECT_THROW(ask(fmt::format("redis://alice:wonder@{}", at), {"SET", "b:1", "v"}), ReplyError);
  auto const wrong = ask(fmt::format("redis://alice:hunter2@{}", at), {"SET", "a:1", "v"});
  EXPECT_NE(wrong.find("WRONGPASS"), wrong.npos) << wrong;
}

TEST_F(RedisLoginTest, a_database_number_is_selected) {
  test::RedisServer server({.tcp = true});
  auto const at = fmt::format("redis://127.0.0.1:{}", server.port());
  EXPECT_EQ(ask(at + "/3", {"SET", "k", "three"}), "OK");
  EXPECT_EQ(server.cli({.database = 3}, {"GET", "k"}), "three");
  EXPECT_EQ(server.cli({"GET", "k"}), "");
  auto const beyond = ask(at + "/99", {"SET", "k", "v"});
  EXPECT_NE(beyond.find("DB index is out of range"), beyond.npos) << beyond;
}

TEST_F(RedisLoginTest, tls_needs_the_right_authority_and_the_right_host) {
  test::TempDir dir;
  test::Certificates const ours(dir, "ours");
  test::Certificates const theirs(dir, "theirs");
  int const port = test::free_port();
  test::RedisServer server(
      {.settings = {fmt::format("tls-port {}", port), "tls-cert-file " + ours.certificate,
                    "tls-key-file " + ours.key, "tls-ca-cert-file " + ours.ca, "tls-auth-clients no"}});
  auto const url = fmt::format("rediss://127.0.0.1:{}", port);
  EXPECT_EQ(ask(url, {"SET", "k", std::string(1'000'000, 'x')}, ours.ca), "OK");
  EXPECT_EQ(ask(url, {"GET", "k"}, ours.ca), std::string(1'000'000, 'x'));
  for (auto const& [other_url, ca] : {std::pair{url, theirs.ca}, std::pair{url, std::string()},
                                      std::pair{fmt::format("rediss://localhost:{}", port), ours.ca}}) {
    auto const refused = ask(other_url, {"GET", "k"}, ca);
    EXPECT_NE(refused.find("certificate verify failed"), refused.npos) << refused;
  }
  EXPECT_THROW(ask(url, {"GET", "k"}, dir.file("missing.crt")), SetupError);
  // A server without TLS does not answer the handshake.
  test::RedisServer plain({.tcp = true});
  auto const silence = ask(fmt::format("rediss://127.0.0.1:{}", plain.port()), {"GET", "k"}, ours.ca, 200ms);
  EXPECT_NE(silence.find("is away: no connection in time"), silence.npos) << silence;
}

TEST_F(RedisLoginTest, a_tls_connection_that_breaks_is_made_again) {
  test::TempDir dir;
  test::Certificates const ours(dir, "ours");
  int const port = test::free_port();
  test::RedisServer server(
      {.settings = {fmt::format("tls-port {}", port), "tls-cert-file " + ours.certificate,
                    "tls-key-file " + ours.key, "tls-ca-cert-file " + ours.ca, "tls-auth-clients no"}});
  Redis redis(
      io,
      {.url = parse_url(fmt::format("rediss://127.0.0.1:{}", port)), .timeout = 5000ms, .tls_ca = ours.ca},
      metrics);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(test::run(io, redis.command(Use::idempotent_write, "k", {"SET", "k", "v"})).text(), "OK");
    server.cli({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
  }
}

TEST_F(RedisLoginTest, a_host_that_does_not_exist_is_away) {
  auto const why = ask("redis://no-such-host.invalid:6379", {"GET", "k"});
  EXPECT_NE(why.find("no-such-host.invalid:6379 is away"), why.npos) << why;
}

class SubscriptionTest : public testing::Test {
 protected:
  asio::io_context io;
  Metrics metrics;
  test::RedisServer server;
  Options options{.url = parse_url(server.url()), .timeout = 5000ms, .tls_ca = {}};
};

TEST_F(SubscriptionTest, hears_what_is_published_and_tells_when_it_may_have_missed_something) {
  std::vector<std::string> heard;
  int connects = 0;
  Subscription const subscription(io, options, metrics, {"one", "two"},
                                  {.on_message =
                                       [&](std::string_view channel, std::string_view message) {
                                         heard.push_back(fmt::format("{}:{}", channel, message));
                                       },
                                   .on_connect = [&] { ++connects; }});
  ASSERT_TRUE(test::eventually(io, [&] { return connects == 1; }));
  server.cli({"PUBLISH", "one", "first"});
  server.cli({"PUBLISH", "other", "not for us"});
  server.cli({"PUBLISH", "two", "second"});
  ASSERT_TRUE(test::eventually(io, [&] { return heard.size() == 2; }));
  server.stop();
  server.start();
  ASSERT_TRUE(test::eventually(io, [&] { return connects == 2; }));
  server.cli({"PUBLISH", "two", "third"});
  ASSERT_TRUE(test::eventually(io, [&] { return heard.size() == 3; }));
  EXPECT_EQ(heard, (std::vector<std::string>{"one:first", "two:second", "two:third"}));
}

TEST_F(SubscriptionTest, hears_messages_that_come_while_it_subscribes) {
  // A publisher that never pauses, on the first of many channels.
  test::Process const publisher(
      {.command = {"redis-cli", "-s", server.socket(), "-r", "-1", "PUBLISH", "0", "x"}});
  std::vector<std::string> channels;
  for (int i = 0; i < 2000; ++i) channels.push_back(std::to_string(i));
  for (int round = 0; round < 5; ++round) {
    int connects = 0;
    int heard = 0;
    Subscription const subscription(io, options, metrics, channels,
                                    {.on_message = [&](std::string_view, std::string_view) { ++heard; },
                                     .on_connect = [&] { ++connects; }});
    ASSERT_TRUE(test::eventually(io, [&] { return connects > 0 && heard > 100; }));
    EXPECT_EQ(connects, 1);
  }
}

TEST_F(SubscriptionTest, a_blocking_read_outlives_the_timeout_while_it_waits) {
  options.timeout = 100ms;
  auto const connection = dedicated(io, options, metrics);
  std::array<std::string_view, 3> const args{"BLPOP", "queue", "0.5"};
  auto const patient = test::run(io, connection->send(args, {.timeout = 0ms}));
  EXPECT_EQ(patient.delivery, Delivery::answered);
  EXPECT_TRUE(patient.reply.is_nil());
  auto const impatient = test::run(io, connection->send(args));
  EXPECT_EQ(impatient.delivery, Delivery::unknown);
}

TEST_F(SubscriptionTest, closing_ends_what_is_in_flight) {
  auto connection = dedicated(io, options, metrics);
  std::array<std::string_view, 3> const block{"BLPOP", "queue", "0"};
  std::optional<Delivery> delivery;
  asio::co_spawn(
      io, [&]() -> Task<void> { delivery = (co_await connection->send(block)).delivery; }, asio::detached);
  ASSERT_TRUE(test::eventually(io, [&] { return server.stat("blocked_clients") == 1; }));
  connection.reset();
  EXPECT_FALSE(delivery.has_value());  // the coroutine is not resumed inside the call
  ASSERT_TRUE(test::eventually(io, [&] { return delivery.has_value(); }));
  EXPECT_EQ(*delivery, Delivery::unknown);
}

TEST_F(SubscriptionTest, a_shorter_timeout_counts_even_after_a_longer_one) {
  options.timeout = std::chrono::hours(1);
  auto const connection = dedicated(io, options, metrics);
  std::array<std::string_view, 1> const ping{"PING"};
  std::array<std::string_view, 3> const block{"BLPOP", "queue", "0"};
  EXPECT_EQ(test::run(io, connection->send(ping)).delivery, Delivery::answered);
  EXPECT_EQ(test::run(io, connection->send(block, {.timeout = 50ms})).delivery, Delivery::unknown);
}

}  // namespace
}  // namespace larder::redis
