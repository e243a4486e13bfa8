// Where Redis is: `embedded`, `redis://[user:password@]host:port[/db]`, `unix:/path`,
// `redis+cluster://host:port,host:port`; `rediss` instead of `redis` for TLS.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace larder::redis {

// A TCP address, or a unix socket if port is 0.
struct Endpoint {
  std::string host;
  int port = 6379;
  friend auto operator<=>(Endpoint const&, Endpoint const&) = default;
  std::string str() const;
};

struct Url {
  bool embedded = false;
  bool cluster = false;
  bool tls = false;
  std::vector<Endpoint> endpoints;
  std::string user;
  std::string password;
  int db = 0;
};

// Throws SetupError that says what is possible; never repeats a password.
Url parse_url(std::string_view text);

}  // namespace larder::redis
