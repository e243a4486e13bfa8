// What commands that look into the stores share.
#pragma once

#include "app/server.hpp"
#include "base/data_dir.hpp"
#include "base/error.hpp"
#include "stores/redis/embedded.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace larder {

// Runs a coroutine to its end, here.
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

// The configured Redis; the embedded one is started if it does not run.
class TheRedis {
 public:
  enum class If { it_runs_use_it, it_runs_refuse };

  TheRedis(Config const& config, Metrics& metrics, If if_it_runs) {
    auto url = redis::parse_url(config.redis.url);
    if (url.embedded) {
      auto const socket = config.data_path("redis") / "redis.sock";
      auto running = redis::parse_url(fmt::format("unix:{}", socket.string()));
      bool const use_it = if_it_runs == If::it_runs_use_it && std::filesystem::exists(socket);
      url = use_it && answers(config, running, metrics) ? running : start(config);
    }
    redis_.emplace(io, redis_options(config, std::move(url)), metrics);
  }
  redis::Redis& operator*() { return *redis_; }

  asio::io_context io{1};

 private:
  static bool answers(Config const& config, redis::Url const& url, Metrics& metrics) {
    asio::io_context io{1};
    redis::Redis redis(io, redis_options(config, url), metrics);
    try {
      return run_here(io, [](redis::Redis& asked) -> Task<bool> {
        co_await asked.ping();
        co_return true;
      }(redis));
    } catch (StoreError const&) {
      return false;
    }
  }

  redis::Url start(Config const& config) {
    data_dir_.emplace(config.data);
    embedded_.emplace(redis::EmbeddedOptions{.directory = config.data_path("redis"),
                                             .binary = config.redis.binary,
                                             .fsync = config.redis.fsync,
                                             .lock_fd = data_dir_->lock_fd()});
    return embedded_->url();
  }

  std::optional<DataDir> data_dir_;
  std::optional<redis::EmbeddedRedis> embedded_;
  std::optional<redis::Redis> redis_;
};

// One line that is written over again and again.
class ProgressLine {
 public:
  ~ProgressLine() { clear(); }

  template <class Text>
  void show(Text text) {
    auto const now = std::chrono::steady_clock::now();
    if (!terminal_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    fmt::print(stderr, "\r\x1b[K{}", text(std::chrono::duration<double>(now - begin_).count()));
    shown_ = true;
  }
  void clear() {
    if (std::exchange(shown_, false)) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = begin_;
};

inline std::string per_second(std::int64_t count, double seconds) {
  return fmt::format("{:.0f} a second", double(count) / std::max(seconds, 0.001));
}

}  // namespace larder
