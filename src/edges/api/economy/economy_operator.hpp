// What operators see of the economy: its due sets, and what a search finds.
#pragma once

#include "edges/api/system.hpp"
#include "systems/economy/economy.hpp"

namespace larder::api {

// `shared` must outlive what is returned.
std::vector<DueSets> economy_due_sets(redis::Redis& redis, economy::Shared const& shared);
SearchOf economy_search(economy::Shared& shared);

}  // namespace larder::api
