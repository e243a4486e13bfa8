// The ledger's routes, /v1/ledger.
#pragma once

#include "edges/http/route.hpp"
#include "systems/ledger/ledger_store.hpp"

namespace larder {

// Defined with Services by whoever wires them.
ledger::Ledger& ledger_of(Services& services);

std::span<Route const> ledger_routes();
// Transfers, exchanges and holds.
std::span<Route const> ledger_moves_routes();

}  // namespace larder
