// What redis-cli does with one command, without its process: a test asks thousands of times, and a program
// full of sanitizers forks slowly.
#pragma once

#include "support/redis_socket.hpp"

#include <string>
#include <vector>

namespace larder::test {

// What redis-cli prints: the text of the answer, of a list one line for each of its parts, of an error its
// message. Also if the server cannot be reached.
std::string redis_cli(std::string const& socket, RedisLogin const& as, std::vector<std::string> const& words);

}  // namespace larder::test
