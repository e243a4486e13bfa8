// Larder's own redis-server: a private child process on a unix socket in the data directory.
#pragma once

#include "stores/redis/url.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace larder::redis {

struct EmbeddedOptions {
  std::filesystem::path directory;  // made with mode 0700 if missing
  std::string binary = "redis-server";
  std::string fsync = "always";  // or "everysec"
  int lock_fd = -1;              // inherited: the data directory stays locked until Redis is gone too
};

// Runs until it is stopped or destroyed: started again if it dies, and it dies with this process. Every
// acknowledged write is on disk (with fsync "always").
class EmbeddedRedis {
 public:
  // Returns when Redis answers. Throws SetupError: program missing, socket path too long, log says why.
  explicit EmbeddedRedis(EmbeddedOptions options);
  ~EmbeddedRedis();

  Url url() const;
  // SIGTERM, and SIGKILL if that does not help.
  void stop();

 private:
  class Supervisor;
  std::unique_ptr<Supervisor> supervisor_;
};

}  // namespace larder::redis
