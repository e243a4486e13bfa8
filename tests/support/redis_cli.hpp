// Does what redis-cli does with one command, without a process: tests ask thousands of times, and a program
// with sanitizers forks slowly.
#pragma once

#include "support/redis_socket.hpp"

#include <string>
#include <vector>

namespace larder::test {

// Returns what redis-cli prints: the text of the answer, one line for each element of a list, or the message
// of an error. Does so even if the server cannot be reached.
std::string redis_cli(std::string const& socket, RedisLogin const& as, std::vector<std::string> const& words);

}  // namespace larder::test
