// Compares what players own in Redis with what the events say.
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
  std::function<void(std::string const& line)> difference;  // one line, with the names of what differs
  std::function<void(VerifyReport const& so_far)> progress = [](VerifyReport const&) {};
};

// Looks, changes nothing, and holds some hundred players in memory at a time. Servers may work meanwhile:
// players are read in one moment of Redis, and compared with all events up to that moment, those that are not
// in SQL yet too. Throws what the stores throw.
//
// Every balance and every stack of a realm must be the sum of its events from the first one on, and SQL must
// have no event that Redis has not come to.
Task<VerifyReport> verify(redis::Redis& redis, EconomyJournal& journal, std::vector<RealmId> realms,
                          VerifyOptions options);

}  // namespace larder::economy
