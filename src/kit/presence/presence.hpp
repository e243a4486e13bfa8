// Knows which servers work on a Redis, so that a command that needs the Redis for itself can refuse to run.
//
// Each server keeps the key `larder:server:<id>` alive. A command that needs the Redis for itself first
// writes `larder:rebuilding`, then looks for servers. A server first writes its key, then looks for
// `larder:rebuilding`. So if both start at the same moment, at least one sees the other.
#pragma once

#include "base/error.hpp"
#include "base/task_group.hpp"
#include "stores/redis/redis.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::presence {

inline constexpr std::string_view closed_key = "larder:rebuilding";
inline constexpr std::string_view server_prefix = "larder:server:";

// Each server has one. It belongs to one io_context, whose thread calls its functions. If a server dies, its
// key expires within 30 s.
class Presence {
 public:
  Presence(asio::io_context& io, redis::Redis& redis);

  // Registers the server, and renews its key until leave(). Throws SetupError if the Redis is closed. If the
  // Redis is unavailable, returns and registers the server later.
  Task<void> enter();
  // Does not throw: if the key cannot be deleted, it expires.
  Task<void> leave();

 private:
  Task<void> say();
  Task<void> keep_saying();

  redis::Redis& redis_;
  std::string key_;
  std::string name_;
  TaskGroup tasks_;
};

// The names of the servers on this Redis: "<host>, process <pid>".
Task<std::vector<std::string>> servers(redis::Redis& redis);

// A rebuild has nothing to do: the Redis has data of the system.
class NotEmptyError : public SetupError {
 public:
  using SetupError::SetupError;
};

// A closed Redis refuses servers until it is opened again. It stays closed even if the process that
// closed it dies.
Task<bool> is_closed(redis::Redis& redis);
// The system whose rebuild was cut off; empty if none was.
Task<std::string> closed_for(redis::Redis& redis);
Task<void> open(redis::Redis& redis);

// Closes the Redis for `larder <system> rebuild`, which fills it from SQL and then opens it. `has_data` says
// whether the Redis has data of the system. Throws NotEmptyError if it has, unless an earlier rebuild of the
// same system was cut off, and SetupError if the rebuild of another system was cut off or if a server works
// on this Redis.
Task<void> close_for_rebuild(redis::Redis& redis, std::string system, std::function<Task<bool>()> has_data);

// Closes the Redis for another command, such as "ledger adopt", which opens it at its end. Throws SetupError
// if a server works on this Redis, or if another command was cut off. Returns whether this command was cut
// off.
Task<bool> close_for(redis::Redis& redis, std::string command);

}  // namespace larder::presence
