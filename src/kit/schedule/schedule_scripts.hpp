// Makes the calls of the scripts of due sets. The head of each script says what it does and what it returns.
#pragma once

#include "kit/schedule/due_set.hpp"
#include "stores/redis/script_call.hpp"

namespace larder::schedule::scripts {

redis::ScriptCall schedule_claim(DueSetKeys const& keys, TimeMs now, std::chrono::milliseconds lease,
                                 int count);
// All members must be of one claim.
redis::ScriptCall schedule_move(DueSetKeys const& keys, std::span<Claimed const> members);
redis::ScriptCall schedule_fail(DueSetKeys const& keys, Claimed const& claimed, int attempts_max,
                                TimeMs retry_at, TimeMs now, std::string_view why);
redis::ScriptCall schedule_drop(DueSetKeys const& keys, std::string_view member);
redis::ScriptCall schedule_requeue(DueSetKeys const& keys, std::string_view member, TimeMs due);

}  // namespace larder::schedule::scripts
