// The embedded Redis: a redis-server that is a private child process and listens on a unix socket in the
// data directory.
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
  std::int64_t memory_mb = 0;    // Redis refuses writes beyond this; 0: no limit
  int lock_fd = -1;              // inherited: keeps the data directory locked until Redis is also gone
};

// Redis runs until this object is stopped or destroyed. If Redis dies, it is started again. If this process
// dies, Redis also ends. With fsync "always", every acknowledged write is on disk.
class EmbeddedRedis {
 public:
  // Returns when Redis answers. Throws SetupError if the program is missing, the socket path is too long or
  // Redis does not start; the message then has the last line of its log.
  explicit EmbeddedRedis(EmbeddedOptions options);
  ~EmbeddedRedis();

  Url url() const;
  // Sends SIGTERM, and SIGKILL if Redis has not ended after 10 s. A second call does nothing.
  void stop();

 private:
  class Supervisor;
  std::unique_ptr<Supervisor> supervisor_;
};

}  // namespace larder::redis
