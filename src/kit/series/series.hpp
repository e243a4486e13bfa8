// Time series in Redis: they show how a number changed during the last week.
//
//   series::Series series(redis);
//   co_await series.append({{"user:1:ts_coins", 120}, {"user:1:ts_pizzas", 7}}, now);
//   auto const hours =
//       co_await series.read("user:1:ts_coins", {.from = now + -day_ms, .to = now, .stretch_ms = 3'600'000});
//
// A series keeps the points of the last hour as they came, the last day in summaries of 5 minutes, and the
// last week in summaries of an hour. "Last" means before the newest point of the series. A summary has the
// count, the sum, the minimum, the maximum and the last value of its points, so every average is exactly the
// average of the points. A series is one hash of packed strings; series.lua describes the format. The script
// of a system can include series.lua, to append a point in the same step as the change that the point is
// about.
#pragma once

#include "base/task.hpp"
#include "kit/series/blocks.hpp"
#include "stores/redis/redis.hpp"

#include <string>
#include <vector>

namespace larder::series {

// A point for one series. The value is from 0 to limits::amount_max.
struct Value {
  std::string key;
  std::int64_t value = 0;
};

// Time is divided into stretches of stretch_ms (at least 1), counted from 1970. The answer has the stretch
// that contains `from` and all later stretches that begin before `to`. No stretch is cut off.
struct Query {
  TimeMs from;
  TimeMs to;
  std::int64_t stretch_ms = 3'600'000;
};

// Groups the summaries of a series; `kept` must be in the order of time. Stretches without a point are left
// out. A summary counts at its beginning. So averages are exactly those of the points if stretch_ms is a
// multiple of the width of every summary.
std::vector<Summary> regroup(std::vector<Summary> const& kept, Query const& query);

// Thread-compatible, like the Redis it uses. Throws what Redis throws. If a series is corrupt, throws
// redis::ReplyError with the key and the field.
class Series {
 public:
  explicit Series(redis::Redis& redis) : redis_(redis) {}

  // Adds a point to each of these series, all or none. The keys must be different and, on a cluster, share a
  // hash tag. Several points with the same time all count. The clocks of servers differ, so a point that is
  // older than the newest point counts at the time of the newest point. If the outcome is unknown, the points
  // may have been added; the call is not repeated.
  Task<void> append(std::vector<Value> values, TimeMs at);
  // A missing series is empty.
  Task<std::vector<Summary>> read(std::string key, Query query);

 private:
  Task<redis::Reply> read_fields(std::string const& key);

  redis::Redis& redis_;
};

}  // namespace larder::series
