// Words that would name another key, found in the patterns.
#pragma once

#include "overlap.hpp"

namespace larder::keys {

// What the placeholders <player>, <reward> and <item> must not be, so that no two patterns overlap.
RefusedByName find_refused(std::vector<std::vector<KeyPattern>> const& modes);

}  // namespace larder::keys
