#include "app/shutdown.hpp"

#include "base/limits.hpp"
#include "base/log.hpp"

#include <unistd.h>

namespace larder {

Shutdown::Shutdown() {
  ::sigemptyset(&signals_);
  ::sigaddset(&signals_, SIGINT);
  ::sigaddset(&signals_, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

Shutdown::~Shutdown() = default;

void Shutdown::wait() {
  int signal = 0;
  ::sigwait(&signals_, &signal);
  std::thread([signals = signals_] {
    timespec const limit{.tv_sec = limits::shutdown_ms / 1000, .tv_nsec = 0};
    int second = 0;
    do {
      second = ::sigtimedwait(&signals, nullptr, &limit);
    } while (second < 0 && errno == EINTR);
    log::error("stopped by force", {{"why", second < 0 ? "a store hangs" : "a second signal"}});
    log::flush();
    ::_exit(1);  // the embedded Redis follows its parent; what was acknowledged is on its disk
  }).detach();
}

}  // namespace larder
