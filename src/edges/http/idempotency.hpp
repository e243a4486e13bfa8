// Idempotency-Key: for 24 hours, the same write with the same key gets the same answer.
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

// The text of the header. Nothing if the request does not have it. Refused if it is not valid.
Result<std::optional<std::string>> read_idempotency_text(Request const& request);

// The same text as a key of the caller, for exactly this request.
Result<std::optional<IdempotencyKey>> read_idempotency_key(Request const& request);

// Where the answer is kept. The text of the header is the caller's choice, so the key has only its hash.
std::string idempotency_redis_key(IdempotencyKey const& key);

// Whether the route accepts the header: it is a write without an order id and without secrets.
bool takes_idempotency_key(Route const& route);

// For writes whose effect and answer cannot be stored by one script. Thread-compatible: one per io thread.
class Idempotency {
 public:
  explicit Idempotency(redis::Redis& redis) : redis_(redis) {}

  // Runs the handler, unless the caller has used the request's key before; then it returns the first answer.
  // If the server dies before the answer is stored, the key stays "in progress" for a minute. After that,
  // the request may run again.
  Task<Result<Response>> run_once(Route const& route, Part const& part, Request const& request);

 private:
  Task<Result<Response>> earlier_answer(std::string const& key, std::string_view fingerprint);

  redis::Redis& redis_;
};

}  // namespace larder::http
