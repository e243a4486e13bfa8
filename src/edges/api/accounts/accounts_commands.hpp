// The commands `larder user ...` and `larder auth ...`.
#pragma once

#include "edges/cli/command.hpp"

namespace larder::api {

std::vector<cli::Command> accounts_commands();

}  // namespace larder::api
