// A load of HTTP requests over keep-alive connections, with one request at a time on each.
#pragma once

#include "measure.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace larder::bench {

struct HttpLoad {
  std::uint16_t port = 0;
  int connections = 64;
  std::chrono::milliseconds time{1000};
  std::function<std::string()> next_request;  // the whole request, ready to be sent
};

// Throws if an answer is not 2xx.
Rate run_http_load(HttpLoad const& load);

}  // namespace larder::bench
