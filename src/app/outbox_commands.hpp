// The commands of `larder` for events that SQL refuses, and for those of a Redis that has lost data.
#pragma once

#include "edges/cli/command.hpp"

namespace larder {

std::vector<cli::Command> outbox_commands();

}  // namespace larder
