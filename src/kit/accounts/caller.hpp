// Who sent a request.
#pragma once

#include "base/scope.hpp"
#include "base/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace larder::accounts {

// A player's session: what a player token says besides the player's id.
struct Session {
  std::string id;               // unique among sessions
  std::int64_t generation = 0;  // of the account when the session began; see Revocations
  TimeMs expires_at;
  friend bool operator==(Session const&, Session const&) = default;
};

struct Caller {
  std::string id;         // unique among callers; for logs, rate limits and idempotency keys; never the token
  std::string name;       // for people to read
  std::string player_id;  // set for a player token, empty for a service key
  ScopeSet scopes;
  std::optional<Session> session = {};  // of a player token
  // Of a service key: whether it may only read, and the only realms of the economy that it may touch (empty:
  // all).
  bool read_only = false;
  std::vector<std::string> realms = {};

  bool allows(Scope scope) const { return scopes.allows(scope); }
};

}  // namespace larder::accounts
