// `larder serve`: connects all parts and runs until a signal arrives.
#pragma once

#include "app/systems.hpp"
#include "base/config.hpp"

#include <functional>

namespace larder {

inline constexpr char version[] = LARDER_VERSION;

// Checks whether the settings make sense together: URLs, the address, key formats. Contacts no
// store. Throws SetupError.
void check_config(Config const& config, Systems const& systems);

// Brings the schema up to date. If an SQL server is still starting, waits for it for a
// while. Throws SetupError.
void migrate_all(sql::Database& sql, Config const& config, Systems const& systems);

// Returns after a clean shutdown. Throws SetupError. The systems end with the threads and stores that they
// use, so they cannot be used again.
void serve(Config const& config, Systems systems);

// Starts the embedded Redis of a data directory, and loads all systems, as `serve` does. But no background
// work begins, and nothing listens. Refuses what `serve` refuses, and brings the events that wait in Redis to
// SQL. Then calls `look`, during which other code of this process may use the stores, and ends. Throws
// SetupError.
void try_out(Config const& config, Systems systems, std::function<void()> const& look);

}  // namespace larder
