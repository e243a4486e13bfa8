// Finds out who sent a request: a chain of schemes, each for one kind of credentials.
#pragma once

#include "base/task.hpp"
#include "kit/accounts/caller.hpp"

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
};

// One kind of credentials.
class Scheme {
 public:
  virtual ~Scheme() = default;
  // True if these credentials are of this kind. Looks only at their form.
  virtual bool recognises(Credentials const& credentials) const = 0;
  // Refusal: errors::unauthorized, if the credentials prove nothing. Throws StoreError.
  virtual Task<Result<Caller>> authenticate(Credentials credentials) = 0;
};

// The first scheme that recognises the credentials decides. If none does, the refusal is
// errors::unauthorized. Thread-safe if its schemes are.
class Authenticator {
 public:
  // The schemes must outlive the Authenticator.
  explicit Authenticator(std::vector<Scheme*> schemes) : schemes_(std::move(schemes)) {}

  Task<Result<Caller>> authenticate(Credentials const& credentials);

 private:
  std::vector<Scheme*> schemes_;
};

}  // namespace larder::accounts
