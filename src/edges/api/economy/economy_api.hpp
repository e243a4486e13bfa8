// The economy's routes, /v1/economy/{realm}.
#pragma once

#include "edges/api/system.hpp"
#include "systems/economy/economy.hpp"

namespace larder::api {

// The object that the handlers of the economy work with on one io thread.
struct EconomyPart {
  economy::Economy economy;
  bool allow_seed = false;  // whether a request may choose its seed
};

// The moves.
std::span<Route const> economy_routes();
// Players, leaderboard, catalogue and events.
std::span<Route const> economy_view_routes();
// Adjusting, importing, exporting and deleting players.
std::span<Route const> economy_care_routes();
// The list of players.
std::span<Route const> economy_player_routes();
// Creating realms.
std::span<Route const> economy_realm_routes();

}  // namespace larder::api
