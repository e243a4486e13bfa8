// Compares the clock of this server with those of Redis and of the other servers.
//
// A clock is off if it differs by more than the allowed span from that of Redis (on a cluster: from the
// median of the masters), or if more than half of all clocks contradict it: those of the masters and of all
// servers. The servers say in the hash `larder:clocks` by how much each is ahead of Redis.
#pragma once

#include "base/checked_clock.hpp"
#include "base/task_group.hpp"
#include "stores/redis/redis.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace larder::presence {

inline constexpr std::string_view clocks_key = "larder:clocks";

// Tells a CheckedClock how right it is. Each server has one. It belongs to one io_context, whose thread calls
// its functions.
class ClockWatch {
 public:
  ClockWatch(asio::io_context& io, redis::Redis& redis, CheckedClock& clock);

  // Compares once. Throws SetupError if the clock is off. If Redis is unavailable, returns; the clock is then
  // not trusted until Redis answers.
  Task<void> enter();
  // Compares now and then, until leave().
  void start();
  Task<void> leave();

 private:
  Task<void> compare();
  Task<void> ask_others(std::int64_t ahead);
  Task<void> keep_comparing();

  redis::Redis& redis_;
  CheckedClock& clock_;
  std::string server_;
  std::vector<std::int64_t> others_;  // by how much each other server said that it is ahead of Redis
  bool was_off_ = false;
  TaskGroup tasks_;
};

// By how much `clock` is ahead of each master of the cluster, or of the only Redis. Leaves out the answers
// that took longer than `trip_max`. Throws what Redis throws.
Task<std::vector<std::int64_t>> ms_ahead_of_redis(redis::Redis& redis, Clock const& clock,
                                                  std::chrono::milliseconds trip_max);

// For commands. Throws SetupError if the clock of this machine differs from that of Redis by more than
// `allowed`. Returns false if Redis does not say.
Task<bool> check_clock(redis::Redis& redis, std::chrono::milliseconds allowed);

}  // namespace larder::presence
