// The routes of tribes.
#pragma once

#include "edges/api/tribes/tribes_part.hpp"

namespace larder::api {

std::span<Route const> tribes_world_routes();
std::span<Route const> tribes_town_routes();
std::span<Route const> tribes_view_routes();
std::span<Route const> tribes_player_routes();

// For whom the request acts, on a route with Access::player.
inline UserId player_of(Request const& request) { return UserId::from(request.player).value(); }

inline kind::Plain<tribes::WorldId> const world_kind{
    type::text(1, limits::world_chars_max).such_as(tribes::default_world)};
inline constexpr std::string_view world_says = "the world; the server makes `default` when it starts";

}  // namespace larder::api
