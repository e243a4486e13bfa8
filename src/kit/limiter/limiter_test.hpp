// Buckets on a separate Redis. Every call gets its time as an argument.
#pragma once

#include "kit/limiter/limiter.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::limiter {

inline constexpr std::int64_t start = 1'700'000'000'123;

inline void PrintTo(Level const& level, std::ostream* out) {
  *out << fmt::format("{} tokens, ready {:+}, full {:+}", level.tokens, level.ready_at.value - start,
                      level.full_at.value - start);
}

class LimiterTest : public testing::Test {
 protected:
  explicit LimiterTest(test::RedisServer::Options options = {}) : server(std::move(options)) {}

  // Times are in ms after `start`.
  Task<Taken> begin_take(Rule const& rule, std::int64_t cost, std::int64_t at) {
    return limiter.take({{.name = "{t}:b", .rule = rule, .cost = cost}}, {start + at});
  }
  Taken take(std::vector<Bucket> buckets, std::int64_t at) {
    return test::run(io, limiter.take(std::move(buckets), {start + at}));
  }
  Taken take(Rule const& rule, std::int64_t cost, std::int64_t at) {
    return take({{.name = "{t}:b", .rule = rule, .cost = cost}}, at);
  }
  Level peek(Rule const& rule, std::int64_t at) {
    return test::run(io, limiter.peek({{.name = "{t}:b", .rule = rule}}, {start + at})).at(0);
  }
  std::int64_t refund(Rule const& rule, std::int64_t cost, std::int64_t taken_at, std::int64_t at) {
    return test::run(io, limiter.refund({{.name = "{t}:b", .rule = rule, .cost = cost}}, {start + taken_at},
                                        {start + at}))
        .at(0);
  }
  static Level level(std::int64_t tokens, std::int64_t ready_at, std::int64_t full_at) {
    return {.tokens = tokens, .ready_at = {start + ready_at}, .full_at = {start + full_at}};
  }
  // Every key with its value and the time when it expires.
  std::string everything() const {
    return server.cli({"EVAL",
                       "local keys = redis.call('KEYS', '*') table.sort(keys) local all = {} "
                       "for _, key in ipairs(keys) do all[#all + 1] = key .. '=' .. redis.call('GET', key) "
                       ".. '@' .. redis.call('PEXPIRETIME', key) end return all",
                       "0"});
  }
  std::string get(std::string const& key) const { return server.cli({"GET", key}); }
  std::int64_t ttl_ms(std::string const& key) const { return std::stoll(server.cli({"PTTL", key})); }
  void forget() { server.cli({"FLUSHALL"}); }

  test::RedisServer server;
  asio::io_context io;
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics};
  Limiter limiter{redis};
};

}  // namespace larder::limiter
