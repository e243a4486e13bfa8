// Threads for work that keeps a core busy for milliseconds, such as hashing a password. On an io thread such
// work would make every other request of that thread wait.
//
//   CpuPool pool(2, 64);
//   CO_TRY(auto const hash, co_await pool.run([password] { return hash_of(password); }));
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace larder {

// Thread-safe: coroutines on any number of io_contexts share one pool. A coroutine may be destroyed while it
// waits. Work that has not begun is then forgotten, and what the work holds may be destroyed on any thread.
class CpuPool {
 public:
  // At most `waiting_max` calls wait for one of the threads.
  CpuPool(std::size_t threads, std::size_t waiting_max);
  ~CpuPool();  // stops
  CpuPool(CpuPool const&) = delete;
  CpuPool& operator=(CpuPool const&) = delete;

  // Runs `work()` on a thread of the pool, and goes on where the caller was. What the work throws is thrown
  // here. Refusal: server_busy, if too many wait already or the pool has stopped. It is a refusal and not an
  // exception because a full queue is a rule at work, not something broken.
  template <class F>
  Task<Result<std::invoke_result_t<F&>>> run(F work) {
    using Value = std::invoke_result_t<F&>;
    auto const outcome = std::make_shared<Outcome<Value>>();
    bool const done = co_await perform([work = std::move(work), outcome]() mutable { outcome->take(work); });
    if (!done) co_return std::unexpected(busy());
    if (outcome->failure) std::rethrow_exception(outcome->failure);
    if constexpr (std::is_void_v<Value>) {
      co_return Result<void>();
    } else {
      co_return std::move(*outcome->value);
    }
  }

  // Returns when the work that runs has ended. Calls that wait are refused. Call it from a thread outside of
  // the pool.
  void stop();

 private:
  template <class Value>
  struct Outcome {
    std::optional<Value> value;
    std::exception_ptr failure;
    template <class F>
    void take(F& work) {
      try {
        value.emplace(work());
      } catch (...) {
        failure = std::current_exception();
      }
    }
  };
  struct Job;

  static Error busy();
  // False if the work was refused.
  Task<bool> perform(std::move_only_function<void()> work);
  bool add(std::shared_ptr<Job> const& job);
  void run_jobs();

  std::size_t const waiting_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> waiting_;
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

template <>
struct CpuPool::Outcome<void> {
  std::exception_ptr failure;
  template <class F>
  void take(F& work) {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }
};

}  // namespace larder
