// The URL of Redis: `embedded`, `redis://[user:password@]host:port[/db]`, `unix:/path` or
// `redis+cluster://host:port,host:port`. With TLS, `rediss` replaces `redis`.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace larder::redis {

// A TCP address. If the port is 0, `host` is the path of a unix socket.
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

// Throws SetupError if the URL is wrong. The message lists the possible forms and never contains a password.
Url parse_url(std::string_view text);

}  // namespace larder::redis
