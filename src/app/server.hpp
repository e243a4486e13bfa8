// `larder serve`: wires everything and runs until a signal.
#pragma once

#include "app/systems.hpp"
#include "base/config.hpp"

namespace larder {

inline constexpr char version[] = LARDER_VERSION;

// Whether the settings make sense together: URLs, the address, key formats. Asks nobody. Throws SetupError.
void check_config(Config const& config, Systems const& systems);

// Brings the schema up to date; waits a while for an SQL server that is still starting. Throws SetupError.
void migrate_all(sql::Database& sql, Config const& config, Systems const& systems);

// Returns after a clean shutdown. Throws SetupError.
void serve(Config const& config, Systems const& systems);

}  // namespace larder
