// Lets one coroutine do the work that many want at the same time, such as reading a table again. The others
// wait until the work is done.
#pragma once

#include "base/task.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace larder {

// Thread-safe: the callers may run on several io_contexts.
class SingleFlight {
 public:
  // Runs `work()`, a Task<void>, and returns true. If another caller's work is running, waits until that work
  // has ended, with success or not, and returns false: the caller then checks what is left to do. If the work
  // throws, only the caller that ran it gets the exception.
  template <class F>
  Task<bool> run(F work) {
    if (auto const waiter = join(co_await asio::this_coro::executor)) {
      co_await wait(waiter);
      co_return false;
    }
    // No destructor calls land(): an io_context may destroy this frame after the SingleFlight is gone.
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
  // Begins a flight and returns nullptr, or returns a waiter for the end of the current flight.
  std::shared_ptr<Waiter> join(Executor const& executor);
  static Task<void> wait(std::shared_ptr<Waiter> waiter);
  void land();

  std::mutex mutex_;
  bool flying_ = false;
  std::vector<std::shared_ptr<Waiter>> waiters_;
};

}  // namespace larder
