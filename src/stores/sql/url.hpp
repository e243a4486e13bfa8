// The URL of an SQL database:
//   sqlite:/path
//   postgresql://user:pw@host:port/db?host=/socket/dir
//   mysql://user:pw@host:port/db?socket=/path
#pragma once

#include "stores/sql/session.hpp"

#include <string>
#include <string_view>

namespace larder::sql {

struct Url {
  Dialect dialect;
  std::string connect;  // the connection string for SOCI
  std::string shown;    // for messages: without the password
};

// Throws SetupError if the URL is wrong; the message lists the possible forms. Does not connect.
Url parse_url(std::string_view url);

}  // namespace larder::sql
