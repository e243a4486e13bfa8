// The patterns of every key of every system.
#pragma once

#include "key_pattern.hpp"

namespace larder::keys {

enum class Mode { one_redis, cluster };

std::vector<KeyPattern> all_patterns(Mode mode);

}  // namespace larder::keys
