// Makes the calls of the script of series. The head of the script says what it does and what it returns.
#pragma once

#include "kit/series/series.hpp"
#include "stores/redis/script_call.hpp"

#include <span>

namespace larder::series::scripts {

redis::ScriptCall append_points(std::span<Value const> values, TimeMs at);

}  // namespace larder::series::scripts
