// sqlite:/path   postgresql://user:pw@host:port/db?host=/socket/dir mysql://user:pw@host:port/db?socket=/path
#pragma once

#include "stores/sql/sql_session.hpp"

#include <string>
#include <string_view>

namespace larder {

struct SqlUrl {
  Dialect dialect;
  std::string connect;  // what SOCI wants to hear
  std::string shown;    // for messages: without the password
};

// Throws SetupError that says what is possible. Does not connect.
SqlUrl parse_sql_url(std::string_view url);

}  // namespace larder
