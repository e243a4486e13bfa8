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

// Thread-compatible: one per io thread.
class Idempotency {
 public:
  // `running_ms` is how long a key stays "in progress" after its server has died.
  explicit Idempotency(redis::Redis& redis, int running_ms = limits::idempotency_running_ms)
      : redis_(redis), running_ms_(running_ms) {}

  // Answers a request with an Idempotency-Key, on a route that takes it. A caller's key belongs to one method
  // and path: on another one it is refused with idempotency_conflict, as long as the key is remembered.
  Task<Result<Response>> answer(Route const& route, Part const& part, Request const& request);

 private:
  // For writes whose effect and answer cannot be stored by one script. Runs the handler, unless the key was
  // used before; then it returns the first answer. While the handler runs, the key stays "in progress",
  // however long that takes. If the server dies before the answer is stored, the request may run again after
  // running_ms.
  Task<Result<Response>> run_once(Route const& route, Part const& part, Request const& request);
  // For writes whose own scripts store the answer. Costs one round trip, or two if the request is refused and
  // no script has kept the refusal: such a request leaves the key unused.
  Task<Result<Response>> run_noted(Route const& route, Part const& part, Request const& request);
  struct Running;
  Task<Response> run_taken(Route const& route, Part const& part, Request const& request, Running& running);
  Task<void> keep_in_progress(std::shared_ptr<Running> running);
  Task<bool> take(std::string const& key, std::string const& running);
  Task<Result<Response>> earlier_answer(std::string const& key, std::string_view fingerprint);

  redis::Redis& redis_;
  int running_ms_;
};

}  // namespace larder::http
