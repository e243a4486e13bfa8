// Recognises players by their tokens.
#pragma once

#include "kit/accounts/authenticator.hpp"
#include "kit/accounts/revocations.hpp"
#include "kit/accounts/session_keys.hpp"

namespace larder::accounts {

inline constexpr std::string_view session_cookie = "larder_session";

// The value of a cookie in the field Cookie; empty if it is missing.
std::string_view cookie_value(std::string_view cookies, std::string_view name);

// Thread-safe. A token comes as `Authorization: Bearer <token>`, otherwise as
// `Sec-WebSocket-Protocol: larder, <token>`, otherwise in the cookie `larder_session`. A player has no
// scopes.
//
// A browser also sends the cookie for pages of other sites. So a request with a cookie that writes or asks
// for a WebSocket needs an Origin of this server, and any request with a foreign Origin is refused. The token
// is checked first: a page of another site learns no more than that.
class PlayerTokens final : public Scheme {
 public:
  // All must outlive the PlayerTokens.
  PlayerTokens(SessionKeys& keys, Revocations const& revocations, Clock const& clock)
      : keys_(keys), revocations_(revocations), clock_(clock) {}

  bool recognises(Credentials const& credentials) const override;
  // Also throws StoreError if nobody can tell which sessions have ended; see Revocations.
  Task<Result<Caller>> authenticate(Credentials credentials) override;
  bool is_over(Caller const& caller) const override;

 private:
  SessionKeys& keys_;
  Revocations const& revocations_;
  Clock const& clock_;
};

}  // namespace larder::accounts
