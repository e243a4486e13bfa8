#include "kit/schedule/schedule_scripts.hpp"

#include "larder_schedule_scripts.hpp"

namespace larder::schedule::scripts {

redis::ScriptCall schedule_claim(DueSetKeys const& keys, TimeMs now, std::chrono::milliseconds lease,
                                 int count) {
  return redis::ScriptCall(lua::schedule_claim).keys(keys.due, keys.failures).args(now, lease.count(), count);
}

redis::ScriptCall schedule_move(DueSetKeys const& keys, std::span<Claimed const> members) {
  auto call = redis::ScriptCall(lua::schedule_move).keys(keys.due).args(members.front().lease_end);
  for (auto const& claimed : members) call.args(claimed.due, claimed.member);
  return call;
}

redis::ScriptCall schedule_fail(DueSetKeys const& keys, Claimed const& claimed, int attempts_max,
                                TimeMs retry_at, TimeMs now, std::string_view why) {
  return redis::ScriptCall(lua::schedule_fail)
      .keys(keys.due, keys.failures, keys.dead, keys.reasons)
      .args(claimed.member, claimed.lease_end, attempts_max, retry_at, now, why);
}

redis::ScriptCall schedule_drop(DueSetKeys const& keys, std::string_view member) {
  return redis::ScriptCall(lua::schedule_drop).keys(keys.dead, keys.reasons).args(member);
}

redis::ScriptCall schedule_requeue(DueSetKeys const& keys, std::string_view member, TimeMs due) {
  return redis::ScriptCall(lua::schedule_requeue)
      .keys(keys.due, keys.failures, keys.dead, keys.reasons)
      .args(member, due);
}

}  // namespace larder::schedule::scripts
