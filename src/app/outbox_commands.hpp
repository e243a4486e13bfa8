// The commands of `larder` for events that SQL refuses.
#pragma once

#include "edges/cli/command.hpp"

namespace larder {

std::vector<cli::Command> outbox_commands();

}  // namespace larder
