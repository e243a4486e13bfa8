// Whether a Redis takes writes.
#pragma once

#include "stores/redis/redis.hpp"

namespace larder::redis {

// Why this Redis refuses writes although it answers, and what to do; empty: it takes them. On a cluster,
// every master is asked. Writes nothing. Throws StoreError if a master does not answer.
Task<std::string> problem_of_writes(Redis& redis);

}  // namespace larder::redis
