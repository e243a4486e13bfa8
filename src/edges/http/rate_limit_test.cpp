#include "edges/http/rate_limit.hpp"

#include "edges/http/test_server.hpp"
#include "support/redis_servers.hpp"

#include <gtest/gtest.h>

namespace larder::http::test {

using larder::test::RedisServer;

namespace {

constexpr std::string_view ledger = "Authorization: Bearer ledger\r\n";
constexpr std::string_view admin = "Authorization: Bearer admin\r\n";
constexpr std::string_view secret = "/v1/ledger/secret";

// The status and the header fields of a reply, in one line.
std::string said(Reply const& reply) {
  return fmt::format("{} {} {} {}", reply.status, reply.header("RateLimit-Policy"), reply.header("RateLimit"),
                     reply.header("Retry-After"));
}

class RateLimitTest : public testing::Test {
 protected:
  RedisServer redis;
  TestClock clock{{1'700'000'000'000}};
  limiter::Rule rule{.tokens = 2, .seconds = 5, .refill = limiter::Refill::continuous};
  TestServer server{{}, 2, RateSetup{.redis_url = redis.url(), .rule = rule, .clock = clock}};
  Client client{server.endpoint()};
};

TEST_F(RateLimitTest, every_answer_tells_what_is_left_and_the_last_one_when_to_come_back) {
  EXPECT_EQ(said(client.get(secret, ledger)), R"(200 "requests";q=2;w=5 "requests";r=1;t=3 )");
  EXPECT_EQ(said(client.get(secret, ledger)), R"(200 "requests";q=2;w=5 "requests";r=0;t=5 )");
  auto const refused = client.get(secret, ledger);
  EXPECT_EQ(said(refused), R"(429 "requests";q=2;w=5 "requests";r=0;t=3 3)");
  EXPECT_EQ(refused.code(), "rate_limited");
  EXPECT_EQ(refused.json().at("retry_after_s"), 3);
  EXPECT_EQ(refused.header("Content-Type"), "application/problem+json");
}

TEST_F(RateLimitTest, another_connection_and_thread_makes_no_difference) {
  int answered = 0;
  for (int i = 0; i < 20; ++i)
    answered += Client(server.endpoint()).get(secret, ledger).status == 200 ? 1 : 0;
  EXPECT_EQ(answered, 2);
}

TEST_F(RateLimitTest, tokens_come_back_one_by_one) {
  for (int i = 0; i < 2; ++i) EXPECT_EQ(client.get(secret, ledger).status, 200);
  clock.advance(2499);
  EXPECT_EQ(said(client.get(secret, ledger)), R"(429 "requests";q=2;w=5 "requests";r=0;t=1 1)");
  clock.advance(1);
  EXPECT_EQ(said(client.get(secret, ledger)), R"(200 "requests";q=2;w=5 "requests";r=0;t=5 )");
  EXPECT_EQ(client.get(secret, ledger).status, 429);
}

TEST_F(RateLimitTest, other_keys_and_other_routes_have_their_own) {
  for (int i = 0; i < 3; ++i) client.get(secret, ledger);
  EXPECT_EQ(client.get(secret, ledger).status, 429);
  EXPECT_EQ(client.get(secret, admin).header("RateLimit"), R"("requests";r=1;t=3)");
  EXPECT_EQ(client.post("/v1/ledger/entries", "{}", ledger).header("RateLimit"), R"("requests";r=1;t=3)");
}

TEST_F(RateLimitTest, refusals_of_the_handler_are_counted_too) {
  EXPECT_EQ(said(client.post("/v1/ledger/entries", "{", ledger)),
            R"(400 "requests";q=2;w=5 "requests";r=1;t=3 )");
}

TEST_F(RateLimitTest, who_needs_no_token_or_has_none_is_not_counted) {
  for (int i = 0; i < 5; ++i) {
    for (std::string_view const path :
         {"/livez", "/healthz", "/readyz", "/openapi.json", "/metrics", "/hello"}) {
      EXPECT_EQ(said(client.get(path)), "200   ") << path;
    }
    EXPECT_EQ(said(client.get(secret)), "401   ");
    EXPECT_EQ(said(client.get("/v1/economy/secret", ledger)), "403   ");
  }
  EXPECT_EQ(redis.cli({"DBSIZE"}), "0");
}

TEST_F(RateLimitTest, its_keys_say_whose_they_are_and_go_by_themselves) {
  client.get(secret, ledger);
  EXPECT_EQ(redis.cli({"DBSIZE"}), "2");
  EXPECT_EQ(redis.cli({"GET", "larder:rate:{k1}:get_secret:tokens"}), "1");
  EXPECT_GT(std::stoll(redis.cli({"PTTL", "larder:rate:{k1}:get_secret:last_reset"})), 0);
}

TEST_F(RateLimitTest, without_redis_the_answer_is_503_and_nothing_has_happened) {
  redis.stop();
  auto const reply = client.get(secret, ledger);
  EXPECT_EQ(said(reply), "503   1");
  EXPECT_EQ(reply.code(), "store_unavailable");
  EXPECT_EQ(reply.json().at("outcome_unknown"), false);
  EXPECT_EQ(client.get("/livez").status, 200);
}

TEST_F(RateLimitTest, an_answer_of_redis_that_is_lost_leaves_nothing_unknown_of_the_request) {
  EXPECT_EQ(client.get(secret, ledger).status, 200);
  redis.pause();
  auto const reply = client.get(secret, ledger);
  redis.resume();
  EXPECT_EQ(reply.code(), "store_unavailable");
  EXPECT_EQ(reply.json().at("outcome_unknown"), false);
}

TEST(RateLimitOff, there_are_no_headers_and_no_limit) {
  TestServer server;
  Client client(server.endpoint());
  for (int i = 0; i < 200; ++i) ASSERT_EQ(said(client.get(secret, ledger)), "200   ");
}

}  // namespace

}  // namespace larder::http::test
