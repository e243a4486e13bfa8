// Turns the settings of the server into the options of the Redis client and of the embedded Redis.
#pragma once

#include "base/config.hpp"
#include "base/data_dir.hpp"
#include "stores/redis/embedded.hpp"
#include "stores/redis/redis.hpp"

namespace larder::redis {

// `url` is the configured Redis, or the socket of the embedded Redis.
Options client_options(Config const& config, Url url);

// A Redis that the settings name. If its URL is `embedded`, Larder starts it with the options.
struct Place {
  Url url;
  EmbeddedOptions options = {};

  std::filesystem::path socket() const { return options.directory / "redis.sock"; }
};

// The Redis that all systems share.
Place main_place(Config const& config);
// An embedded Redis in a subdirectory of the data directory.
Place embedded_place(Config const& config, std::string_view directory);

// Starts the Redis if it is embedded; its socket then replaces the URL of the place. Returns nullptr if the
// Redis is not embedded. Throws SetupError.
std::unique_ptr<EmbeddedRedis> start_if_embedded(Place& place, DataDir const& data_dir);

// A Redis that is away comes back: the server starts without it, and /readyz says so. But waiting does not
// help against a wrong password or database number: then this throws SetupError. `setting` is the name of the
// setting that has the URL.
Task<void> refuse_unusable(Redis& redis, std::string_view setting, std::string url);

}  // namespace larder::redis
