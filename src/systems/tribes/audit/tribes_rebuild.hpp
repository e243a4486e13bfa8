// Fills a Redis that has lost its worlds from the journal.
#pragma once

#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/tribes/tribes_journal.hpp"

#include <functional>
#include <string>

namespace larder::tribes {

struct RebuildReport {
  std::int64_t worlds = 0;
  std::int64_t events = 0;
  std::int64_t towns = 0;
  std::int64_t problems = 0;  // events that cannot have happened
};

struct RebuildOptions {
  std::function<void(std::string const& line)> problem = [](std::string const&) {};
  std::function<void(RebuildReport const& so_far)> progress = [](RebuildReport const&) {};
  // What else a server needs of this Redis: whether it is lost, and how to bring it back.
  std::function<Task<bool>()> more_is_lost = []() -> Task<bool> { co_return false; };
  std::function<Task<void>()> rebuild_more = []() -> Task<void> { co_return; };
};

// Replays every world that Redis lacks from its events, and writes the world, its towns, map, names,
// leaderboard and due times. Does the same for a world with events in SQL that Redis never had, because this
// Redis is an older copy. Of other worlds, writes only towns that are missing: on a cluster, some may have
// survived. Events that wait in an outbox reach SQL first; those of an older copy are kept for a person
// instead (events::fence_outbox).
//
// The towns are as they were at their last event; servers then take them to the present, and the result is
// what it would have been. The history plots and the reports are not in the journal: they begin anew.
//
// Throws SetupError if nothing is lost, or if a server uses this Redis (see kit/presence). No server can
// start on this Redis until the rebuild is complete. If the rebuild is cut off, call it again: it overwrites
// what it left behind.
Task<RebuildReport> rebuild(redis::Redis& redis, TribesJournal& journal, Clock const& clock,
                            RebuildOptions options);

}  // namespace larder::tribes
