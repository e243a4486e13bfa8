// Worker threads, each with its own database connection, and the queue of their jobs.
#pragma once

#include "base/metrics.hpp"
#include "stores/sql/driver.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace larder::sql {

struct Job {
  Mode mode;
  std::move_only_function<void(Session&)> work;
  std::move_only_function<void(std::exception_ptr)> done;  // called once, by a worker or by submit()
};

// Limits connection attempts while the SQL server is down. Only one attempt at a time finds out whether the
// server is back; all others fail at once. For 100 ms to 1 s after a failed attempt, every attempt fails at
// once. Thread-safe.
class ConnectGate {
 public:
  using Open = std::function<std::unique_ptr<Driver>()>;
  std::unique_ptr<Driver> open(Open const& open);

 private:
  std::mutex mutex_;
  int failures_ = 0;
  bool trying_ = false;
  std::chrono::steady_clock::time_point retry_at_;
  std::string why_;
};

struct SqlMetrics {
  explicit SqlMetrics(Metrics& metrics);
  prometheus::Histogram& read_seconds;
  prometheus::Histogram& write_seconds;
  prometheus::Counter& errors;
};

// Thread-safe. The destructor runs the jobs that still wait, then joins the threads.
class Workers {
 public:
  Workers(int threads, ConnectGate::Open open, SqlMetrics& metrics);
  ~Workers();
  Workers(Workers const&) = delete;
  Workers& operator=(Workers const&) = delete;

  void submit(Job job);

 private:
  void serve();
  bool take(Job& job);

  ConnectGate::Open open_;
  ConnectGate gate_;
  SqlMetrics& metrics_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace larder::sql
