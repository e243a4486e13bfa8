// What the patterns become: a page of the documentation and a header of the economy.
#pragma once

#include "overlap.hpp"

#include <string>

namespace larder::keys {

std::string page(std::vector<KeyPattern> const& one_redis, std::vector<KeyPattern> const& cluster,
                 RefusedByName const& refused);
std::string header(RefusedByName const& refused);

}  // namespace larder::keys
