// Order numbers that Larder gives out, and how old they are.
//
// A number is "<n>:<shard>": n counts up in `<type>:<shard>:score_sn`. Every hour in which a shard gives a
// number leaves a mark, the first n of that hour, in the hash `<type>:<shard>:score_sn_hours`. So the age of
// any number is known without keeping the numbers.
#pragma once

#include "base/random.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <map>
#include <unordered_map>

namespace larder::ledger {

// Thread-compatible: one per io thread.
class IssuedOrders {
 public:
  IssuedOrders(redis::Redis& redis, std::int64_t shards) : redis_(redis), shards_(shards) {}

  // A number nobody was given before.
  Task<OrderId> issue(ScoreType const& type, TimeMs now);

  // Whether the order is an issued one that may be older than the type allows, or than its orders are
  // remembered: then nobody could tell whether it was used. It is never found too young, and at most an hour
  // too old. Orders that were not issued have no age.
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
  std::unordered_map<std::int64_t, std::int64_t> marked_;  // the last hour that we marked, by shard
  std::unordered_map<std::int64_t, Marks> marks_;          // as far as they are known, by shard
};

}  // namespace larder::ledger
