// `larder serve`: wires everything and runs until a signal.
#pragma once

#include "base/config.hpp"

namespace larder {

inline constexpr char version[] = LARDER_VERSION;

// Returns after a clean shutdown. Throws SetupError.
void serve(Config const& config);

// Brings the schema up to date; waits a while for an SQL server that is still starting.
class Sql;
void migrate_all(Sql& sql, Config const& config);

}  // namespace larder
