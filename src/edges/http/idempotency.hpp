// Idempotency-Key: a write that is sent again answers the same again, for 24 hours.
#pragma once

#include "base/idempotency_key.hpp"
#include "edges/http/route.hpp"
#include "stores/redis/redis.hpp"

namespace larder::errors {
inline constexpr ErrorCode in_progress{ErrorKind::conflict, "in_progress"};
inline constexpr ErrorCode idempotency_conflict{ErrorKind::unprocessable, "idempotency_conflict"};
}  // namespace larder::errors

namespace larder::http {

inline constexpr std::string_view idempotency_header = "Idempotency-Key";

// Nothing without the header; refused if it is not one.
Result<std::optional<IdempotencyKey>> read_idempotency_key(Request const& request);

// Whether the header means something to this route: a write that has no order id of its own.
bool takes_idempotency_key(Route const& route);

// For writes whose effect and answer cannot be kept in one script. Thread-compatible: one per io thread.
class Idempotency {
 public:
  explicit Idempotency(redis::Redis& redis) : redis_(redis) {}

  // Runs the handler, unless the caller has used the request's key before. If the server dies before the
  // answer is kept, the key stays "in progress" for a minute, then the request may run again.
  Task<Result<Response>> run_once(Route const& route, Part const& part, Request const& request);

 private:
  Task<Result<Response>> earlier_answer(std::string const& key, std::string_view fingerprint);

  redis::Redis& redis_;
};

}  // namespace larder::http
