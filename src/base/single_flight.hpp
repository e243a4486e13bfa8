// Lets one coroutine do the work that many want at the same time, such as reading a table again. The others
// wait until the work is done.
//
//   SingleFlight reading;
//   co_await reading.run([&] { return read_table(); });
#pragma once

#include "base/task.hpp"

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace larder {

// Thread-safe: the callers may run on several io_contexts.
class SingleFlight {
 public:
  // Runs `work()`, a Task<void>, and returns true. If another caller's work with the same key is running,
  // waits until that work has ended, and returns false: the caller then checks what is left to do. If the
  // work throws, the callers that waited for it get the same exception. So during an outage, the callers do
  // not try and fail one after the other.
  template <class F>
  Task<bool> run(std::string key, F work) {
    if (auto const waiter = join(key, co_await asio::this_coro::executor)) {
      co_await wait(waiter);
      co_return false;
    }
    // No destructor calls land(): an io_context may destroy this frame after the SingleFlight is gone.
    try {
      co_await work();
    } catch (...) {
      land(key, std::current_exception());
      throw;
    }
    land(key, nullptr);
    co_return true;
  }
  // For a SingleFlight that does only one thing.
  template <class F>
  Task<bool> run(F work) {
    return run(std::string(), std::move(work));
  }

 private:
  struct Waiter;
  // Begins a flight and returns nullptr, or returns a waiter for the end of the current flight.
  std::shared_ptr<Waiter> join(std::string const& key, Executor const& executor);
  static Task<void> wait(std::shared_ptr<Waiter> waiter);
  void land(std::string const& key, std::exception_ptr const& failure);

  std::mutex mutex_;
  std::map<std::string, std::vector<std::shared_ptr<Waiter>>> flights_;  // those that are under way
};

}  // namespace larder
