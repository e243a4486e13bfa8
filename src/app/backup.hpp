// `larder backup`: copies the stores of one data directory, as they were at one moment.
#pragma once

#include "base/settings.hpp"
#include "edges/cli/command.hpp"

namespace larder {

// Returns the exit code. Throws SetupError or StoreError; then no backup is there.
//
// The moment: SQL is closed to writers while Redis begins its copy. So the two copies are what a power loss
// at that moment would have left, and whatever brings a server back from a power loss brings it back from
// the copies. In any other order, one store could have what the other one lacks: see docs/operating.md.
int make_backup(cli::Context& context, Settings const& settings);

}  // namespace larder
