// `larder economy verify` and `larder economy items check|load`.
#pragma once

#include "edges/cli/command.hpp"
#include "systems/economy/catalogue.hpp"

#include <string>

namespace larder::api {

// Throws a SetupError that names the file, the field and the problem.
economy::CataloguePtr read_catalogue_file(std::string const& file);

std::vector<cli::Command> economy_commands();

}  // namespace larder::api
