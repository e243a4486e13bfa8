// Signals: one while the server starts ends it at once, the first afterwards asks for a clean end, the second
// forces it.
#pragma once

#include <condition_variable>
#include <mutex>

namespace larder {

// Make it before any other thread: threads inherit the blocked signals. One for the whole process.
class Shutdown {
 public:
  Shutdown();

  // The start is over; returns with SIGINT or SIGTERM. From then on another one, or a store that hangs longer
  // than limits::shutdown_ms, ends the process at once.
  void wait();

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool started_ = false;
  bool asked_ = false;
};

}  // namespace larder
