// `larder economy verify` and `larder economy items check|load`.
#pragma once

#include "base/config.hpp"
#include "base/metrics.hpp"
#include "stores/sql/sql.hpp"
#include "systems/economy/catalogue.hpp"

#include <string>

namespace larder {

// Throws SetupError that names the file, the field and what is wrong.
economy::CataloguePtr read_catalogue_file(std::string const& file);

// All return the exit code. Throw SetupError, StoreError.

int check_items(std::string const& file);
// Into one realm, or into every realm there is; a running server goes on with it at its next move.
int load_items(Config const& config, std::string const& file, std::string const& realm, Metrics& metrics);
// Of one realm, or of all; beside a running server, or with its Redis started for the time.
int verify_economy(Config const& config, Sql& sql, std::string const& realm, Metrics& metrics);

}  // namespace larder
