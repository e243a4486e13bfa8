#include "base/service_manager.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace larder {
namespace {

using namespace std::chrono_literals;

// The socket of a service manager. `name` as in NOTIFY_SOCKET.
class Listener {
 public:
  explicit Listener(std::string name) : name_(std::move(name)) {
    sockaddr_un at{.sun_family = AF_UNIX, .sun_path = {}};
    std::ranges::copy(name_, at.sun_path);
    if (name_.starts_with('@')) at.sun_path[0] = '\0';
    auto const size = socklen_t(offsetof(sockaddr_un, sun_path) + name_.size());
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr const*>(&at), size), 0);
  }
  ~Listener() {
    ::close(fd_);
    if (name_.starts_with('/')) std::filesystem::remove(name_);
  }
  Listener(Listener const&) = delete;
  Listener& operator=(Listener const&) = delete;

  std::string const& name() const { return name_; }
  // The next datagram; empty if there is none.
  std::string heard() const {
    std::array<char, 4096> bytes{};
    auto const size = ::recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    return {bytes.data(), size > 0 ? std::size_t(size) : 0};
  }

 private:
  std::string name_;
  int fd_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
};

std::string path_of_test() {
  auto const name = fmt::format("larder-notify-{}-{}", ::getpid(),
                                ::testing::UnitTest::GetInstance()->current_test_info()->line());
  return (std::filesystem::temp_directory_path() / name).string();
}

TEST(ServiceManager, tells_what_the_process_does) {
  for (auto const& name : {path_of_test(), "@" + path_of_test()}) {
    Listener const listener(name);
    ServiceManager const service(name, 0us);
    service.status("waiting\nREADY=1");
    EXPECT_EQ(listener.heard(), "STATUS=waiting READY=1") << "a text adds no assignment";
    service.ready("answers");
    EXPECT_EQ(listener.heard(), "READY=1\nSTATUS=answers");
    service.ping();
    EXPECT_EQ(listener.heard(), "WATCHDOG=1");
    service.stopping();
    EXPECT_EQ(listener.heard(), "STOPPING=1\nSTATUS=stopping");
    EXPECT_EQ(listener.heard(), "");
  }
}

TEST(ServiceManager, does_nothing_if_nobody_listens) {
  for (auto const& name : {std::string(), path_of_test(), "@" + path_of_test(), std::string("vsock:2:1"),
                           "/" + std::string(200, 'x')}) {
    ServiceManager const service(name, 0us);
    service.ready("answers");
    service.ping();
  }
}

TEST(ServiceManager, takes_the_variables_from_the_environment) {
  struct Case {
    std::string usec, pid;
    std::chrono::microseconds watchdog;
  };
  auto const mine = fmt::to_string(::getpid());
  for (auto const& [usec, pid, watchdog] :
       {Case{"30000000", mine, 30s}, Case{"30000000", "", 30s}, Case{"30000000", "1", 0s}, Case{"", mine, 0s},
        Case{"x", mine, 0s}, Case{"-1", mine, 0s}, Case{"0", mine, 0s}}) {
    Listener const listener(path_of_test());
    ::setenv("NOTIFY_SOCKET", listener.name().c_str(), 1);
    ::setenv("WATCHDOG_USEC", usec.c_str(), 1);
    ::setenv("WATCHDOG_PID", pid.c_str(), 1);
    auto const service = ServiceManager::from_environment();
    EXPECT_EQ(service.watchdog(), watchdog) << usec << " " << pid;
    for (auto const* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
      EXPECT_EQ(std::getenv(name), nullptr) << name << " is not for child processes";
    service.ping();
    EXPECT_EQ(listener.heard(), "WATCHDOG=1");
  }
}

// The loops run only when a test says so.
struct Loops {
  explicit Loops(std::string const& name) {
    asio::co_spawn(background, ping_while_alive(ServiceManager(name, 4ms), {&first, &second}),
                   asio::detached);
  }
  void turn(std::initializer_list<asio::io_context*> loops) {
    for (auto* loop : loops) {
      loop->restart();
      if (loop != &background) {
        loop->poll();
        continue;
      }
      for (int i = 0; i < 20; ++i) loop->run_one_for(1min);  // enough handlers for some pauses between pings
    }
  }
  asio::io_context background{1};
  asio::io_context first{1};
  asio::io_context second{1};
};

TEST(PingWhileAlive, needs_a_turn_of_every_loop_before_each_ping) {
  Listener const listener(path_of_test());
  Loops loops(listener.name());
  loops.turn({&loops.background});
  EXPECT_EQ(listener.heard(), "WATCHDOG=1");
  loops.turn({&loops.first, &loops.background, &loops.background});
  EXPECT_EQ(listener.heard(), "") << "the second loop hangs";
  loops.turn({&loops.second, &loops.background});
  EXPECT_EQ(listener.heard(), "WATCHDOG=1");
  loops.turn({&loops.second, &loops.background});
  EXPECT_EQ(listener.heard(), "") << "the first loop hangs";
  loops.turn({&loops.first});
  EXPECT_EQ(listener.heard(), "") << "the loop that pings hangs";
  loops.turn({&loops.background});
  EXPECT_EQ(listener.heard(), "WATCHDOG=1");
}

TEST(PingWhileAlive, ends_at_once_if_nobody_wants_pings) {
  asio::io_context io;
  asio::co_spawn(io, ping_while_alive(ServiceManager(), {&io}), asio::detached);
  io.run();
  SUCCEED();
}

}  // namespace
}  // namespace larder
