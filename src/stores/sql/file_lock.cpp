#include "stores/sql/file_lock.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace larder::sql {

namespace {

constexpr std::chrono::seconds patience{10};

// Waiting neither creates a directory nor grants a permission.
bool stays_wrong(int code) {
  return code == ENOENT || code == ENOTDIR || code == EISDIR || code == EACCES || code == EPERM ||
         code == EROFS || code == ENAMETOOLONG || code == ELOOP;
}

StoreError failure(std::string const& path, int code) {
  return {fmt::format("cannot lock {}: {}", path, std::generic_category().message(code)), false};
}

}  // namespace

FileLock::FileLock(std::string path)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ >= 0) return;
  int const code = errno;
  if (stays_wrong(code)) throw UnusableError(failure(path_, code).what());
  throw failure(path_, code);
}

FileLock::~FileLock() { ::close(file_); }

bool FileLock::try_lock() {
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK || errno == EINTR) return false;
  throw failure(path_, errno);
}

void FileLock::lock() {
  using std::chrono::steady_clock;
  auto const deadline = steady_clock::now() + patience;
  // Polls, because only a signal could end a blocking flock.
  while (!try_lock()) {
    if (steady_clock::now() > deadline) {
      throw StoreError(fmt::format("another process keeps {} locked", path_), false);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void FileLock::unlock() noexcept { ::flock(file_, LOCK_UN); }

}  // namespace larder::sql
