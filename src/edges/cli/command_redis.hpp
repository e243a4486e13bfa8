// The Redis that a command works on.
#pragma once

#include "base/data_dir.hpp"
#include "base/error.hpp"
#include "kit/presence/clock_watch.hpp"
#include "stores/redis/configured.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include <optional>

namespace larder::cli {

// Runs a coroutine to its end, on this thread. Rethrows what the coroutine throws.
template <class T>
T run_here(asio::io_context& io, Task<T> task) {
  std::optional<T> value;
  std::exception_ptr failure;
  asio::co_spawn(io, std::move(task), [&](std::exception_ptr thrown, T result) {
    failure = std::move(thrown);
    if (!failure) value.emplace(std::move(result));
    io.stop();
  });
  io.restart();
  io.run();
  if (failure) std::rethrow_exception(failure);
  return std::move(*value);
}

// A Redis that the settings name. If it is embedded and not running, the command starts it. Throws SetupError
// if the clock of this machine differs too much from that of Redis.
class CommandRedis {
 public:
  enum class If { it_runs_use_it, it_runs_refuse };

  // The Redis that all systems share.
  CommandRedis(Config const& config, Metrics& metrics, If if_it_runs)
      : CommandRedis(config, metrics, if_it_runs, redis::main_place(config)) {}
  CommandRedis(Config const& config, Metrics& metrics, If if_it_runs, redis::Place place) {
    if (place.url.embedded) {
      auto const socket = place.socket();
      auto running = redis::parse_url(fmt::format("unix:{}", socket.string()));
      bool const use_it = if_it_runs == If::it_runs_use_it && std::filesystem::exists(socket);
      if (use_it && answers(config, running, metrics)) {
        place.url = std::move(running);
      } else {
        data_dir_.emplace(config.data);
        embedded_ = redis::start_if_embedded(place, *data_dir_);
      }
    }
    redis_.emplace(io, redis::client_options(config, std::move(place.url)), metrics);
    run_here(io, presence::check_clock(*redis_, std::chrono::seconds(config.server.clock_off_max_s)));
  }
  redis::Redis& operator*() { return *redis_; }

  asio::io_context io{1};

 private:
  static bool answers(Config const& config, redis::Url const& url, Metrics& metrics) {
    asio::io_context io{1};
    redis::Redis redis(io, redis::client_options(config, url), metrics);
    try {
      return run_here(io, [](redis::Redis& asked) -> Task<bool> {
        co_await asked.ping();
        co_return true;
      }(redis));
    } catch (StoreError const&) {
      return false;
    }
  }

  std::optional<DataDir> data_dir_;
  std::unique_ptr<redis::EmbeddedRedis> embedded_;
  std::optional<redis::Redis> redis_;
};

}  // namespace larder::cli
