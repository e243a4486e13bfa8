// What the handlers of one io thread work with.
#pragma once

#include "edges/http/operation_routes.hpp"
#include "systems/ledger/ledger_store.hpp"

namespace larder {

struct Services {
  ledger::Ledger& ledger;
  Operations& operations;
};

}  // namespace larder
