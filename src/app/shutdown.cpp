#include "app/shutdown.hpp"

#include "base/limits.hpp"
#include "base/log.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <thread>
#include <unistd.h>

namespace larder {

namespace {

sigset_t ending_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  return signals;
}

[[noreturn]] void end_by_force(char const* why) {
  log::error("stopped by force", {{"why", why}});
  log::flush();
  ::_exit(1);  // the embedded Redis ends with its parent; acknowledged changes are on disk
}

}  // namespace

Shutdown::Shutdown() {
  auto const signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::thread([this] { watch(); }).detach();
}

void Shutdown::watch() {
  auto const signals = ending_signals();
  int first = 0;
  ::sigwait(&signals, &first);
  {
    std::lock_guard const lock(mutex_);
    if (!started_) end_by_force("a signal during the start");
    asked_ = true;
    changed_.notify_all();
  }
  timespec const limit{.tv_sec = limits::shutdown_ms / 1000, .tv_nsec = 0};
  int second = 0;
  do {
    second = ::sigtimedwait(&signals, nullptr, &limit);
  } while (second < 0 && errno == EINTR);
  end_by_force(second < 0 ? "a store hangs" : "a second signal");
}

void Shutdown::wait() {
  std::unique_lock lock(mutex_);
  started_ = true;
  changed_.wait(lock, [&] { return asked_; });
}

}  // namespace larder
