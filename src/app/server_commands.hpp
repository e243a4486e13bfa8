// The commands of the server itself: serve, migrate, key, config, version.
#pragma once

#include "app/systems.hpp"

namespace larder {

// What is named must outlive the commands. `settings` are all settings, those of the systems included.
std::vector<cli::Command> server_commands(Settings const& settings, Systems const& systems);

}  // namespace larder
