// Which words of a command are keys, as the server itself says.
#pragma once

#include "support/monitor_line.hpp"
#include "support/redis_socket.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace larder::test {

class CommandKeys {
 public:
  // Asks the server for all its commands.
  explicit CommandKeys(RedisSocket& server);

  // If the keys of the command have no fixed places, asks the server. Without a server, such a command counts
  // as one without keys.
  std::vector<std::string> in(MonitorLine command, RedisSocket* server) const;

 private:
  // As in the answer to COMMAND: `first` is 0 if there are no keys, `last` counts from the end if it is
  // negative.
  struct Places {
    int first = 0;
    int last = 0;
    int step = 0;
    bool fixed = true;
  };
  static Places places_in(redisReply const& command);

  std::unordered_map<std::string, Places> places_;
};

}  // namespace larder::test
