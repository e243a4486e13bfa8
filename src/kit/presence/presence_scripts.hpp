// Makes the calls of the scripts of presence. The head of each script says what it does and what it returns.
#pragma once

#include "stores/redis/script_call.hpp"

namespace larder::presence::scripts {

redis::ScriptCall say_clock(std::string_view server, std::int64_t ahead_ms, TimeMs redis_now,
                            std::int64_t lives_ms);

}  // namespace larder::presence::scripts
