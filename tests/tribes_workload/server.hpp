// A server of the tribes with its own thread. Destroying it is like kill -9: everything that it was doing
// stops where it is, and what it has claimed stays claimed.
#pragma once

#include "systems/tribes/tribes_background.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>

#include <thread>

namespace larder::tribes {

class Server {
 public:
  Server(redis::Options const& options, sql::Database& sql, Clock const& clock, Metrics& metrics)
      : sql_(sql),
        redis_(io_, options, metrics),
        background_(io_, redis_, sql, clock, {}, metrics),
        tribes(redis_, background_.shared()),
        worlds(redis_, background_.shared()),
        work_(io_.get_executor()),
        thread_([this] { io_.run(); }) {
    begin(background_.start()).get();
  }
  ~Server() {
    io_.stop();
    thread_.join();
    // The projector's last transaction may still be on its way. SQLite has one writer, which comes to this
    // job afterwards.
    sql_.write_now([](sql::Session&) {});
  }
  Server(Server const&) = delete;
  Server& operator=(Server const&) = delete;

  template <class T>
  std::future<T> begin(Task<T> task) {
    return asio::co_spawn(io_, std::move(task), asio::use_future);
  }
  void spawn(Task<void> task) { asio::co_spawn(io_, std::move(task), asio::detached); }
  Task<void> stop() { return background_.stop(); }
  // The clock has moved. Without this call, the server notices that within two seconds.
  void wake(WorldId const& id, TimeMs now) {
    if (auto const world = background_.shared().worlds.find(id))
      background_.shared().wake_updates(*world, now);
  }

 private:
  asio::io_context io_{1};
  sql::Database& sql_;
  redis::Redis redis_;
  Background background_;

 public:
  Tribes tribes;
  Worlds worlds;

 private:
  asio::executor_work_guard<Executor> work_;
  std::thread thread_;
};

}  // namespace larder::tribes
