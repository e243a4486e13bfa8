// Handles SIGINT and SIGTERM. While the server starts, a signal ends it at once. After that, the first signal
// asks for a clean shutdown, and the second one forces the end.
#pragma once

#include <condition_variable>
#include <mutex>

namespace larder {

// Make one for the whole process, before any other thread: threads inherit the blocked signals.
class Shutdown {
 public:
  Shutdown();

  // Says that the start is over, and returns when SIGINT or SIGTERM arrives. After that, a second signal ends
  // the process at once; so does a shutdown that takes longer than limits::shutdown_ms.
  void wait();

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool started_ = false;
  bool asked_ = false;
};

}  // namespace larder
