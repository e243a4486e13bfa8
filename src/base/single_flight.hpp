// Lets one coroutine do what many want at the same time, such as reading a table again. The others wait for
// it.
#pragma once

#include "base/task.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace larder {

// Thread-safe: its callers may run on several io_contexts.
class SingleFlight {
 public:
  // Runs `work()`, a Task<void>, and returns true. If it is already running for somebody else, waits until
  // that run has ended, however it ended, and returns false: then look whether there is anything left to do.
  // What the work throws reaches only the caller who ran it.
  template <class F>
  Task<bool> run(F work) {
    if (auto const waiter = join(co_await asio::this_coro::executor)) {
      co_await wait(waiter);
      co_return false;
    }
    // No destructor does this: an io_context may destroy the frame when the flight is gone.
    try {
      co_await work();
    } catch (...) {
      land();
      throw;
    }
    land();
    co_return true;
  }

 private:
  struct Waiter;
  // Begins a flight, or returns a waiter for the end of the one that is under way.
  std::shared_ptr<Waiter> join(Executor const& executor);
  static Task<void> wait(std::shared_ptr<Waiter> waiter);
  void land();

  std::mutex mutex_;
  bool flying_ = false;
  std::vector<std::shared_ptr<Waiter>> waiters_;
};

}  // namespace larder
