// The routes of the cache, /v1/discord.
#pragma once

#include "edges/api/cache/cache_part.hpp"

namespace larder::api {

// Events go in.
std::span<Route const> discord_event_routes();
// Objects and collections come out.
std::span<Route const> discord_object_routes();
std::span<Route const> discord_list_routes();
// Many objects at once, and what a member may do.
std::span<Route const> discord_lookup_routes();
// What no event carries.
std::span<Route const> discord_write_routes();
// Statistics, and the removal of a whole version.
std::span<Route const> discord_care_routes();

}  // namespace larder::api
