// The settings of the cache, and what follows from them.
#pragma once

#include "base/config.hpp"
#include "base/settings.hpp"
#include "stores/redis/configured.hpp"
#include "systems/cache/objects.hpp"

#include <array>
#include <optional>

namespace larder::api {

struct CacheValues {
  std::string prefix = "drc";
  std::string version_info = "v1";
  std::string redis_url = "auto";
  std::int64_t redis_memory_mb = 0;  // of an embedded Redis; 0: no limit
  cache::KeepRules keep;
  std::array<bool, cache::resource_count> feed = {};  // by resource: whether changes go to the feed

  cache::CacheSetup setup() const;
};

// Each setting writes into `values`, which must outlive the settings.
Settings cache_settings(CacheValues& values);

// Throws SetupError if the values make no sense together.
void check_cache_values(CacheValues const& values, Config const& config);

// What is wrong with the text; nothing if it can be the prefix of keys, or their version info. Code that
// writes keys must also support the encoding that the version info names.
std::optional<std::string> problem_of_prefix(std::string_view text);
std::optional<std::string> problem_of_version_info(std::string_view text);
std::optional<std::string> problem_of_encoding(std::string_view version_info);

// The Redis that only the cache uses; nothing if the cache uses the Redis that all systems share.
std::optional<redis::Place> own_place(CacheValues const& values, Config const& config);
// The same, or else the Redis that all systems share.
redis::Place cache_place(CacheValues const& values, Config const& config);
redis::Options cache_client_options(Config const& config, redis::Url url);

}  // namespace larder::api
