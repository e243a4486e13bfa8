// The commands of the server itself.
#pragma once

#include "app/systems.hpp"

namespace larder {

// The arguments of these functions must outlive the commands that they return.

// serve, migrate, key. The command `serve` moves the systems out of `systems`.
std::vector<cli::Command> server_commands(Systems& systems);
// config, version. `settings` has all settings, including those of the systems.
std::vector<cli::Command> config_commands(Settings const& settings, Systems const& systems);

}  // namespace larder
