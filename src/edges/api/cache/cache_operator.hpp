// What operators see of the cache: its due set, and what a search finds.
#pragma once

#include "edges/api/cache/cache_part.hpp"

namespace larder::api {

// The part must outlive what is returned.
std::vector<DueSets> cache_due_sets(CachePart& part);
SearchOf cache_search(CachePart& part);

}  // namespace larder::api
