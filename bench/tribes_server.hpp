// Measures a server with tribes: actions over HTTP and over WebSockets, idle sockets, and logins.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace larder::bench {

void measure_tribes_server(std::filesystem::path const& directory, std::string const& larder, int rounds,
                           std::chrono::milliseconds time);

}  // namespace larder::bench
