// A due set: a Redis sorted set of members, sorted by the time when they are due.
//
// Next to the set `<due>` there are three keys: `<due>:failures` (a hash of failed attempts by member),
// `<due>:dead` (the dead set, sorted by the time when a member was buried) and `<due>:dead:why` (a hash of
// reasons by member). On a cluster, the key of the due set needs a hash tag.
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

// A claimed member. Its due time is now the end of the lease. Any other due time means that the member was
// finished, rescheduled or claimed again; then the functions here leave it alone.
struct Claimed {
  std::string member;
  TimeMs due;  // before the claim
  TimeMs lease_end;
  int attempts = 0;  // that have failed so far
};

struct Claims {
  std::optional<TimeMs> next;  // when a member is due next, or its lease ends; none: the set is empty
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

// The time that a score means. Accepts scores that are not whole or not finite: a score that another program
// wrote must not stop the other members.
TimeMs parse_due_time(std::string_view score);

// Thread-compatible, like the Redis it uses. Throws what Redis throws. If an answer is lost, a member waits
// at most until its lease ends.
class DueSet {
 public:
  DueSet(redis::Redis& redis, std::string key) : redis_(redis), keys_(std::move(key)) {}

  std::string const& key() const { return keys_.due; }

  Task<std::optional<TimeMs>> head();
  Task<std::int64_t> count_due(TimeMs now);  // members that nobody has claimed
  Task<std::int64_t> count_dead();
  Task<Claims> claim(TimeMs now, std::chrono::milliseconds lease, int count);
  // Restores the earlier due times of the members. All members must be of one claim.
  Task<void> give_back(std::span<Claimed const> claimed);
  Task<void> postpone(Claimed const& claimed, TimeMs due);
  // Counts a failed attempt. The member is due again at `retry_at`, or after `attempts_max` attempts it is
  // buried in the dead set. Returns the number of failed attempts, or 0 if the member is no longer ours.
  Task<int> fail(Claimed const& claimed, int attempts_max, TimeMs retry_at, TimeMs now, std::string_view why);
  // Resets the count of failed attempts. Does not touch the member.
  Task<void> forget_failures(std::string_view member);
  Task<std::vector<DeadMember>> dead_members();
  Task<bool> requeue(std::string_view member, TimeMs due);

 private:
  redis::Redis& redis_;
  DueSetKeys keys_;
};

// For operators. The members of the dead set, longest dead first.
Task<std::vector<DeadMember>> dead_members(redis::Redis& redis, std::string due_set);
// Moves a member from the dead set back to the due set and resets its failed attempts. Returns false if the
// member is not in the dead set. If the member was scheduled again meanwhile, it keeps that due time.
// Schedulers find it at their next look.
Task<bool> requeue(redis::Redis& redis, std::string due_set, std::string member, TimeMs due);

}  // namespace larder::schedule
