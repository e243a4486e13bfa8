// The ledger's routes, /v1/ledger.
#pragma once

#include "edges/api/system.hpp"
#include "systems/ledger/ledger.hpp"

namespace larder::api {

// Types, orders, entries, accounts and flows.
std::span<Route const> ledger_routes();
// Transfers, exchanges and holds.
std::span<Route const> ledger_moves_routes();

}  // namespace larder::api
