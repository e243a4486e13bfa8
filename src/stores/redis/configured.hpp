// Turns the settings of the server into the options of the Redis client and of the embedded Redis.
#pragma once

#include "base/config.hpp"
#include "base/data_dir.hpp"
#include "stores/redis/embedded.hpp"
#include "stores/redis/redis.hpp"

namespace larder::redis {

// `url` is the configured Redis, or the socket of the embedded Redis.
Options client_options(Config const& config, Url url);

EmbeddedOptions embedded_options(Config const& config, DataDir const& data_dir);

}  // namespace larder::redis
