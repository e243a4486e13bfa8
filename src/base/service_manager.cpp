#include "base/service_manager.hpp"

#include "base/number.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace larder {

namespace {

std::string take_variable(char const* name) {
  auto const* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no other thread exists yet
  std::string text = value ? value : "";
  ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  return text;
}

// A line break would begin another assignment.
std::string without_breaks(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

}  // namespace

ServiceManager ServiceManager::from_environment() {
  auto address = take_variable("NOTIFY_SOCKET");
  auto const watchdog = parse_int<std::int64_t>(take_variable("WATCHDOG_USEC"));
  auto const pid = take_variable("WATCHDOG_PID");
  bool const is_mine = pid.empty() || parse_int<std::int64_t>(pid) == ::getpid();
  bool const pings = watchdog && *watchdog > 0 && is_mine;
  return {std::move(address), std::chrono::microseconds(pings ? *watchdog : 0)};
}

void ServiceManager::status(std::string_view text) const {
  tell("STATUS=" + without_breaks(text), Wait::yes);
}

void ServiceManager::ready(std::string_view text) const {
  tell("READY=1\nSTATUS=" + without_breaks(text), Wait::yes);
}

void ServiceManager::stopping() const { tell("STOPPING=1\nSTATUS=stopping", Wait::yes); }

void ServiceManager::ping() const { tell("WATCHDOG=1", Wait::no); }

void ServiceManager::tell(std::string const& state, Wait wait) const {
  sockaddr_un to{.sun_family = AF_UNIX, .sun_path = {}};
  bool const is_known_kind = address_.starts_with('/') || address_.starts_with('@');
  if (!is_known_kind || address_.size() >= sizeof(to.sun_path)) return;
  std::ranges::copy(address_, to.sun_path);
  if (to.sun_path[0] == '@') to.sun_path[0] = '\0';
  auto const size = socklen_t(offsetof(sockaddr_un, sun_path) + address_.size());

  int const fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  timeval const limit{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  int const flags = MSG_NOSIGNAL | (wait == Wait::no ? MSG_DONTWAIT : 0);
  ::sendto(fd, state.data(), state.size(), flags, reinterpret_cast<sockaddr const*>(&to), size);
  ::close(fd);
}

Task<void> ping_while_alive(ServiceManager service, std::vector<asio::io_context*> loops) {
  if (service.watchdog().count() == 0) co_return;
  auto const silent = std::make_shared<std::atomic<std::size_t>>(0);
  for (;;) {
    if (*silent == 0) {
      service.ping();
      *silent = loops.size();
      for (auto* const loop : loops) asio::post(*loop, [silent] { --*silent; });
    }
    auto const pause = std::chrono::duration_cast<std::chrono::milliseconds>(service.watchdog() / 4);
    co_await sleep_for(std::max(pause, std::chrono::milliseconds(1)));
  }
}

}  // namespace larder
