// A caller's Idempotency-Key, and the fingerprint of the request that it was sent with.
#pragma once

#include <string>

namespace larder {

struct IdempotencyKey {
  std::string key;          // includes the caller's id, so two callers may use the same text
  std::string fingerprint;  // of the request; one line, not empty
};

}  // namespace larder
