// Every system of the server.
#pragma once

#include "edges/api/system.hpp"

#include <memory>
#include <vector>

namespace larder {

using Systems = std::vector<std::unique_ptr<api::System>>;

// In the order in which they start; they stop in the opposite order.
Systems all_systems();

}  // namespace larder
