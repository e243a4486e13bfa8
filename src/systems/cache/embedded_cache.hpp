// A complete Discord cache inside another program, with its own thread.
//
//   larder::cache::EmbeddedCache discord({.data = "bot"});
//   discord.run(discord.cache().apply(dispatches)).value();
//   auto const guild = discord.run(discord.cache().get({.kind = ObjectKind::guild, .id =
//   "41771983423143937"}));
//
// A program with its own io_context makes a redis::Redis and, from shared(), a Cache for each thread of that
// io_context, and awaits the same functions there.
#pragma once

#include "base/data_dir.hpp"
#include "stores/redis/embedded.hpp"
#include "systems/cache/cache_background.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>

#include <filesystem>
#include <thread>

namespace larder::cache {

struct EmbeddedCacheOptions {
  std::filesystem::path data = "data";  // for the private redis-server; one program at a time
  std::string redis = "embedded";       // or any Redis URL; several programs and servers may share one Redis
  std::int64_t memory_mb = 0;           // of the private redis-server; 0: no limit
  std::string prefix = "drc";
  std::string version_info = "v1";
  KeepRules keep = {};
};

class EmbeddedCache {
 public:
  // Returns when Redis answers. Throws SetupError with a message that says what to do.
  explicit EmbeddedCache(EmbeddedCacheOptions const& options);
  ~EmbeddedCache();
  EmbeddedCache(EmbeddedCache const&) = delete;
  EmbeddedCache& operator=(EmbeddedCache const&) = delete;

  // Call its functions with run(), or from coroutines on io().
  Cache& cache() { return cache_; }
  asio::io_context& io() { return io_; }

  // Runs the task on io() and waits for its result. Call it from any thread except the thread of io().
  template <class T>
  T run(Task<T> task) {
    return asio::co_spawn(io_, std::move(task), asio::use_future).get();
  }

  CacheShared const& shared() const { return work_.shared(); }
  redis::Options const& redis_options() const { return redis_options_; }
  Metrics& metrics() { return metrics_; }

 private:
  SystemClock clock_;
  Metrics metrics_;
  std::optional<DataDir> data_dir_;
  std::optional<redis::EmbeddedRedis> redis_server_;
  redis::Options redis_options_;
  asio::io_context io_{1};
  redis::Redis redis_;
  Background work_;
  Cache cache_;
  asio::executor_work_guard<Executor> guard_;
  std::thread thread_;
};

}  // namespace larder::cache
