// `larder ledger verify` and `larder ledger rebuild`.
#pragma once

#include "edges/api/ledger/ledger_system.hpp"

namespace larder::api {

// `values` are read when a command runs; they must outlive the commands.
std::vector<cli::Command> ledger_commands(LedgerSystem::Values const& values);

}  // namespace larder::api
