// The URL of a webhook, taken apart.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace larder::webhooks {

struct Target {
  bool tls = false;
  std::string host;  // a name in lower case, or an address without brackets
  std::uint16_t port = 0;
  std::string authority;  // for the header Host
  std::string path;       // with the query
};

// Accepts http:// and https:// without user info and fragment. A refusal names the field url.
Result<Target> parse_target(std::string_view url);

}  // namespace larder::webhooks
