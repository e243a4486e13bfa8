// The commands of service keys.
#pragma once

#include "edges/cli/command.hpp"

namespace larder {

// key create, list, revoke, rotate.
std::vector<cli::Command> key_commands();

}  // namespace larder
