// Player tokens: JSON Web Tokens, signed with HS256 and nothing else.
//
//   header  {"alg":"HS256","kid":"7","typ":"JWT"}
//   claims  {"sub":<player's id>,"gen":<generation>,"jti":<session's id>,"iat":<s>,"exp":<s>}
#pragma once

#include "base/ids.hpp"
#include "kit/accounts/caller.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace larder::accounts {

// A secret with which tokens are signed. Its number is the `kid`; a newer key has a higher number.
struct SessionKey {
  std::int64_t number = 0;
  std::string secret;  // 32 bytes
  TimeMs created_at;
};

struct SessionClaims {
  UserId player;
  Session session;
  friend bool operator==(SessionClaims const&, SessionClaims const&) = default;
};

// Whether the text has the form of a player token: three parts, the last with as many characters as HS256
// needs. Says nothing about whether the token is valid.
bool looks_like_session_token(std::string_view text);

// `expires_at` is cut to whole seconds.
std::string sign_session(SessionKey const& key, SessionClaims const& claims, TimeMs now);

// The number of the key that has signed this token, as the token itself says. Nothing if the token is
// malformed or names another algorithm.
std::optional<std::int64_t> key_number_of(std::string_view token);

// What the token says, if this key has signed it. Nothing for any other token, and for a token that lacks a
// claim. Does not look at the time.
std::optional<SessionClaims> read_session(SessionKey const& key, std::string_view token);

}  // namespace larder::accounts
