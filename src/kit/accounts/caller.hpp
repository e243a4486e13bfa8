// Who sent a request.
#pragma once

#include "base/scope.hpp"

#include <string>

namespace larder::accounts {

struct Caller {
  std::string id;         // unique among callers; for logs, rate limits and idempotency keys; never the token
  std::string name;       // for people to read
  std::string player_id;  // set for a player token, empty for a service key
  ScopeSet scopes;

  bool allows(Scope scope) const { return scopes.allows(scope); }
};

}  // namespace larder::accounts
