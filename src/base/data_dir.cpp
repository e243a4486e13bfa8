#include "base/data_dir.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace larder {

namespace {

constexpr auto wait_limit = std::chrono::seconds(15);

pid_t owner_of(int fd) {
  char digits[16] = {};
  return ::pread(fd, digits, sizeof digits - 1, 0) > 0 ? pid_t(std::strtol(digits, nullptr, 10)) : 0;
}

bool alive(pid_t pid) { return pid > 0 && (::kill(pid, 0) == 0 || errno == EPERM); }

}  // namespace

void make_data_dir(std::filesystem::path const& path) {
  std::error_code code;
  bool const made = std::filesystem::create_directories(path, code);
  if (made && !code) std::filesystem::permissions(path, std::filesystem::perms::owner_all, code);
  if (code)
    throw SetupError(fmt::format("cannot make the data directory {}: {}", path.string(), code.message()));
}

DataDir::DataDir(std::filesystem::path const& path) {
  make_data_dir(path);
  auto const file = (path / "larder.lock").string();
  fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd_ < 0) throw SetupError(fmt::format("cannot write to the data directory {}", path.string()));

  auto const deadline = std::chrono::steady_clock::now() + wait_limit;
  while (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    auto const owner = owner_of(fd_);
    if (alive(owner) || std::chrono::steady_clock::now() > deadline) {
      ::close(fd_);
      throw SetupError(fmt::format(
          "the data directory {} is in use by another larder (process {}); stop that one or choose "
          "another directory with --data",
          path.string(), owner));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  auto const pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, pid.data(), pid.size(), 0) != ssize_t(pid.size())) {
    ::close(fd_);
    throw SetupError(fmt::format("cannot write to the data directory {}", path.string()));
  }
}

DataDir::~DataDir() { ::close(fd_); }

}  // namespace larder
