// A due set: a Redis sorted set of members by the moment they fall due.
//
// Beside the set `<due>` lie `<due>:failures` (hash: member -> failed attempts), `<due>:dead` (sorted set by
// the time of burial) and `<due>:dead:why` (hash: member -> reason). On a cluster the key needs a hash tag.
#pragma once

#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace larder::schedule {

// A member in hand. Its due time is now the end of the lease; any other due time means that it was finished,
// rescheduled or claimed anew, and then nothing here touches it.
struct Claimed {
  std::string member;
  TimeMs due;  // before the claim
  TimeMs lease_end;
  int attempts = 0;  // that failed before
};

struct Claims {
  std::optional<TimeMs> next;  // when something is due next, ends of leases included; none: the set is empty
  std::vector<Claimed> members;
};

struct DeadMember {
  std::string member;
  TimeMs buried_at;
  std::string why;
};

struct DueSetKeys {
  explicit DueSetKeys(std::string due);
  std::string due;
  std::string failures;
  std::string dead;
  std::string reasons;
};

// Thread-compatible, like the Redis it uses. Throws what Redis throws. An answer that is lost costs at most
// the lease.
class DueSet {
 public:
  DueSet(redis::Redis& redis, std::string key) : redis_(redis), keys_(std::move(key)) {}

  std::string const& key() const { return keys_.due; }

  Task<std::optional<TimeMs>> head();
  Task<std::int64_t> count_dead();
  Task<Claims> claim(TimeMs now, std::chrono::milliseconds lease, int count);
  // All of one claim; they get the due times back that they had before.
  Task<void> give_back(std::span<Claimed const> claimed);
  Task<void> postpone(Claimed const& claimed, TimeMs due);
  // Counts an attempt; after attempts_max of them the member is buried. How many there were; 0 if the member
  // is not ours any more.
  Task<int> fail(Claimed const& claimed, int attempts_max, TimeMs retry_at, TimeMs now, std::string_view why);
  // The attempts that failed, not the member.
  Task<void> forget_failures(std::string_view member);
  Task<std::vector<DeadMember>> dead_members();
  Task<bool> requeue(std::string_view member, TimeMs due);

 private:
  redis::Redis& redis_;
  DueSetKeys keys_;
};

// For operators. Who is buried, the longest first.
Task<std::vector<DeadMember>> dead_members(redis::Redis& redis, std::string due_set);
// Back to the due set, attempts forgotten; false if it is not among the dead. A member that was scheduled
// anew meanwhile keeps that time. Schedulers find it at their next look.
Task<bool> requeue(redis::Redis& redis, std::string due_set, std::string member, TimeMs due);

}  // namespace larder::schedule
