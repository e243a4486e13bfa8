// `larder serve`: wires everything and runs until a signal.
#pragma once

#include "base/config.hpp"
#include "stores/redis/redis.hpp"

namespace larder {

inline constexpr char version[] = LARDER_VERSION;

// Whether the settings make sense together: URLs, the address, key formats. Asks nobody. Throws SetupError.
void check_config(Config const& config);

// Of the Redis at `url`, which is where the embedded one is if that is configured.
redis::Options redis_options(Config const& config, redis::Url url);

// Returns after a clean shutdown. Throws SetupError.
void serve(Config const& config);

// Brings the schema up to date; waits a while for an SQL server that is still starting.
class Sql;
void migrate_all(Sql& sql, Config const& config);

}  // namespace larder
