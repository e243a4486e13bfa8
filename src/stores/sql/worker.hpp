// Worker threads, each with its own database connection, and the queue of their jobs.
#pragma once

#include "base/metrics.hpp"
#include "stores/sql/driver.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace larder::sql {

// Either a worker begins a job, or the caller that waits for it gives it up: whichever comes first counts.
class Claim {
 public:
  bool take() { return !taken_.test_and_set(); }

 private:
  std::atomic_flag taken_;
};

struct Job {
  Mode mode;
  std::move_only_function<void(Session&)> work;
  std::move_only_function<void(std::exception_ptr)> done;  // called once, by a worker or by submit()
  TimeLimits limits = {};
  std::shared_ptr<Claim> claim = {};  // null: nobody gives it up
  std::uint64_t number = 0;           // set by submit()
};

// Limits connection attempts while the SQL server is down. Only one attempt at a time finds out whether the
// server is back; all others fail at once. For 100 ms to 1 s after a failed attempt, every attempt fails at
// once. Thread-safe.
class ConnectGate {
 public:
  using Open = std::function<std::unique_ptr<Driver>()>;
  // Throws StoreError, or UnusableError if the last attempt did.
  std::unique_ptr<Driver> open(Open const& open);

 private:
  void note(std::exception const& error, bool unusable);
  [[noreturn]] void fail() const;

  std::mutex mutex_;
  int failures_ = 0;
  bool trying_ = false;
  std::chrono::steady_clock::time_point retry_at_;
  std::string why_;
  bool unusable_ = false;  // the last attempt ended with an UnusableError
  bool worked_ = false;    // an attempt has succeeded before
};

struct SqlMetrics {
  explicit SqlMetrics(Metrics& metrics);
  prometheus::Histogram& read_seconds;
  prometheus::Histogram& write_seconds;
  prometheus::Counter& errors;
};

// Thread-safe. Begins the jobs in the order in which they came, but at most `writes_max` writes at the same
// time: reads overtake the other writes. The destructor runs the jobs that still wait, then joins the
// threads.
class Workers {
 public:
  Workers(int threads, int writes_max, ConnectGate::Open open, SqlMetrics& metrics);
  ~Workers();
  Workers(Workers const&) = delete;
  Workers& operator=(Workers const&) = delete;

  void submit(Job job);

 private:
  void serve();
  bool take(Job& job);
  void finished(Job const& job);
  std::deque<Job>* next();

  ConnectGate::Open open_;
  ConnectGate gate_;
  SqlMetrics& metrics_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> reads_;
  std::deque<Job> writes_;
  std::uint64_t jobs_ever_ = 0;
  int const writes_max_;
  int writing_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace larder::sql
