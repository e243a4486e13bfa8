// What a request says about its sender.
#pragma once

#include "edges/http/http_types.hpp"
#include "kit/accounts/authenticator.hpp"

namespace larder::http {

// The texts belong to the request.
accounts::Credentials credentials_of(Request const& request);

// Whether the sender is on this machine. A proxy on this machine forwards requests from elsewhere, and says
// so in a header field.
bool is_local(Request const& request);

}  // namespace larder::http
