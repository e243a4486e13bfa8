// `larder restore`: makes a data directory from a backup.
#pragma once

#include "app/systems.hpp"
#include "base/settings.hpp"
#include "edges/cli/command.hpp"

namespace larder {

// Returns the exit code. Throws SetupError or StoreError; then nothing is changed. `verify` is the command.
// Moves the systems out of `systems`.
//
// The copy is made beside the data directory, started and verified there, and gets its name last.
int restore_backup(cli::Context& context, Settings const& settings, Systems& systems,
                   cli::Command const& verify);

}  // namespace larder
