// The ledger's routes, /v1/ledger.
#pragma once

#include "edges/api/system.hpp"
#include "systems/ledger/ledger.hpp"

namespace larder::api {

// Types, orders, entries and accounts.
std::span<Route const> ledger_routes();
// Transfers, exchanges and holds.
std::span<Route const> ledger_moves_routes();
// Lists: what a user has, flows, the journal of all users, totals.
std::span<Route const> ledger_views_routes();

}  // namespace larder::api
