#include "kit/accounts/authenticator.hpp"

namespace larder::accounts {

namespace {

Task<Result<Caller>> nobody() {
  co_return refuse(errors::unauthorized, "send Authorization: Bearer <token>");
}

}  // namespace

Task<Result<Caller>> Authenticator::authenticate(Credentials const& credentials) {
  for (auto* const scheme : schemes_) {
    if (scheme->recognises(credentials)) return scheme->authenticate(credentials);
  }
  return nobody();
}

}  // namespace larder::accounts
