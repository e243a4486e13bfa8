#include "kit/accounts/session_tokens.hpp"

#include "base/error.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <jwt.h>
#include <memory>

namespace larder::accounts {

namespace {

constexpr auto algorithm = JWT_ALG_HS256;
constexpr std::size_t signature_chars = 43;  // 32 bytes in base64url

struct FreeJwt {
  void operator()(jwt_t* jwt) const { jwt_free(jwt); }
};
using Jwt = std::unique_ptr<jwt_t, FreeJwt>;

unsigned char const* bytes(std::string const& text) {
  return reinterpret_cast<unsigned char const*>(text.data());
}

struct FreeText {
  void operator()(char* text) const { std::free(text); }
};
using JwtText = std::unique_ptr<char, FreeText>;

// Without a key, the signature is not checked.
Jwt decode(std::string const& token, std::string const* secret) {
  jwt_t* jwt = nullptr;
  auto const failed =
      jwt_decode(&jwt, token.c_str(), secret ? bytes(*secret) : nullptr, secret ? int(secret->size()) : 0);
  return Jwt(failed == 0 ? jwt : nullptr);
}

std::string text_claim(Jwt const& jwt, char const* name) {
  auto const* const text = jwt_get_grant(jwt.get(), name);
  return text ? text : "";
}

// jwt_get_grant_int() would take any other type for 0.
std::optional<std::int64_t> number_claim(Jwt const& jwt, char const* name) {
  JwtText const text(jwt_get_grants_json(jwt.get(), name));
  return text ? parse_int(text.get()) : std::nullopt;
}

}  // namespace

bool looks_like_session_token(std::string_view text) {
  auto const first = text.find('.');
  auto const second = text.find('.', first == std::string_view::npos ? first : first + 1);
  return text.size() <= limits::session_token_chars_max && first != 0 && first != std::string_view::npos &&
         second != std::string_view::npos && second > first + 1 &&
         text.size() - second - 1 == signature_chars && all_in_charset(text, "_.-") &&
         text.find('.', second + 1) == std::string_view::npos;
}

std::string sign_session(SessionKey const& key, SessionClaims const& claims, TimeMs now) {
  jwt_t* made = nullptr;
  LARDER_ASSERT(jwt_new(&made) == 0);
  Jwt const jwt(made);
  auto const& session = claims.session;
  bool const complete = jwt_set_alg(made, algorithm, bytes(key.secret), int(key.secret.size())) == 0 &&
                        jwt_add_header(made, "kid", fmt::to_string(key.number).c_str()) == 0 &&
                        jwt_add_grant(made, "sub", claims.player.str().c_str()) == 0 &&
                        jwt_add_grant_int(made, "gen", session.generation) == 0 &&
                        jwt_add_grant(made, "jti", session.id.c_str()) == 0 &&
                        jwt_add_grant_int(made, "iat", now.value / 1000) == 0 &&
                        jwt_add_grant_int(made, "exp", session.expires_at.value / 1000) == 0;
  LARDER_ASSERT(complete);
  JwtText const text(jwt_encode_str(made));
  LARDER_ASSERT(text);
  return text.get();
}

std::optional<std::int64_t> key_number_of(std::string_view token) {
  if (!looks_like_session_token(token)) return std::nullopt;
  auto const jwt = decode(std::string(token), nullptr);
  if (!jwt) return std::nullopt;
  auto const* const names = jwt_get_header(jwt.get(), "alg");
  auto const* const kid = jwt_get_header(jwt.get(), "kid");
  if (!names || std::string_view(names) != jwt_alg_str(algorithm) || !kid) return std::nullopt;
  return parse_int(kid);
}

std::optional<SessionClaims> read_session(SessionKey const& key, std::string_view token) {
  LARDER_ASSERT(!key.secret.empty());
  if (!looks_like_session_token(token)) return std::nullopt;
  auto const jwt = decode(std::string(token), &key.secret);
  if (!jwt || jwt_get_alg(jwt.get()) != algorithm) return std::nullopt;
  auto const player = UserId::from(text_claim(jwt, "sub"));
  auto id = text_claim(jwt, "jti");
  auto const generation = number_claim(jwt, "gen");
  auto const expires_s = number_claim(jwt, "exp");
  if (!player || id.empty() || !generation || !expires_s) return std::nullopt;
  if (*expires_s < 0 || *expires_s > limits::amount_max / 1000) return std::nullopt;
  return SessionClaims{
      .player = *player,
      .session = {.id = std::move(id), .generation = *generation, .expires_at = {*expires_s * 1000}}};
}

}  // namespace larder::accounts
