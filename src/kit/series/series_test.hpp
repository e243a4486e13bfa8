// Series on a separate Redis.
#pragma once

#include "base/limits.hpp"
#include "kit/series/series.hpp"
#include "series_test_scripts.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::series {

inline constexpr std::int64_t second = 1000;
inline constexpr std::int64_t minute = 60 * second;
inline constexpr std::int64_t hour = 60 * minute;
inline constexpr std::int64_t week = 7 * day_ms;
inline constexpr std::int64_t start = 19'675 * day_ms;  // the beginning of a day
inline constexpr std::int64_t most = limits::amount_max;

inline void PrintTo(Summary const& summary, std::ostream* out) {
  *out << fmt::format("{:+}: {} points, average {}, {} to {}, last {}", summary.at.value - start,
                      summary.count, summary.average(), summary.min, summary.max, summary.last);
}

inline Summary summary_of(std::int64_t at, std::vector<std::int64_t> const& values) {
  Summary summary{.at = {start + at}, .min = values.at(0), .max = values.at(0), .last = values.back()};
  for (auto const value : values) {
    ++summary.count;
    summary.sum += Sum(value);
    summary.min = std::min(summary.min, value);
    summary.max = std::max(summary.max, value);
  }
  return summary;
}

class SeriesTest : public testing::Test {
 protected:
  using Summaries = std::vector<Summary>;
  using Texts = std::vector<std::string>;

  explicit SeriesTest(test::RedisServer::Options options = {}) : server(std::move(options)) {}

  // Times are in ms after `start`.
  void append(std::int64_t at, std::int64_t value) {
    test::run(io, series.append({{.key = key, .value = value}}, {start + at}));
  }
  Summaries read(std::int64_t stretch_ms = 1) {
    return test::run(io, series.read(key, {.from = {}, .to = {most}, .stretch_ms = stretch_ms}));
  }
  Summaries read(std::int64_t from, std::int64_t to, std::int64_t stretch_ms) {
    return test::run(
        io, series.read(key, {.from = {start + from}, .to = {start + to}, .stretch_ms = stretch_ms}));
  }
  std::string cli(Texts const& words) const { return server.cli(words); }
  // Runs series.lua, followed by `text`.
  std::string run_lua(std::string const& text, Texts const& args = {}) const {
    Texts words{"EVAL", std::string(lua::series.text()) + text, "1", key};
    words.insert(words.end(), args.begin(), args.end());
    return cli(words);
  }
  std::int64_t memory() const { return std::stoll(cli({"MEMORY", "USAGE", key, "SAMPLES", "0"})); }
  // The message of the ReplyError that the call throws, or "nothing".
  template <class F>
  std::string failure(F call) {
    try {
      call();
    } catch (redis::ReplyError const& error) {
      return error.what();
    }
    return "nothing";
  }

  std::string const key = "user:1:ts_coins";
  test::RedisServer server;
  asio::io_context io;
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics};
  Series series{redis};
};

}  // namespace larder::series
