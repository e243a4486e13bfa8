// Finds out who sent a request: a chain of schemes, each for one kind of credentials.
#pragma once

#include "base/task.hpp"
#include "kit/accounts/caller.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace larder::accounts {

// The header fields that can prove who the caller is. A value is empty if its field is missing. The texts
// stay valid while the request is answered.
struct Credentials {
  std::string_view authorization = {};  // "Bearer lk_..."
  std::string_view cookie = {};
  std::string_view subprotocol = {};  // Sec-WebSocket-Protocol
  std::string_view origin = {};       // see compare_origin()
  std::string_view host = {};
  // The request writes, or asks for a WebSocket. Then a cookie is not enough: another site's page can make a
  // browser send it.
  bool acts = false;
};

// The token in "Bearer <token>"; empty if the field has another form.
std::string bearer_token(std::string_view authorization);

// One kind of credentials.
class Scheme {
 public:
  virtual ~Scheme() = default;
  // True if these credentials are of this kind. Looks only at their form.
  virtual bool recognises(Credentials const& credentials) const = 0;
  // Refusals: errors::unauthorized if the credentials prove nothing; errors::forbidden if they prove who
  // calls but may not be used in this way. Throws StoreError.
  virtual Task<Result<Caller>> authenticate(Credentials credentials) = 0;
  // True if the caller was let in by this scheme and has to go now, because its session is over. For
  // connections that stay open.
  virtual bool is_over(Caller const&) const { return false; }
};

// The first scheme that recognises the credentials decides. If none does, the refusal is
// errors::unauthorized. Thread-safe if its schemes are.
class Authenticator {
 public:
  // The schemes must outlive the Authenticator.
  explicit Authenticator(std::vector<Scheme*> schemes) : schemes_(std::move(schemes)) {}

  Task<Result<Caller>> authenticate(Credentials const& credentials);
  // Whether the session of a caller that was let in before is over. Asks no store.
  bool is_over(Caller const& caller) const {
    return std::ranges::any_of(schemes_, [&](Scheme const* scheme) { return scheme->is_over(caller); });
  }

 private:
  std::vector<Scheme*> schemes_;
};

}  // namespace larder::accounts
