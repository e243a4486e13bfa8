#include "kit/accounts/player_tokens.hpp"

#include "kit/accounts/origin.hpp"

namespace larder::accounts {

namespace {

std::string_view trim(std::string_view text) {
  auto const begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Calls `each` with every part of a list until it returns true.
template <class Each>
void for_each_part(std::string_view list, char separator, Each each) {
  while (!list.empty()) {
    auto const end = std::min(list.find(separator), list.size());
    if (each(trim(list.substr(0, end)))) return;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

// The offer that has the form of a token.
std::string_view token_among(std::string_view subprotocols) {
  std::string_view token;
  for_each_part(subprotocols, ',', [&](std::string_view offer) {
    if (!looks_like_session_token(offer)) return false;
    token = offer;
    return true;
  });
  return token;
}

struct Shown {
  std::string token;  // empty: none
  bool by_cookie = false;
};

Shown shown_token(Credentials const& credentials) {
  if (!credentials.authorization.empty()) {
    auto token = bearer_token(credentials.authorization);
    return {.token = looks_like_session_token(token) ? std::move(token) : std::string()};
  }
  if (auto const offered = token_among(credentials.subprotocol); !offered.empty()) {
    return {.token = std::string(offered)};
  }
  return {.token = std::string(cookie_value(credentials.cookie, session_cookie)), .by_cookie = true};
}

}  // namespace

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
  std::string_view value;
  for_each_part(cookies, ';', [&](std::string_view cookie) {
    auto const equals = cookie.find('=');
    if (equals == std::string_view::npos || cookie.substr(0, equals) != name) return false;
    value = cookie.substr(equals + 1);
    return true;
  });
  return value;
}

bool PlayerTokens::recognises(Credentials const& credentials) const {
  return !shown_token(credentials).token.empty();
}

Task<Result<Caller>> PlayerTokens::authenticate(Credentials credentials) {
  auto shown = shown_token(credentials);
  auto const claims = co_await keys_.read(std::move(shown.token));
  if (!claims) co_return std::unexpected(claims.error());
  auto const& [player, session] = *claims;
  if (session.expires_at <= clock_.now()) {
    co_return refuse(errors::unauthorized, "the session has expired; log in again");
  }
  if (revocations_.has_ended(player.str(), session)) {
    co_return refuse(errors::unauthorized, "the session has ended; log in again");
  }
  revocations_.check_fresh();
  if (shown.by_cookie) {
    auto const origin = compare_origin(credentials.origin, credentials.host);
    if (origin == Origin::foreign) {
      co_return refuse(errors::forbidden, "a page of another origin may not use the cookie");
    }
    if (origin == Origin::missing && credentials.acts) {
      co_return refuse(errors::forbidden, "with the cookie, this request needs an Origin of this server");
    }
  }
  co_return Caller{
      .id = player.str(), .name = player.str(), .player_id = player.str(), .scopes = {}, .session = session};
}

bool PlayerTokens::is_over(Caller const& caller) const {
  if (!caller.session) return false;
  return caller.session->expires_at <= clock_.unchecked() ||
         revocations_.has_ended(caller.player_id, *caller.session);
}

}  // namespace larder::accounts
