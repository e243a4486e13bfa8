// The commands of the server itself.
#pragma once

#include "app/systems.hpp"

namespace larder {

// What these functions are given must outlive the commands.

// serve, migrate, key
std::vector<cli::Command> server_commands(Systems const& systems);
// config, version. `settings` are all settings, those of the systems included.
std::vector<cli::Command> config_commands(Settings const& settings, Systems const& systems);

}  // namespace larder
