// Time series in Redis: how a number changed during the last week.
//
//   series::Series series(redis);
//   co_await series.append({{"user:1:ts_coins", 120}, {"user:1:ts_pizzas", 7}}, now);
//   auto const hours =
//       co_await series.read("user:1:ts_coins", {.from = now + -day_ms, .to = now, .stretch_ms = 3'600'000});
//
// A series keeps the points of the last hour as they came, the last day in summaries of 5 minutes, and the
// last week in summaries of an hour. "Last" means: before its newest point. A summary has the count, the sum,
// the lowest, the highest and the last of its points, so every average is exactly the average of the points.
// A series is one hash of packed strings; series.lua says how, and scripts of systems include it to append a
// point together with what the point is about.
#pragma once

#include "base/task.hpp"
#include "kit/series/blocks.hpp"
#include "stores/redis/redis.hpp"

#include <string>
#include <vector>

namespace larder::series {

// A number is whole, from 0 to limits::amount_max.
struct Value {
  std::string key;
  std::int64_t value = 0;
};

// Time is cut into stretches of stretch_ms (at least 1) since 1970. The answer has the stretch that `from`
// lies in and the later ones that begin before `to`, each as a whole.
struct Query {
  TimeMs from;
  TimeMs to;
  std::int64_t stretch_ms = 3'600'000;
};

// Groups what a series keeps; `kept` is in the order of time. Stretches without a point are left out. A
// summary counts at its first moment: averages are those of the points if stretch_ms is a multiple of the
// width of every summary.
std::vector<Summary> regroup(std::vector<Summary> const& kept, Query const& query);

// Thread-compatible, like the Redis it uses. Throws what Redis throws, and redis::ReplyError with the key and
// the field if a series is corrupt.
class Series {
 public:
  explicit Series(redis::Redis& redis) : redis_(redis) {}

  // Adds a point to each of these series, all or none; on a cluster their keys share a hash tag. Points of
  // the same moment all count. A point that is older than the newest point counts at the time of the newest
  // one: clocks of servers differ. If the outcome is unknown, the points may have been added; the call is not
  // repeated.
  Task<void> append(std::vector<Value> values, TimeMs at);
  // A missing series is empty.
  Task<std::vector<Summary>> read(std::string key, Query query);

 private:
  Task<redis::Reply> read_fields(std::string const& key);

  redis::Redis& redis_;
};

}  // namespace larder::series
