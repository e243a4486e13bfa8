// How the seeds talk to Redis: a command, then its answer, then the next command. Clients that share a
// connection wait for each other.
#pragma once

#include "stores/redis/redis.hpp"

#include <boost/asio/redirect_error.hpp>

namespace larder::bench {

class SeedConnection {
 public:
  SeedConnection(asio::io_context& io, redis::Options const& options, Metrics& metrics)
      : redis_(io, options, metrics), free_(io) {
    free_.expires_at(Timer::time_point::max());
  }

  Task<redis::Reply> command(redis::Use use, std::string_view key, std::vector<std::string_view> words) {
    co_await take();
    auto reply = co_await redis_.command(use, key, words);
    give_back();
    co_return reply;
  }

  Task<redis::Reply> run(redis::Use use, redis::Script const& script, redis::ScriptCall const& call) {
    co_await take();
    auto reply = co_await redis_.run(use, script, call);
    give_back();
    co_return reply;
  }

 private:
  Task<void> take() {
    boost::system::error_code told;
    while (taken_) co_await free_.async_wait(asio::redirect_error(use_task, told));
    taken_ = true;
  }
  void give_back() {
    taken_ = false;
    free_.cancel_one();
  }

  redis::Redis redis_;
  Timer free_;  // never over; cancelled for one who waits
  bool taken_ = false;
};

// Shared evenly by the clients.
class SeedConnections {
 public:
  SeedConnections(asio::io_context& io, redis::Options const& options, Metrics& metrics, int count) {
    for (int i = 0; i < count; ++i) all_.push_back(std::make_unique<SeedConnection>(io, options, metrics));
  }
  SeedConnection& of(int client) { return *all_[std::size_t(client) % all_.size()]; }

 private:
  std::vector<std::unique_ptr<SeedConnection>> all_;
};

}  // namespace larder::bench
