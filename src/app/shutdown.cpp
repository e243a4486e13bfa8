#include "app/shutdown.hpp"

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
    int second = 0;
    ::sigwait(&signals, &second);
    log::error("stopped by force");
    log::flush();
    ::_exit(1);  // the embedded Redis follows its parent; what was acknowledged is on its disk
  }).detach();
}

}  // namespace larder
