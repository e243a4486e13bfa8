// Threads for work that keeps a core busy for milliseconds, such as hashing a password. On an io thread, such
// work would delay every other request of that thread.
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
// waits. If its work has not begun by then, the pool drops the work. The objects that the work holds may be
// destroyed on any thread.
class CpuPool {
 public:
  // At most `waiting_max` calls wait while every thread works. With 0, a call needs a free thread.
  CpuPool(std::size_t threads, std::size_t waiting_max);
  ~CpuPool();  // stops
  CpuPool(CpuPool const&) = delete;
  CpuPool& operator=(CpuPool const&) = delete;

  // Runs `work()` on a thread of the pool and resumes the caller on the caller's own io_context. An exception
  // that `work` throws is thrown here. Refusal: server_busy, if too many calls wait already or the pool has
  // stopped. This is a refusal and not an exception because a full queue is a rule, not a broken store.
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

  // Refuses the calls that wait, and returns when the work that is running has ended. Call it from a thread
  // outside the pool.
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
  std::size_t free_;  // threads that do not work
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
