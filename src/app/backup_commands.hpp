// Commands that copy everything that a server has, and put such a copy back: backup, restore.
#pragma once

#include "app/systems.hpp"
#include "base/settings.hpp"
#include "edges/cli/command.hpp"

#include <functional>
#include <vector>

namespace larder {

// `verify` is `larder verify`. The command `restore` moves the systems out of `systems`. The first two
// arguments must outlive the commands.
std::vector<cli::Command> backup_commands(Settings const& settings, Systems& systems, cli::Command verify);

}  // namespace larder
