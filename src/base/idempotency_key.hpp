// A caller's Idempotency-Key and what it stands for.
#pragma once

#include <string>

namespace larder {

struct IdempotencyKey {
  std::string key;          // of this caller: two callers may use the same words
  std::string fingerprint;  // of the request; one line, not empty
};

}  // namespace larder
