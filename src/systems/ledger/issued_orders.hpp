// Order numbers that the ledger issues, and their age.
//
// A number is "<n>:<shard>". The counter `<type>:<shard>:score_sn` counts n up. For every hour in which a
// shard issues a number, the hash `<type>:<shard>:score_sn_hours` keeps a mark: the first n of that hour. So
// the age of any number is known, although the numbers themselves are not kept.
#pragma once

#include "base/random.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <map>
#include <unordered_map>

namespace larder::ledger {

// Every type has its own shards of order numbers, so a number is also unique across types.
inline constexpr std::int64_t shards_per_type = 1000;

// Thread-compatible: one per io thread.
class IssuedOrders {
 public:
  IssuedOrders(redis::Redis& redis, std::int64_t shards) : redis_(redis), shards_(shards) {}

  // Returns a number that was never issued before.
  Task<OrderId> issue(ScoreType const& type, TimeMs now);

  // Whether the order was issued and may be older than `order_age_days_max`, or older than orders of this
  // type are remembered. Nobody could tell whether such an order was used. The age is never underestimated,
  // and at most an hour overestimated. Orders that were not issued have no age, so they are never too old.
  Task<bool> is_too_old(OrderId const& order, ScoreType const& type, TimeMs now);

 private:
  using Marks = std::map<std::int64_t, std::int64_t>;  // first n -> hour

  struct Number {
    std::int64_t n = 0;
    std::int64_t shard = 0;
  };
  std::optional<Number> parse(OrderId const& order, TypeId type) const;
  Task<void> mark(ScoreType const& type, std::int64_t shard, TimeMs now);
  Task<Marks> load(TypeId type, std::int64_t shard);

  redis::Redis& redis_;
  std::int64_t shards_;
  Random random_{random_seed()};
  std::unordered_map<std::int64_t, std::int64_t> marked_;  // the last hour that this object marked, by shard
  std::unordered_map<std::int64_t, Marks> marks_;          // the marks that are known so far, by shard
};

}  // namespace larder::ledger
