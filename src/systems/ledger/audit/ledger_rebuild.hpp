// Fills an empty Redis from the journal.
#pragma once

#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"

#include <functional>
#include <string>

namespace larder::ledger {

struct RebuildReport {
  std::int64_t flows = 0;
  std::int64_t accounts = 0;  // of types that are not over
  std::int64_t orders = 0;    // that are still remembered
  std::int64_t problems = 0;  // where the journal contradicts itself
};

struct RebuildOptions {
  std::int64_t order_shards = 16;
  // One line each; the later flow is believed.
  std::function<void(std::string const& line)> problem = [](std::string const&) {};
  std::function<void(RebuildReport const& so_far)> progress = [](RebuildReport const&) {};
};

// Issued order numbers that nobody has used are in no flow: so many are skipped, in each shard of each type.
inline constexpr std::int64_t numbers_skipped = 1'000'000;

// Balances, lots, holds, transfers under way, orders for the time that is left to them, the schedule,
// counters: each key as the scripts would have left it, as far as the journal knows. Holds a few users in
// memory at a time.
//
// Throws SetupError if there is anything of a ledger in Redis, or a server works on it (see kit/presence).
// The Redis is closed to servers until all is there. If it is cut off, call it again: it goes over what it
// left.
Task<RebuildReport> rebuild(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                            RebuildOptions options);

}  // namespace larder::ledger
