// The program `larder`, for a given list of systems.
#pragma once

#include "app/systems.hpp"

namespace larder {

// Runs the command that the arguments name, and returns the exit code of the process. Prints any
// failure as one line on stderr.
int run_larder(int argc, char const* const* argv, Systems systems);

}  // namespace larder
