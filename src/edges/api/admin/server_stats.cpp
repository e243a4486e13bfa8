#include "edges/api/admin/server_stats.hpp"

#include "base/number.hpp"
#include "base/when_all.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace larder::api {

namespace {

using Steady = std::chrono::steady_clock;

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
constexpr RedisNumbers silent{.memory_bytes = not_measured, .commands = not_measured};

std::int64_t slot_now() { return Steady::now().time_since_epoch() / StatRings::every; }

double sum_of(std::vector<std::pair<Metrics::Labels, double>> const& values) {
  double sum = 0;
  for (auto const& [labels, value] : values) sum += value;
  return sum;
}

double largest_of(std::vector<std::pair<Metrics::Labels, double>> const& values) {
  double largest = 0;
  for (auto const& [labels, value] : values) largest = std::max(largest, value);
  return largest;
}

bool is_error(Metrics::Labels const& labels) {
  auto const status = labels.find("status");
  return status != labels.end() && status->second.starts_with('5');
}

// The number after "<name>:" at the start of a line.
double number_in(std::string_view info, std::string_view name) {
  for (auto at = info.find(name); at != std::string_view::npos; at = info.find(name, at + 1)) {
    bool const is_line = at == 0 || info[at - 1] == '\n';
    auto const rest = info.substr(at + name.size());
    if (!is_line || !rest.starts_with(':')) continue;
    auto const number = parse_int(rest.substr(1, rest.find_first_of("\r\n") - 1));
    return number ? double(*number) : not_measured;
  }
  return not_measured;
}

// A Redis that is away has no numbers.
Task<RedisNumbers> numbers_of(redis::Redis* redis) {
  if (!redis) co_return silent;
  std::vector<std::string> answers;
  try {
    co_await redis->ask_masters({"INFO"}, [&](redis::Endpoint const&, redis::ReplyView answer) {
      answers.emplace_back(answer.text());
    });
  } catch (std::exception const&) {
    co_return silent;
  }
  co_return read_info(answers);
}

// Per second. A counter that has become smaller belongs to a Redis that was started again.
double rate(double before, double now, double elapsed_s) {
  return now < before ? not_measured : (now - before) / elapsed_s;
}

std::map<double, double> since(std::map<double, double> const& before, std::map<double, double> now) {
  for (auto const& [bound, count] : before) now[bound] -= count;
  return now;
}

double count_of(std::map<double, double> const& buckets) {
  double count = 0;
  for (auto const& [bound, values] : buckets) count += values;
  return count;
}

}  // namespace

StatSample no_sample() {
  StatSample none;
  none.fill(not_measured);
  return none;
}

void StatRings::add(std::int64_t slot, TimeMs at, StatSample const& sample) {
  std::scoped_lock const lock(mutex_);
  if (last_ < 0) first_ = slot;
  if (last_ >= slot) return;
  auto const missed_from = last_ < 0 ? slot : std::max(last_ + 1, slot - kept + 1);
  for (auto missed = missed_from; missed < slot; ++missed) ring_[std::size_t(missed % kept)] = no_sample();
  ring_[std::size_t(slot % kept)] = sample;
  last_ = slot;
  until_ = at;
}

StatRings::Window StatRings::newest(std::int64_t count) const {
  Window window;
  std::scoped_lock const lock(mutex_);
  if (last_ < 0) return window;
  window.until = until_;
  auto const from = std::max(first_, last_ - std::min(count, kept) + 1);
  for (auto slot = from; slot <= last_; ++slot) window.samples.push_back(ring_[std::size_t(slot % kept)]);
  return window;
}

RedisNumbers read_info(std::vector<std::string> const& answers) {
  if (answers.empty()) return silent;
  RedisNumbers sum{.memory_bytes = 0, .commands = 0};
  for (auto const& answer : answers) {
    sum.memory_bytes += number_in(answer, "used_memory");
    sum.commands += number_in(answer, "total_commands_processed");
  }
  return sum;
}

