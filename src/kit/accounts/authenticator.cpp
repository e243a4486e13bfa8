#include "kit/accounts/authenticator.hpp"

namespace larder::accounts {

namespace {

Task<Result<Caller>> nobody() {
  co_return refuse(errors::unauthorized, "send Authorization: Bearer <token>");
}

}  // namespace

std::string bearer_token(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  bool const bearer = authorization.size() > scheme.size() &&
                      std::ranges::equal(authorization.substr(0, scheme.size()), scheme, [](char a, char b) {
                        return (a >= 'A' && a <= 'Z' ? char(a - 'A' + 'a') : a) == b;
                      });
  return bearer ? std::string(authorization.substr(scheme.size())) : std::string();
}

Task<Result<Caller>> Authenticator::authenticate(Credentials const& credentials) {
  for (auto* const scheme : schemes_) {
    if (scheme->recognises(credentials)) return scheme->authenticate(credentials);
  }
  return nobody();
}

}  // namespace larder::accounts
