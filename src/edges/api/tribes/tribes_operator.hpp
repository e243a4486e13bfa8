// What operators see of tribes: its due sets, and what a search finds.
#pragma once

#include "edges/api/tribes/tribes_part.hpp"

namespace larder::api {

// The part must outlive what is returned.
std::vector<DueSets> tribes_due_sets(redis::Redis& redis, TribesPart& part);
SearchOf tribes_search(TribesPart& part);

}  // namespace larder::api
