// The append-only file of Redis keeps every command until it is rewritten, so it also has what was deleted.
#pragma once

#include "base/task.hpp"
#include "base/task_group.hpp"
#include "stores/redis/redis.hpp"

namespace larder::privacy {

// Rewrites the file, so that it only has what Redis has now. Throws StoreError if that fails, or if it does
// not end in time. For a Redis that writes such a file: the embedded one.
Task<void> rewrite_aof(redis::Redis& redis, TaskGroup& tasks);

}  // namespace larder::privacy
