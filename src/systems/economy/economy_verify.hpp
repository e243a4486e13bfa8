// Compares what players own in Redis with the journal.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/economy_journal.hpp"

#include <functional>

namespace larder::economy {

struct VerifyReport {
  std::int64_t realms = 0;
  std::int64_t players = 0;
  std::int64_t differences = 0;
};

struct VerifyOptions {
  std::function<void(std::string const& line)> difference;  // gets one line that names what differs
  std::function<void(VerifyReport const& so_far)> progress = [](VerifyReport const&) {};
};

// The realms that Redis or SQL knows and that this Redis can have. A Redis that lost its data knows none.
Task<std::vector<RealmId>> realms_to_verify(redis::Redis& redis, EconomyJournal& journal);

// Changes nothing, and holds a few hundred players in memory at a time. Servers may be running: the
// players of a page are read in one step of Redis and compared with all events up to that moment, including
// events that are not in SQL yet. Throws what the stores throw.
//
// Every balance and every stack of a realm must be the sum of its events. Redis must have the realm, and SQL
// must not have an event that is newer than the newest event of Redis.
Task<VerifyReport> verify(redis::Redis& redis, EconomyJournal& journal, std::vector<RealmId> realms,
                          VerifyOptions options);

}  // namespace larder::economy
