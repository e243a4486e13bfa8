// Who may call, asked by the server before it runs a handler.
#pragma once

#include "edges/http/http_types.hpp"

namespace larder {

// One per io thread. `authorization` is the whole header value, "Bearer ...", never empty; a token that
// opens nothing is refused with errors::unauthorized.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  virtual Task<Result<Caller>> authenticate(std::string_view authorization) = 0;
};

}  // namespace larder
