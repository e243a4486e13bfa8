#include "edges/api/admin/server_stats.hpp"

#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace larder::api {
namespace {

StatSample sample_of(double requests) {
  auto sample = no_sample();
  sample[0] = requests;
  return sample;
}

// The first series of a window; -1: not measured.
std::vector<double> shown(StatRings::Window const& window) {
  std::vector<double> values;
  for (auto const& sample : window.samples) values.push_back(std::isnan(sample[0]) ? -1 : sample[0]);
  return values;
}

TEST(StatRings, show_the_newest_samples_and_gaps) {
  StatRings rings;
  EXPECT_TRUE(rings.newest(10).samples.empty());
  rings.add(1000, {1}, sample_of(1));
  rings.add(1001, {2}, sample_of(2));
  rings.add(1004, {3}, sample_of(5));
  rings.add(1004, {4}, sample_of(99));  // too late: the slot has its sample
  rings.add(1002, {5}, sample_of(98));
  EXPECT_EQ(shown(rings.newest(100)), (std::vector<double>{1, 2, -1, -1, 5}));
  EXPECT_EQ(shown(rings.newest(2)), (std::vector<double>{-1, 5}));
  EXPECT_EQ(rings.newest(1).until, TimeMs{3});
}

TEST(StatRings, keep_an_hour_and_no_more) {
  StatRings rings;
  for (std::int64_t slot = 0; slot < 2000; ++slot) rings.add(slot, {slot}, sample_of(double(slot)));
  auto const window = rings.newest(10'000);
  ASSERT_EQ(std::int64_t(window.samples.size()), StatRings::kept);
  EXPECT_EQ(window.samples.front()[0], 2000 - double(StatRings::kept));
  EXPECT_EQ(window.samples.back()[0], 1999);
  rings.add(1'000'000, {7}, sample_of(1));  // as after a long sleep of the machine
  auto const values = shown(rings.newest(StatRings::kept));
  EXPECT_EQ(values.size(), std::size_t(StatRings::kept));
  EXPECT_EQ(std::ranges::count(values, -1), StatRings::kept - 1);
}

TEST(Quantile, lies_where_the_share_of_the_values_ends) {
  double const endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  EXPECT_TRUE(std::isnan(quantile({{1, 0}, {endless, 0}}, 0.5)));
  EXPECT_DOUBLE_EQ(quantile({{1, 10}, {2, 0}, {endless, 0}}, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(quantile({{1, 50}, {2, 50}, {endless, 0}}, 0.5), 1);
  EXPECT_DOUBLE_EQ(quantile({{1, 50}, {2, 50}, {endless, 0}}, 0.75), 1.5);
  EXPECT_DOUBLE_EQ(quantile({{1, 1}, {2, 0}, {endless, 99}}, 0.99), 2) << "beyond the last bound";
}

TEST(RedisInfo, is_summed_over_masters) {
  std::string const one =
      "# Memory\r\nused_memory:100\r\nused_memory_rss:7\r\n# Stats\r\ntotal_commands_processed:5\r\n";
  auto const sum = read_info({one, one});
  EXPECT_EQ(sum.memory_bytes, 200);
  EXPECT_EQ(sum.commands, 10);
  EXPECT_TRUE(std::isnan(read_info({}).memory_bytes));
  EXPECT_TRUE(std::isnan(read_info({"other:1\r\n"}).commands));
  EXPECT_TRUE(std::isnan(read_info({"used_memory:x\r\n"}).memory_bytes));
}

class StatSamplerTest : public testing::Test {
 protected:
  double value(StatSample const& sample, Stat stat) { return sample[std::size_t(stat)]; }

  test::RedisServer server;
  asio::io_context io;
  Metrics metrics;
  SystemClock clock;
  redis::Redis redis{
      io,
      {.url = redis::parse_url(server.url()), .timeout = std::chrono::milliseconds(200), .tls_ca = {}},
      metrics};
  StatSampler sampler{io, metrics, clock, redis, nullptr};
};

TEST_F(StatSamplerTest, reads_the_metrics_that_exist) {
  metrics.counter("larder_http_requests_total", "", {{"route", "/a"}, {"status", "200"}}).Increment(5);
  test::run(io, sampler.take());
  metrics.counter("larder_http_requests_total", "", {{"route", "/a"}, {"status", "200"}}).Increment(5);
  metrics.counter("larder_http_requests_total", "", {{"route", "/b"}, {"status", "503"}}).Increment(5);
  for (int i = 0; i < 10; ++i)
    metrics.seconds("larder_http_request_seconds", "", {{"route", "/a"}}).Observe(0.3);
  metrics.gauge("larder_schedule_due", "", {{"schedule", "a"}}).Set(3);
  metrics.gauge("larder_schedule_due", "", {{"schedule", "b"}}).Set(4);
  metrics.gauge("larder_outbox_lag_seconds", "", {{"outbox", "a"}}).Set(2.5);
  metrics.gauge("larder_outbox_lag_seconds", "", {{"outbox", "b"}}).Set(1);
  auto const sample = test::run(io, sampler.take());
  EXPECT_DOUBLE_EQ(value(sample, Stat::requests_per_s), 2 * value(sample, Stat::errors_per_s));
  EXPECT_GT(value(sample, Stat::errors_per_s), 0);
  EXPECT_GT(value(sample, Stat::request_p50_s), 0.25);
  EXPECT_LE(value(sample, Stat::request_p99_s), 0.5);
  EXPECT_EQ(value(sample, Stat::due), 7);
  EXPECT_EQ(value(sample, Stat::outbox_lag_s), 2.5);
  EXPECT_GT(value(sample, Stat::redis_memory_bytes), 100'000);
  EXPECT_GT(value(sample, Stat::redis_commands_per_s), 0);
  EXPECT_TRUE(std::isnan(value(sample, Stat::cache_redis_memory_bytes))) << "there is none";
  EXPECT_TRUE(std::isnan(value(sample, Stat::sql_p99_s))) << "there were no jobs";
  auto const quiet = test::run(io, sampler.take());
  EXPECT_EQ(value(quiet, Stat::requests_per_s), 0);
  EXPECT_TRUE(std::isnan(value(quiet, Stat::request_p50_s)));
}

TEST_F(StatSamplerTest, goes_on_without_redis_and_after_it_has_started_again) {
  test::run(io, sampler.take());
  server.kill();
  metrics.counter("larder_sql_errors_total", "").Increment();
  auto const away = test::run(io, sampler.take());
  EXPECT_TRUE(std::isnan(value(away, Stat::redis_memory_bytes)));
  EXPECT_TRUE(std::isnan(value(away, Stat::redis_commands_per_s)));
  EXPECT_GT(value(away, Stat::sql_errors_per_s), 0);
  server.start();
  EXPECT_TRUE(test::eventually(
      io, [&] { return value(test::run(io, sampler.take()), Stat::redis_memory_bytes) > 0; }));
}

}  // namespace
}  // namespace larder::api
