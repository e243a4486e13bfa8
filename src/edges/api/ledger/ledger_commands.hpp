// `larder ledger verify` and `larder ledger rebuild`.
#pragma once

#include "edges/api/ledger/ledger_system.hpp"

namespace larder::api {

// The commands read `values` when they run, so `values` must outlive them.
std::vector<cli::Command> ledger_commands(LedgerSystem::Values const& values);

}  // namespace larder::api
