// How often one key may call one route. Answers tell how much is left, in the header fields of
// draft-ietf-httpapi-ratelimit-headers-10:
//
//   RateLimit-Policy: "requests";q=100;w=60     100 requests in 60 seconds
//   RateLimit: "requests";r=50;t=30             50 are left; in 30 seconds it will be all of them again
#pragma once

#include "edges/http/route.hpp"
#include "kit/limiter/limiter.hpp"

namespace larder::errors {
inline constexpr ErrorCode rate_limited{ErrorKind::rate_limited, "rate_limited"};
}  // namespace larder::errors

namespace larder::http {

inline constexpr std::string_view rate_limit_header = "RateLimit";
inline constexpr std::string_view rate_policy_header = "RateLimit-Policy";

// Whether a route is limited, if any is: it can tell who calls.
inline bool is_rate_limited(Route const& route) { return route.access.needs_token(); }

// Thread-compatible: one per io thread. What it counts is in Redis, under `larder:rate:{<key>}:<operation>`,
// and so the same for all servers.
class RateLimit {
 public:
  RateLimit(redis::Redis& redis, Clock const& clock, limiter::Rule rule);

  struct Verdict {
    std::string left;              // the value of RateLimit; on a refusal, t is when to come back
    std::optional<Error> refused;  // with retry_after_s
  };
  // Counts the request, whose caller is known. Throws StoreError, never with an unknown outcome: whatever
  // became of the count, the request itself has not begun.
  Task<Verdict> count(Route const& route, Request const& request);

  // The name of the bucket of one caller and one operation.
  static std::string bucket_name(std::string_view caller, std::string_view operation);

  // The value of RateLimit-Policy.
  std::string const& policy() const { return policy_; }

 private:
  Task<limiter::Taken> take(limiter::Bucket bucket, TimeMs now);

  limiter::Limiter limiter_;
  Clock const& clock_;
  limiter::Rule rule_;
  std::string policy_;
};

}  // namespace larder::http
