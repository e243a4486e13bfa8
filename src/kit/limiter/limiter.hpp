// Token buckets in Redis: they limit how often something may happen.
//
//   limiter::Limiter limiter(redis);
//   limiter::Bucket const bucket{.name = "{k1}:calls", .rule = {.tokens = 100, .seconds = 60}};
//   auto const taken = co_await limiter.take({bucket}, now);
//   if (!taken) ... wait until taken.levels[0].ready_at
//
// A bucket is full at first. It has two keys, `<name>:last_reset` and `<name>:tokens`; see bucket.lua. Both
// expire about a minute after the bucket is full, and a full bucket needs no keys. The tokens are computed
// when somebody looks, in whole numbers, so nothing drifts, however long a bucket is used.
#pragma once

#include "base/limits.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"

#include <string>
#include <vector>

namespace larder::limiter {

enum class Refill {
  interval,    // full again `seconds` after the last reset, which is the first take from a full bucket
  continuous,  // one token after the other, `tokens` of them in `seconds`
};

// `tokens` is from 1 to limits::bucket_tokens_max, `seconds` from 1 to limits::bucket_seconds_max. If the
// rule of a bucket changes, the bucket keeps as many of its tokens as fit, and continues by the new rule.
struct Rule {
  std::int64_t tokens = 1;
  std::int64_t seconds = 1;
  Refill refill = Refill::interval;
  friend bool operator==(Rule const&, Rule const&) = default;
};

struct Bucket {
  std::string name;
  Rule rule;
  std::int64_t cost = 1;  // 0 to rule.tokens; 0: only look at the bucket
};

// The state of a bucket after a call, and its future if nobody takes tokens.
struct Level {
  std::int64_t tokens = 0;  // whole tokens
  TimeMs ready_at;          // when `cost` tokens are available again; the call's time if they are now
  TimeMs full_at;           // the call's time if the bucket is full
  friend bool operator==(Level const&, Level const&) = default;
};

struct Taken {
  bool taken = false;
  std::vector<Level> levels = {};  // one for each bucket
  explicit operator bool() const { return taken; }
};

// Thread-compatible, like the Redis it uses. The buckets of one call must have different names and, on a
// cluster, share a hash tag: {k1}:calls. Rules and costs must be in range; anything else is a bug.
//
// The clocks of servers may differ by up to a minute: a bucket follows the clock that is furthest
// ahead. Throws what Redis throws. If the outcome is unknown, the tokens may have been taken; the call
// is not repeated.
class Limiter {
 public:
  explicit Limiter(redis::Redis& redis) : redis_(redis) {}

  // Takes the cost from every bucket. If one bucket has too few tokens, takes nothing and writes nothing.
  Task<Taken> take(std::vector<Bucket> buckets, TimeMs now);
  // The levels of the buckets, as if every cost were 0. Writes nothing.
  Task<std::vector<Level>> peek(std::vector<Bucket> buckets, TimeMs now);
  // Gives back the tokens of a take at `taken_at`; call it only once for a take. Returns how many tokens each
  // bucket got. A bucket that was reset since then, or is full, gets nothing. A continuous bucket gets only
  // the tokens that have not come by themselves since then, because it may have been full meanwhile.
  Task<std::vector<std::int64_t>> refund(std::vector<Bucket> buckets, TimeMs taken_at, TimeMs now);

 private:
  Task<Taken> look(redis::Use use, std::vector<Bucket> buckets, TimeMs now);

  redis::Redis& redis_;
};

}  // namespace larder::limiter