double quantile(std::map<double, double> const& buckets, double share) {
  auto const wanted = share * count_of(buckets);
  if (!(wanted > 0)) return not_measured;
  double below = 0;
  double low = 0;
  for (auto const& [bound, count] : buckets) {
    if (count > 0 && below + count >= wanted) {
      return std::isinf(bound) ? low : low + (bound - low) * (wanted - below) / count;
    }
    below += count;
    if (!std::isinf(bound)) low = bound;
  }
  return low;
}

StatSampler::StatSampler(asio::io_context& io, Metrics const& metrics, Clock const& clock,
                         redis::Redis& redis, redis::Redis* cache_redis)
    : metrics_(metrics), clock_(clock), redis_(redis), cache_redis_(cache_redis), tasks_(io) {}

void StatSampler::start() { tasks_.spawn(run()); }

Task<void> StatSampler::run() {
  before_ = co_await count();
  while (!tasks_.stopping()) {
    auto const next = Steady::time_point((slot_now() + 1) * StatRings::every);
    co_await tasks_.sleep(std::chrono::ceil<std::chrono::milliseconds>(next - Steady::now()));
    if (tasks_.stopping()) co_return;
    auto const slot = slot_now();
    auto const sample = co_await take();
    rings_.add(slot, clock_.unchecked(), sample);
  }
}

Task<StatSampler::Counted> StatSampler::count() {
  std::vector<Task<RedisNumbers>> asked;
  asked.push_back(numbers_of(&redis_));
  asked.push_back(numbers_of(cache_redis_));
  auto const numbers = co_await when_all(std::move(asked));
  Counted counted{.at = Steady::now(),
                  .sql_errors = sum_of(metrics_.counters("larder_sql_errors_total")),
                  .request_seconds = metrics_.buckets("larder_http_request_seconds"),
                  .sql_seconds = metrics_.buckets("larder_sql_seconds"),
                  .redis = numbers[0],
                  .cache_redis = numbers[1]};
  for (auto const& [labels, value] : metrics_.counters("larder_http_requests_total")) {
    counted.requests += value;
    if (is_error(labels)) counted.errors += value;
  }
  co_return counted;
}

Task<StatSample> StatSampler::take() {
  auto const now = co_await count();
  auto const before = std::exchange(before_, now);
  auto const elapsed_s = std::chrono::duration<double>(now.at - before.at).count();
  auto sample = no_sample();
  auto const put = [&](Stat stat, double value) { sample[std::size_t(stat)] = value; };
  auto const requests = since(before.request_seconds, now.request_seconds);
  auto const jobs = since(before.sql_seconds, now.sql_seconds);
  put(Stat::requests_per_s, rate(before.requests, now.requests, elapsed_s));
  put(Stat::errors_per_s, rate(before.errors, now.errors, elapsed_s));
  put(Stat::request_p50_s, quantile(requests, 0.5));
  put(Stat::request_p99_s, quantile(requests, 0.99));
  put(Stat::connections, sum_of(metrics_.gauges("larder_http_connections")));
  put(Stat::web_sockets, sum_of(metrics_.gauges("larder_web_sockets")));
  put(Stat::event_listeners, sum_of(metrics_.gauges("larder_event_listeners")));
  put(Stat::outbox_lag_s, largest_of(metrics_.gauges("larder_outbox_lag_seconds")));
  put(Stat::due, sum_of(metrics_.gauges("larder_schedule_due")));
  put(Stat::overdue_s, largest_of(metrics_.gauges("larder_schedule_lag_seconds")));
  put(Stat::dead, sum_of(metrics_.gauges("larder_scheduled_dead")));
  put(Stat::redis_memory_bytes, now.redis.memory_bytes);
  put(Stat::redis_commands_per_s, rate(before.redis.commands, now.redis.commands, elapsed_s));
  put(Stat::cache_redis_memory_bytes, now.cache_redis.memory_bytes);
  put(Stat::cache_redis_commands_per_s,
      rate(before.cache_redis.commands, now.cache_redis.commands, elapsed_s));
  put(Stat::sql_jobs_per_s, count_of(jobs) / elapsed_s);
  put(Stat::sql_errors_per_s, rate(before.sql_errors, now.sql_errors, elapsed_s));
  put(Stat::sql_p50_s, quantile(jobs, 0.5));
  put(Stat::sql_p99_s, quantile(jobs, 0.99));
  co_return sample;
}

}  // namespace larder::api
