// larder user export|forget
#pragma once

#include "edges/api/system.hpp"

namespace larder::api {

// The systems live as long as the commands, and are all known when a command runs.
std::vector<cli::Command> forget_commands(std::vector<System*> const& systems);

}  // namespace larder::api
