// Whether a Redis accepts writes.
#pragma once

#include "stores/redis/redis.hpp"

namespace larder::redis {

// Why this Redis refuses writes although it answers, or why it cannot confirm them, and what to do; empty: it
// accepts them. On a cluster, every master is asked. Writes nothing. Throws StoreError if a master does not
// answer.
Task<std::string> problem_of_writes(Redis& redis);

// How many replicas follow a master, by its answer to INFO replication. A replica that hangs is online for a
// minute, but its lag grows, in seconds. (A server that tells no state may give the lag another meaning.)
int followers(std::string_view info);

}  // namespace larder::redis
