// Signals: the first asks for a clean end, the second forces it.
#pragma once

#include <csignal>
#include <thread>

namespace larder {

// Make it before any other thread: threads inherit the blocked signals.
class Shutdown {
 public:
  Shutdown();
  ~Shutdown();
  Shutdown(Shutdown const&) = delete;
  Shutdown& operator=(Shutdown const&) = delete;

  // Until SIGINT or SIGTERM. From then on another one, or a store that hangs longer than limits::shutdown_ms,
  // ends the process at once.
  void wait();

 private:
  sigset_t signals_;
};

}  // namespace larder
