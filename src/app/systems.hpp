// Every system of the server.
#pragma once

#include "edges/api/system.hpp"

#include <memory>
#include <vector>

namespace larder {

using Systems = std::vector<std::unique_ptr<api::System>>;

// In the order in which they start; they stop in the opposite order.
Systems all_systems();

// The routes of the server itself, then those of each system.
std::vector<http::Api> apis_of(Systems const& systems);

}  // namespace larder
