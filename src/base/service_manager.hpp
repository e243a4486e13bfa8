// Tells the service manager, such as systemd, what this process does. The protocol is that of sd_notify(3):
// datagrams to a unix socket, with assignments such as READY=1 and STATUS=text.
#pragma once

#include "base/task.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace larder {

// Thread-safe. If there is no service manager, or if it does not listen, nothing happens.
class ServiceManager {
 public:
  // Nobody listens.
  ServiceManager() = default;
  // `address` is the path of a socket; with "@" at its begin, the name of an abstract socket.
  ServiceManager(std::string address, std::chrono::microseconds watchdog)
      : address_(std::move(address)), watchdog_(watchdog) {}
  // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, and removes them: they are not for the processes
  // that this one starts. Call it before other threads exist.
  static ServiceManager from_environment();

  // One line for people: what the process does or waits for. Changes nothing but what they see.
  void status(std::string_view text) const;
  void ready(std::string_view text) const;
  void stopping() const;
  void ping() const;
  // The manager kills the process after so long without a ping. 0: it wants no pings.
  std::chrono::microseconds watchdog() const { return watchdog_; }

 private:
  enum class Wait { yes, no };
  void tell(std::string const& state, Wait wait) const;

  std::string address_;
  std::chrono::microseconds watchdog_{0};
};

// Pings as long as this coroutine's own thread and the threads of all `loops` take their turns: before each
// ping, every loop must have run a handler since the one before. So the manager restarts a process in which a
// thread hangs. It does not notice a store that hangs, because a restart would not help. Each of the loops
// must run on one thread, and outlive the coroutine.
Task<void> ping_while_alive(ServiceManager service, std::vector<asio::io_context*> loops);

}  // namespace larder
