// Which Larders work on a Redis, so that what must have it alone can refuse.
//
// Each server keeps `larder:server:<id>` alive there. Whoever wants the Redis alone first writes
// `larder:rebuilding`, then looks for servers; a server first says that it is there, then looks for that key.
// So of two that come at the same moment at least one sees the other.
#pragma once

#include "base/task_group.hpp"
#include "stores/redis/redis.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace larder::presence {

inline constexpr std::string_view closed_key = "larder:rebuilding";
inline constexpr std::string_view server_prefix = "larder:server:";

// One per server; lives on one io_context. If it dies, it is forgotten within half a minute.
class Presence {
 public:
  Presence(asio::io_context& io, redis::Redis& redis);

  // Throws SetupError if the Redis is closed. If it is away, it is told later.
  Task<void> enter();
  Task<void> leave();

 private:
  Task<void> say();
  Task<void> keep_saying();

  redis::Redis& redis_;
  std::string key_;
  std::string name_;
  TaskGroup tasks_;
};

// Names of the servers: "<host>, process <pid>".
Task<std::vector<std::string>> servers(redis::Redis& redis);

// Closed to servers, until it is opened again: it stays so if the one who closed it dies.
Task<bool> is_closed(redis::Redis& redis);
Task<void> close(redis::Redis& redis);
Task<void> open(redis::Redis& redis);

}  // namespace larder::presence
