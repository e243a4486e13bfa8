// Makes the calls of the scripts of boards. The head of each script says what it does and what it returns.
#pragma once

#include "stores/redis/script_call.hpp"

#include <string_view>

namespace larder::boards::scripts {

redis::ScriptCall add_score(std::string_view board, std::string_view member, std::int64_t by);
redis::ScriptCall read_around(std::string_view board, std::string_view member, std::int64_t places);

}  // namespace larder::boards::scripts
