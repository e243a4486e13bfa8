// The commands `larder tribes ...`.
#pragma once

#include "edges/cli/command.hpp"
#include "systems/tribes/rules.hpp"

namespace larder::api {

std::vector<cli::Command> tribes_commands();

// Throws SetupError with the name of the file and of the field that is wrong.
tribes::RulesPtr read_rules_file(std::string const& file);

}  // namespace larder::api
