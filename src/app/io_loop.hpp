// A thread that runs one io_context until it is stopped.
#pragma once

#include "base/task.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>

#include <thread>

namespace larder {

class IoLoop {
 public:
  IoLoop() : work_(io.get_executor()), thread_([this] { io.run(); }) {}
  ~IoLoop() { stop(); }
  IoLoop(IoLoop const&) = delete;
  IoLoop& operator=(IoLoop const&) = delete;

  // Runs the task on the thread of the loop and waits until it ends. Call it from another thread.
  void run(Task<void> task) { asio::co_spawn(io, std::move(task), asio::use_future).get(); }

  void stop() {
    io.stop();
    if (thread_.joinable()) thread_.join();
  }

  asio::io_context io{1};

 private:
  asio::executor_work_guard<Executor> work_;
  std::thread thread_;
};

}  // namespace larder
