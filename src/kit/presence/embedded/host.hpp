// What a system inside another program needs, as a server would give it: the stores, the clock and two
// threads.
#pragma once

#include "base/data_dir.hpp"
#include "base/task.hpp"
#include "kit/presence/clock_watch.hpp"
#include "kit/presence/presence.hpp"
#include "stores/redis/embedded.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace larder::embedded {

struct HostOptions {
  std::filesystem::path data = "data";  // for the private redis-server and SQLite; one program at a time
  std::string redis = "embedded";       // or any Redis URL; several programs and servers may share one Redis
  std::string sql = {};                 // any SQL URL; empty: SQLite in `data`
  int replicas_min = -1;                // replicas that must have a write; -1: 1 on a cluster, else 0
};

// The owner makes its system from the parts of the host, calls start() last in its constructor, and stop()
// first in its destructor.
class Host {
 public:
  // Throws SetupError with a message that says what to do.
  explicit Host(HostOptions const& options);
  ~Host() { stop_threads(); }
  Host(Host const&) = delete;
  Host& operator=(Host const&) = delete;

  // Starts the threads and, on the background thread, the system: `load` before other servers know of this
  // one, `start` after that. Like a server, it refuses to work while the clock of this machine is not right.
  // While it works, a rebuild is refused.
  void start(std::function<Task<void>()> const& load, std::function<Task<void>()> const& start);
  // Awaits `stop` on the background thread, and then ends the threads.
  void stop(Task<void> stop);

  // Runs the task on io() and waits for its result. Call it from any thread except the thread of io().
  template <class T>
  T run(Task<T> task) {
    return asio::co_spawn(requests_, std::move(task), asio::use_future).get();
  }

  asio::io_context& io() { return requests_; }
  redis::Redis& redis() { return redis_; }
  asio::io_context& background_io() { return background_; }
  redis::Redis& background_redis() { return background_redis_; }
  redis::Options const& redis_options() const { return redis_options_; }
  sql::Database& sql() { return sql_; }
  Clock const& clock() const { return clock_; }
  Metrics& metrics() { return metrics_; }

 private:
  void run_in_background(Task<void> task);
  void stop_threads();

  SystemClock system_clock_;
  CheckedClock clock_{system_clock_, std::chrono::seconds(60)};
  Metrics metrics_;
  std::optional<DataDir> data_dir_;
  std::optional<redis::EmbeddedRedis> redis_server_;
  redis::Options redis_options_;
  asio::io_context background_{1};
  asio::io_context requests_{1};
  sql::Database sql_;
  redis::Redis background_redis_;
  redis::Redis redis_;
  presence::Presence presence_;
  presence::ClockWatch clock_watch_;
  std::vector<asio::executor_work_guard<Executor>> guards_;
  std::vector<std::thread> threads_;
};

}  // namespace larder::embedded
