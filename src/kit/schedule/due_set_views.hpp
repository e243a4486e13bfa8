// What an operator sees of due sets, and does about their dead members.
#pragma once

#include "kit/schedule/due_set.hpp"

namespace larder::schedule {

struct DueSetView {
  std::int64_t members = 0;     // scheduled, also those that a handler has now
  std::int64_t due = 0;         // nobody has claimed them yet
  std::int64_t overdue_ms = 0;  // of the member that has been due for longest
  std::int64_t dead = 0;
};

// Four commands. Throws what Redis throws.
Task<DueSetView> view_due_set(redis::Redis& redis, std::string due_set, TimeMs now);

// The position of a dead member: members are listed by the time when they were buried, then by the member, of
// which the first bytes decide. So a position fits into a cursor.
struct DeadPlace {
  static constexpr std::size_t bytes_max = 110;
  TimeMs buried_at;
  std::string begin;  // of the member
  friend auto operator<=>(DeadPlace const&, DeadPlace const&) = default;
};
DeadPlace place_of(DeadMember const& dead);

struct DeadPage {
  std::vector<DeadMember> members = {};
  bool more = false;
};
// `limit` dead members, longest dead first, after this place. Members with the same place come together, so
// that a page may have a few more.
Task<DeadPage> list_dead(redis::Redis& redis, std::string due_set, std::optional<DeadPlace> after,
                         std::int64_t limit);

// Forgets a dead member for good: nobody does its work. Returns false if the member is not in the dead set.
Task<bool> drop_dead(redis::Redis& redis, std::string due_set, std::string member);

}  // namespace larder::schedule
