// Token buckets in Redis: how often something may happen.
//
//   limiter::Limiter limiter(redis);
//   limiter::Bucket const bucket{.name = "{k1}:calls", .rule = {.tokens = 100, .seconds = 60}};
//   auto const taken = co_await limiter.take({bucket}, now);
//   if (!taken) ... wait until taken.levels[0].ready_at
//
// A bucket is full at first. It is two keys, `<name>:last_reset` and `<name>:tokens`, see bucket.lua; both go
// by themselves about a minute after it is full, and a full one has none. What it has is counted when
// somebody looks, in whole numbers: nothing drifts, however long it is used.
#pragma once

#include "base/limits.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"

#include <string>
#include <vector>

namespace larder::limiter {

enum class Refill {
  interval,    // full again when `seconds` are over since the last reset: the first take out of a full bucket
  continuous,  // one token after the other, `tokens` of them in `seconds`
};

// Both from 1 to limits::bucket_tokens_max and limits::bucket_seconds_max. A bucket whose rule has changed
// keeps the tokens it has, as many as fit, and goes on by the new rule.
struct Rule {
  std::int64_t tokens = 1;
  std::int64_t seconds = 1;
  Refill refill = Refill::interval;
  friend bool operator==(Rule const&, Rule const&) = default;
};

struct Bucket {
  std::string name;
  Rule rule;
  std::int64_t cost = 1;  // 0 to rule.tokens; 0: it is only looked at
};

// What a bucket has after the call, and will have if nobody takes any.
struct Level {
  std::int64_t tokens = 0;  // whole ones
  TimeMs ready_at;  // when it has its cost, after a take: once more; the time of the call if it has it now
  TimeMs full_at;   // the time of the call if it is full
  friend bool operator==(Level const&, Level const&) = default;
};

struct Taken {
  bool taken = false;
  std::vector<Level> levels = {};  // of each bucket
  explicit operator bool() const { return taken; }
};

// The buckets of one call have different names and, on a cluster, share a hash tag: {k1}:calls. Their rules
// and costs are in range; anything else is a bug.
//
// Clocks of servers may differ by a minute: a bucket follows the one that is furthest ahead.
// Thread-compatible, like the Redis it uses. Throws what Redis throws; if the outcome is unknown, the tokens
// may have been taken, and the call is not repeated.
class Limiter {
 public:
  explicit Limiter(redis::Redis& redis) : redis_(redis) {}

  // Takes the cost out of every bucket, or nothing if one has too few: then nothing is written, either.
  Task<Taken> take(std::vector<Bucket> buckets, TimeMs now);
  // What is there, as if every cost were 0. Writes nothing.
  Task<std::vector<Level>> peek(std::vector<Bucket> buckets, TimeMs now);
  // Gives back what a take at `taken_at` took, once: how many tokens each bucket got. None if it was reset
  // since then or is full; a continuous one gets only what has not come by itself since then, as it may have
  // been full meanwhile.
  Task<std::vector<std::int64_t>> refund(std::vector<Bucket> buckets, TimeMs taken_at, TimeMs now);

 private:
  Task<Taken> look(redis::Use use, std::vector<Bucket> buckets, TimeMs now);

  redis::Redis& redis_;
};

}  // namespace larder::limiter
