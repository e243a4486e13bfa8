#include "edges/api/accounts/attempts.hpp"

#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

namespace larder::api {
namespace {

class AttemptsTest : public testing::Test {
 protected:
  // "ok", or how long to wait.
  std::string outcome(Result<Attempt> const& attempt) {
    if (attempt) return "ok";
    EXPECT_EQ(attempt.error().code.name, "rate_limited");
    return json::serialize(attempt.error().more);
  }
  std::string log_in(std::string name, std::string sender) {
    return outcome(test::run(io, attempts.to_log_in(std::move(name), std::move(sender))));
  }
  std::string sign_up(std::string sender) {
    return outcome(test::run(io, attempts.to_register(std::move(sender))));
  }

  test::RedisServer server;
  asio::io_context io;
  Metrics metrics;
  TestClock clock{{1'767'225'600'000}};
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics};
  Attempts attempts{redis, clock};
};

TEST_F(AttemptsTest, ten_for_a_name_in_ten_minutes) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(log_in("ada", fmt::format("10.0.0.{}", i)), "ok");
  clock.advance(1);
  EXPECT_EQ(log_in("ada", "10.0.0.99"), R"({"retry_after_s":600})");
  EXPECT_EQ(log_in("bea", "10.0.0.99"), "ok");
  clock.advance(599'998);
  EXPECT_EQ(log_in("ada", "10.0.0.99"), R"({"retry_after_s":1})");
  clock.advance(1);
  EXPECT_EQ(log_in("ada", "10.0.0.99"), "ok");
}

TEST_F(AttemptsTest, a_hundred_from_an_address_in_ten_minutes) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(log_in(fmt::format("name{}", i), "10.0.0.1"), "ok");
  EXPECT_EQ(log_in("ada", "10.0.0.1"), R"({"retry_after_s":600})");
  EXPECT_EQ(log_in("ada", "10.0.0.2"), "ok");
}

TEST_F(AttemptsTest, what_is_refused_takes_nothing_from_the_other_bucket) {
  for (int i = 0; i < 10; ++i) log_in("ada", "10.0.0.1");
  for (int i = 0; i < 200; ++i) log_in("ada", "10.0.0.1");
  for (int i = 0; i < 90; ++i) EXPECT_EQ(log_in(fmt::format("name{}", i), "10.0.0.1"), "ok");
}

TEST_F(AttemptsTest, only_failures_count) {
  for (int i = 0; i < 50; ++i) {
    auto attempt = test::run(io, attempts.to_log_in("ada", "10.0.0.1"));
    ASSERT_TRUE(attempt);
    test::run(io, attempts.forgive(std::move(*attempt)));
  }
  EXPECT_EQ(server.cli({"DBSIZE"}), "0");
}

TEST_F(AttemptsTest, three_hundred_registrations_from_an_address_in_an_hour) {
  for (int i = 0; i < 300; ++i) EXPECT_EQ(sign_up("10.0.0.1"), "ok");
  EXPECT_EQ(sign_up("10.0.0.1"), R"({"retry_after_s":3600})");
  EXPECT_EQ(sign_up("10.0.0.2"), "ok");
  EXPECT_EQ(log_in("ada", "10.0.0.1"), "ok");
}

TEST_F(AttemptsTest, names_and_addresses_are_not_in_redis) {
  log_in("ada", "10.0.0.1");
  sign_up("10.0.0.1");
  auto const keys = server.cli({"KEYS", "*"});
  EXPECT_EQ(keys.find("ada"), std::string::npos);
  EXPECT_EQ(keys.find("10.0.0.1"), std::string::npos);
}

TEST_F(AttemptsTest, without_redis_nothing_has_happened) {
  server.stop();
  try {
    log_in("ada", "10.0.0.1");
    FAIL();
  } catch (StoreError const& error) {
    EXPECT_FALSE(error.outcome_unknown());
  }
}

TEST(Sender, is_an_address_or_a_network_of_ipv6) {
  struct Case {
    std::string_view peer;
    std::string_view forwarded;
    bool behind_proxy;
    std::string_view expected;
  };
  Case const cases[] = {
      {"10.0.0.1", "", false, "10.0.0.1"},
      {"10.0.0.1", "10.9.9.9", false, "10.0.0.1"},
      {"10.0.0.1", "10.9.9.9", true, "10.9.9.9"},
      {"10.0.0.1", "1.1.1.1, 10.9.9.9 ", true, "10.9.9.9"},
      {"10.0.0.1", "", true, "10.0.0.1"},
      {"10.0.0.1", "x", true, "x"},
      {"10.0.0.1", "10.9.9.9:2000", true, "10.9.9.9"},
      {"10.0.0.1", "1.1.1.1:1, [2001:db8:1:2:3:4:5:6]:2000", true, "2001:db8:1:2::"},
      {"10.0.0.1", "[2001:db8:1:2:3:4:5:6]", true, "2001:db8:1:2::"},
      {"10.0.0.1", "2001:db8:1:2:3:4:5:6", true, "2001:db8:1:2::"},
      {"10.0.0.1", "[", true, "10.0.0.1"},
      {"2001:db8:1:2:3:4:5:6", "", false, "2001:db8:1:2::"},
      {"2001:db8:1:2:ffff::", "", false, "2001:db8:1:2::"},
      {"::ffff:10.0.0.1", "", false, "10.0.0.1"},
      {"::1", "", false, "::"},
  };
  for (auto const& [peer, forwarded, behind_proxy, expected] : cases) {
    http::Request request;
    request.peer = peer;
    if (!forwarded.empty()) request.headers.add("X-Forwarded-For", forwarded);
    EXPECT_EQ(sender_of(request, behind_proxy), expected);
  }
}

TEST(Sender, is_in_the_last_of_several_fields) {
  http::Request request;
  request.peer = "127.0.0.1";
  request.headers.add("X-Forwarded-For", "10.9.9.9, 10.9.9.8");
  request.headers.add("X-Forwarded-For", "10.0.0.1");
  EXPECT_EQ(sender_of(request, true), "10.0.0.1");
}

}  // namespace
}  // namespace larder::api
