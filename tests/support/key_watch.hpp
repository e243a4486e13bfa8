// Every script touches only the keys it was given: a Redis Cluster sends a call to the node that has them.
//
// A KeyWatch uses MONITOR, which shows each call of a script and then each command that the script runs.
// Scripts are atomic, so these commands stand together. Redis keeps the lines until finish() reads them.
//
// A script that was called without any key is not checked. Only tests call such scripts, by hand:
// redis::Redis insists on a key.
#pragma once

#include "support/command_keys.hpp"
#include "support/monitor_line.hpp"
#include "support/redis_socket.hpp"

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace larder::test {

// Keys that a script may name itself, because no caller can know them: its first key, followed by `ending`.
struct DerivedKeys {
  std::string script;  // its SHA-1
  std::string ending;  // a regular expression

  bool operator==(DerivedKeys const&) const = default;
};

class KeyWatch {
 public:
  // Begins to watch the server on this socket.
  KeyWatch(std::string const& socket, RedisLogin const& as, std::vector<DerivedKeys> const& derived = {});

  // Ends the watch. Returns a text for each use of a key that was not given. If the server no longer answers,
  // because it is dead or stopped, only what it sent before is checked.
  std::set<std::string> finish(bool answers = true);

 private:
  struct Call {
    std::string script;  // the SHA-1, or the name of a function
    std::vector<std::string> keys;
  };

  void see(MonitorLine line);
  void begin_call(MonitorLine line, std::string const& command);
  void check(MonitorLine command);
  bool may_name(std::string const& key) const;
  std::string described(MonitorLine command, std::string const& key) const;

  RedisSocket monitor_;
  RedisSocket questions_;
  CommandKeys const& commands_;
  std::vector<std::pair<std::string, std::regex>> derived_;  // script and ending
  bool answers_ = true;
  Call call_;
  std::map<std::string, std::string> titles_;  // of scripts, by SHA-1
  std::set<std::string> found_;
};

}  // namespace larder::test
