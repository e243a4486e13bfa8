// larder discord ...
#pragma once

#include "edges/api/cache/cache_settings.hpp"
#include "edges/cli/command.hpp"

namespace larder::api {

// `values` must outlive the commands; they have been read when a command runs.
std::vector<cli::Command> discord_commands(CacheValues const& values);

}  // namespace larder::api
