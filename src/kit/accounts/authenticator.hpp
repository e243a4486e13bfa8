// Who a request comes from: a chain of schemes, each of which knows one kind of credentials.
#pragma once

#include "base/task.hpp"
#include "kit/accounts/caller.hpp"

#include <string_view>
#include <vector>

namespace larder::accounts {

// What a request may prove its caller with: the values of its header fields, each empty if the field is
// missing. The texts stay while the request is answered.
struct Credentials {
  std::string_view authorization = {};  // "Bearer lk_..."
  std::string_view cookie = {};
  std::string_view subprotocol = {};  // Sec-WebSocket-Protocol
  std::string_view origin = {};       // compare_origin() says whether it is this server's
  std::string_view host = {};
};

// One kind of credentials.
class Scheme {
 public:
  virtual ~Scheme() = default;
  // Whether these credentials are of this kind. Looks only at their form.
  virtual bool recognises(Credentials const& credentials) const = 0;
  // Refuses with errors::unauthorized what proves nothing. Throws StoreError.
  virtual Task<Result<Caller>> authenticate(Credentials credentials) = 0;
};

// The first scheme that recognises the credentials decides. Thread-safe if its schemes are.
class Authenticator {
 public:
  // The schemes must outlive it.
  explicit Authenticator(std::vector<Scheme*> schemes) : schemes_(std::move(schemes)) {}

  Task<Result<Caller>> authenticate(Credentials const& credentials);

 private:
  std::vector<Scheme*> schemes_;
};

}  // namespace larder::accounts
