// Compares the towns in Redis with what their events say.
#pragma once

#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/tribes/tribes_journal.hpp"

#include <functional>

namespace larder::tribes {

struct VerifyReport {
  std::int64_t worlds = 0;
  std::int64_t events = 0;
  std::int64_t towns = 0;
  std::int64_t differences = 0;
};

struct VerifyOptions {
  std::function<void(std::string const& line)> difference;  // gets one line that names what differs
  std::function<void(VerifyReport const& so_far)> progress = [](VerifyReport const&) {};
  // Whether the account of this user was deleted, and its towns must be ruins by now. Empty: nobody knows.
  std::function<Task<bool>(UserId)> is_deleted = {};
  std::function<TimeMs()> now = [] { return SystemClock().now(); };
};

// Replays each world from its events, and compares every town and the world with their documents, and
// everything that follows from them: names, map, leaderboard, due times, goals and jobs. Dead members count
// as differences. History, reports and kept answers are in no event, so they cannot be checked. Changes
// nothing. Servers may run meanwhile: a page of towns is read in one step of Redis and compared with all
// events up to that moment, including events that are not in SQL yet. Holds all towns of one world in memory.
// Throws what the stores throw.
//
// SQL must not have an event that is newer than the newest event of Redis.
Task<VerifyReport> verify(redis::Redis& redis, TribesJournal& journal, std::vector<WorldId> worlds,
                          VerifyOptions options);

}  // namespace larder::tribes
