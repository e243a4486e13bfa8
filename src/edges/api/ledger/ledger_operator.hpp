// What operators see of the ledger: its due sets, and what a search finds.
#pragma once

#include "edges/api/system.hpp"
#include "systems/ledger/ledger.hpp"

namespace larder::api {

// `shared` must outlive what is returned.
std::vector<DueSets> ledger_due_sets(redis::Redis& redis, ledger::Shared const& shared);
SearchOf ledger_search(ledger::Shared& shared);

}  // namespace larder::api
