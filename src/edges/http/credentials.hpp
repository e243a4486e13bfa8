// What a request says about its sender.
#pragma once

#include "edges/http/http_types.hpp"
#include "kit/accounts/authenticator.hpp"

namespace larder::http {

// The texts belong to the request.
accounts::Credentials credentials_of(Request const& request);

// Whether the sender is on this machine. A proxy on this machine forwards requests from elsewhere, and says
// so in a header field. Any such field counts, even an empty one.
bool is_local(Request const& request);

// What counts as one sender: an IPv4 address, or the first 64 bits of an IPv6 address, because one customer
// of a provider has all addresses that begin with them.
std::string sender_of(std::string const& address);
// With `behind_proxy`, the last address in X-Forwarded-For counts, which the proxy has added.
std::string sender_of(Request const& request, bool behind_proxy);

}  // namespace larder::http
