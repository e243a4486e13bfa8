// Limits how often somebody may fail to log in, and how often an address may register.
#pragma once

#include "edges/http/credentials.hpp"
#include "kit/limiter/limiter.hpp"

namespace larder::api {

// An attempt that was counted.
struct Attempt {
  std::vector<limiter::Bucket> buckets;
  TimeMs at;
};

// Thread-compatible, like the Redis it uses. The counts are in Redis, so all servers share them. Throws
// StoreError, but never with an unknown outcome: nothing has happened yet except the count.
class Attempts {
 public:
  Attempts(redis::Redis& redis, Clock const& clock) : limiter_(redis), clock_(clock) {}

  // Refusal: rate_limited. It is the same for names that exist and names that do not. An attempt counts
  // before it is known whether it fails, so that many attempts at once cannot exceed the limit.
  Task<Result<Attempt>> to_log_in(std::string const& name_key, std::string const& sender);
  Task<Result<Attempt>> to_register(std::string const& sender);
  // Takes the count back: the attempt did not fail. If Redis is unavailable, the count stays.
  Task<void> forgive(Attempt attempt);

 private:
  Task<Result<Attempt>> count(std::vector<limiter::Bucket> buckets);

  limiter::Limiter limiter_;
  Clock const& clock_;
};

}  // namespace larder::api
