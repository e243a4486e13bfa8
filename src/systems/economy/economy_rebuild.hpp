// Fills a Redis that has lost realms from the events in SQL.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/economy_journal.hpp"

#include <functional>
#include <string>

namespace larder::economy {

struct RebuildReport {
  std::int64_t realms = 0;
  std::int64_t players = 0;   // with points or items, or who once had some
  std::int64_t states = 0;    // events that recorded state, such as names, effects and cooldowns
  std::int64_t problems = 0;  // what the events say, but no script can have written
};

struct RebuildOptions {
  CataloguePtr catalogue = ajo_catalogue();  // of realms whose catalogue is in no event
  // Gets one line for each problem. What it names is left out.
  std::function<void(std::string const& line)> problem = [](std::string const&) {};
  std::function<void(RebuildReport const& so_far)> progress = [](RebuildReport const&) {};
};

// Whether Redis has a realm. It has lost a realm if it has none of the keys that every realm has. A realm of
// which only some of these keys are left is damaged.
enum class Kept { whole, damaged, lost };
Task<Kept> kept(redis::Redis& redis, RealmId realm);
// The realms that SQL knows and that this Redis can have: a cluster cannot have the default realm.
Task<std::vector<RealmId>> possible_realms(redis::Redis& redis, EconomyJournal& journal);
// Those of them that this Redis has lost.
Task<std::vector<RealmId>> lost_realms(redis::Redis& redis, EconomyJournal& journal);

// Writes every realm that SQL knows and Redis has lost: balances, inventories, names, effects, cooldowns,
// claimed rewards, vampire levels, bombs, roulettes, catalogues, and streams that continue after the last
// event. Each key becomes what the scripts would have left, as far as the events know. Realms that Redis has
// are left alone. Holds a few hundred players in memory at a time.
//
// Throws SetupError if Redis has realms and has lost none, if it has parts of a realm or an older copy, or if
// a server uses this Redis (see kit/presence). No server can start on this Redis until the rebuild is
// complete. If the rebuild is cut off, call it again: it overwrites what it left behind.
Task<RebuildReport> rebuild(redis::Redis& redis, EconomyJournal& journal, RebuildOptions options);

}  // namespace larder::economy
