// Commands that do something for all systems: verify, rebuild.
#pragma once

#include "edges/cli/command.hpp"

#include <vector>

namespace larder {

// `of_systems` are the commands of all systems. The new commands run those that are called
// `<system> verify` or `<system> rebuild`, in their order.
std::vector<cli::Command> all_systems_commands(std::vector<cli::Command> const& of_systems);

}  // namespace larder
