// The last hour of this server in numbers: a sample every five seconds, from the metrics that exist anyway
// and from INFO of Redis. Nothing is counted twice on the way of a request.
#pragma once

#include "base/metrics.hpp"
#include "base/task_group.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"

#include <array>
#include <chrono>
#include <mutex>
#include <string_view>
#include <vector>

namespace larder::api {

struct StatSeries {
  std::string_view name;
  std::string_view says;
};

// A rate is the average over the five seconds before its sample, and a quantile is about the same seconds.
enum class Stat : std::size_t {
  requests_per_s,
  errors_per_s,
  request_p50_s,
  request_p99_s,
  connections,
  web_sockets,
  event_listeners,
  outbox_lag_s,
  due,
  overdue_s,
  dead,
  redis_memory_bytes,
  redis_commands_per_s,
  cache_redis_memory_bytes,
  cache_redis_commands_per_s,
  sql_jobs_per_s,
  sql_errors_per_s,
  sql_p50_s,
  sql_p99_s,
};
inline constexpr std::array<StatSeries, 19> stat_series = {{
    {"requests_per_s", "HTTP requests answered"},
    {"errors_per_s", "HTTP requests answered with a status of 500 or above"},
    {"request_p50_s", "half of the requests were answered in this time; null: there were none"},
    {"request_p99_s", "99 % of the requests were answered in this time"},
    {"connections", "open HTTP connections"},
    {"web_sockets", "open WebSockets"},
    {"event_listeners", "clients that listen to /v1/events"},
    {"outbox_lag_s", "age of the oldest event that is not yet in SQL"},
    {"due", "members of due sets that are due and that nobody has claimed"},
    {"overdue_s", "for how long the oldest of them has been due"},
    {"dead", "members that failed too often and wait for a person"},
    {"redis_memory_bytes", "memory of the main Redis; of a cluster, of all masters"},
    {"redis_commands_per_s", "commands that it has run for all its clients"},
    {"cache_redis_memory_bytes", "memory of the Redis of the cache; null: it is the main one"},
    {"cache_redis_commands_per_s", "commands that it has run for all its clients"},
    {"sql_jobs_per_s", "reads and transactions in SQL"},
    {"sql_errors_per_s", "those that failed"},
    {"sql_p50_s", "half of them took at most this time; null: there were none"},
    {"sql_p99_s", "99 % of them took at most this time"},
}};
// In the order of stat_series; NaN: not measured.
using StatSample = std::array<double, stat_series.size()>;
StatSample no_sample();

// A ring for each series. Its memory does not grow: 19 series of 720 numbers are 109 440 bytes. Thread-safe.
class StatRings {
 public:
  static constexpr std::int64_t kept = 720;  // an hour
  static constexpr std::chrono::seconds every{5};

  // `slot` counts periods since any moment. A slot without a sample has no values. A slot that is not later
  // than the last one is ignored.
  void add(std::int64_t slot, TimeMs at, StatSample const& sample);

  struct Window {
    TimeMs until = {};                     // the time of the newest sample
    std::vector<StatSample> samples = {};  // oldest first, `every` apart
  };
  // The newest samples, at most `count`.
  Window newest(std::int64_t count) const;

 private:
  mutable std::mutex mutex_;
  std::vector<StatSample> ring_ = std::vector<StatSample>(std::size_t(kept));
  std::int64_t first_ = 0;  // the first slot that ever had a sample
  std::int64_t last_ = -1;
  TimeMs until_;
};

// What one Redis says about itself; NaN if it does not.
struct RedisNumbers {
  double memory_bytes;
  double commands;  // since it started
};
// Sums the answers of INFO of all masters.
RedisNumbers read_info(std::vector<std::string> const& answers);

// The value below which this share of the values lies. `buckets` are the numbers of values by upper bound.
// Inside a bucket, the values count as evenly spread. NaN if there are none.
double quantile(std::map<double, double> const& buckets, double share);

// Takes the samples. Works on the background thread; rings() may be read on any thread.
class StatSampler {
 public:
  // `cache_redis` may be null. Both must belong to the io_context.
  StatSampler(asio::io_context& io, Metrics const& metrics, Clock const& clock, redis::Redis& redis,
              redis::Redis* cache_redis);

  void start();
  Task<void> stop() { return tasks_.stop(); }
  StatRings const& rings() const { return rings_; }

  // What has happened since the call before.
  Task<StatSample> take();

 private:
  struct Counted {
    std::chrono::steady_clock::time_point at;
    double requests = 0;
    double errors = 0;
    double sql_errors = 0;
    std::map<double, double> request_seconds = {};
    std::map<double, double> sql_seconds = {};
    RedisNumbers redis = {};
    RedisNumbers cache_redis = {};
  };
  Task<void> run();
  Task<Counted> count();

  Metrics const& metrics_;
  Clock const& clock_;
  redis::Redis& redis_;
  redis::Redis* cache_redis_;
  StatRings rings_;
  Counted before_;
  TaskGroup tasks_;
};

}  // namespace larder::api
