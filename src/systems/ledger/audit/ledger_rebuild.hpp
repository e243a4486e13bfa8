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
  std::int64_t orders = 0;    // orders that are still remembered
  std::int64_t problems = 0;  // contradictions in the journal
};

struct RebuildOptions {
  std::int64_t order_shards = 16;
  // Gets one line for each contradiction in the journal. The rebuild goes by the later flow.
  std::function<void(std::string const& line)> problem = [](std::string const&) {};
  std::function<void(RebuildReport const& so_far)> progress = [](RebuildReport const&) {};
};

// Issued order numbers that nobody has used are in no flow. So each shard of each
// type skips this many numbers.
inline constexpr std::int64_t numbers_skipped = 1'000'000;

// Writes balances, lots, holds, transfers under way, the schedule and counters, and orders for the time that
// they are still remembered. Each key becomes what the scripts would have left, as far as the journal knows.
// Holds a few users in memory at a time.
//
// Throws SetupError if Redis has any key of a ledger, or if a server uses this Redis (see kit/presence). No
// server can start on this Redis until the rebuild is complete. If the rebuild is cut off, call it again: it
// overwrites what it left behind.
Task<RebuildReport> rebuild(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                            RebuildOptions options);

}  // namespace larder::ledger
