// How the original programs talk to Redis: they send a command, wait for its answer, then send the next
// command. Clients that share a connection wait for each other.
#pragma once

#include "stores/redis/redis.hpp"

#include <boost/asio/redirect_error.hpp>

namespace larder::bench {

class OriginalConnection {
 public:
  OriginalConnection(asio::io_context& io, redis::Options const& options, Metrics& metrics)
      : redis_(io, options, metrics), free_(io) {
    free_.expires_at(Timer::time_point::max());
  }

  Task<redis::Reply> command(redis::Use use, std::string_view key, std::vector<std::string_view> words) {
    auto const turn = co_await take();
    co_return co_await redis_.command(use, key, words);
  }

  Task<redis::Reply> run(redis::Use use, redis::ScriptCall call) {
    auto const turn = co_await take();
    co_return co_await redis_.run(use, std::move(call));
  }

 private:
  struct GiveBack {
    void operator()(OriginalConnection* of) const {
      if (of->free_.cancel_one() == 0) of->taken_ = false;  // else the longest waiting client has it
    }
  };
  using Turn = std::unique_ptr<OriginalConnection, GiveBack>;

  Task<Turn> take() {
    boost::system::error_code told;
    if (std::exchange(taken_, true)) co_await free_.async_wait(asio::redirect_error(use_task, told));
    co_return Turn(this);
  }

  redis::Redis redis_;
  Timer free_;  // never expires; a cancel wakes one waiting client
  bool taken_ = false;
};

// The clients share the connections evenly.
class OriginalConnections {
 public:
  OriginalConnections(asio::io_context& io, redis::Options const& options, Metrics& metrics, int count) {
    for (int i = 0; i < count; ++i)
      all_.push_back(std::make_unique<OriginalConnection>(io, options, metrics));
  }
  OriginalConnection& of(int client) { return *all_[std::size_t(client) % all_.size()]; }

 private:
  std::vector<std::unique_ptr<OriginalConnection>> all_;
};

}  // namespace larder::bench
