// `larder economy verify|rebuild` and `larder economy items check|load`.
#pragma once

#include "edges/cli/command.hpp"
#include "systems/economy/catalogue.hpp"

#include <string>

namespace larder::api {

// Throws a SetupError that names the file, the field and the problem.
economy::CataloguePtr read_catalogue_file(std::string const& file);

// `catalogue_file` is the setting, which is read before a command runs.
std::vector<cli::Command> economy_commands(std::string const& catalogue_file);

}  // namespace larder::api
