// Records in which order Redis servers ran their scripts: MONITOR shows every call.
#pragma once

#include "support/process.hpp"
#include "support/redis_servers.hpp"
#include "support/temp_dir.hpp"

#include <memory>
#include <string>
#include <vector>

namespace larder::economy {

// A call of a script, as MONITOR shows it.
struct Seen {
  std::string sha;
  std::vector<std::string> words;  // keys and arguments
};

class Monitors {
 public:
  // Sees every call from now on. Fails the test if a server shows nothing.
  void start(std::vector<test::RedisServer const*> servers, test::TempDir const& dir);
  // Returns when every call up to now was seen.
  void stop();
  std::size_t count() const { return servers_.size(); }
  std::vector<Seen> calls(std::size_t server) const;

 private:
  std::vector<test::RedisServer const*> servers_;
  std::vector<std::string> files_;
  std::vector<std::unique_ptr<test::Process>> processes_;
};

}  // namespace larder::economy
