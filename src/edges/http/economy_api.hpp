// /v1/economy/{realm}
#pragma once

#include "edges/http/route.hpp"
#include "systems/economy/economy_store.hpp"

namespace larder {

struct EconomyEdge {
  economy::Economy& economy;
  bool allow_seed = false;  // whether a request may choose its seed
};

// Of this thread; the application defines it.
EconomyEdge& economy_of(Services& services);

std::span<Route const> economy_routes();
std::span<Route const> economy_view_routes();

}  // namespace larder
