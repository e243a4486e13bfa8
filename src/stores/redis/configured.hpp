// From the settings of the server to the options of the Redis client and of the embedded server.
#pragma once

#include "base/config.hpp"
#include "base/data_dir.hpp"
#include "stores/redis/embedded.hpp"
#include "stores/redis/redis.hpp"

namespace larder::redis {

// For the Redis at `url`: the configured one, or where the embedded one listens.
Options client_options(Config const& config, Url url);

EmbeddedOptions embedded_options(Config const& config, DataDir const& data_dir);

}  // namespace larder::redis
