// What the server itself keeps of users, whatever the system: answers that were stored for an
// Idempotency-Key, and rate limits of players.
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "stores/redis/redis.hpp"

namespace larder::api {

// An answer that names the user becomes {}: a request that is sent again still takes no effect, but its
// answer tells nothing. May be repeated.
Task<void> forget_server_traces(redis::Redis& redis, UserId user);

}  // namespace larder::api
