#include "base/data_dir.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace larder {

namespace {

constexpr auto wait_limit = std::chrono::seconds(15);

pid_t owner_of(int fd) {
  char digits[16] = {};
  return ::pread(fd, digits, sizeof digits - 1, 0) > 0 ? pid_t(std::strtol(digits, nullptr, 10)) : 0;
}

constexpr ::mode_t of_others = 077;

bool is_larders(std::string_view name) {
  return name.starts_with("larder.") || name.starts_with("admin.key") || name.starts_with("redis");
}

// Whether nothing but Larder uses this directory.
bool is_own(std::filesystem::path const& path) {
  bool empty = true;
  for (auto const& entry : std::filesystem::directory_iterator(path)) {
    auto const name = entry.path().filename().string();
    if (name == "larder.lock" || name == "larder.db") return true;
    empty = empty && name == "lost+found";
  }
  return empty;
}

void close_to_others(std::filesystem::path const& path) {
  struct ::stat now{};
  if (::stat(path.c_str(), &now) != 0 || (now.st_mode & of_others) == 0) return;
  bool const shared = (now.st_mode & S_ISVTX) != 0;  // such as /tmp
  if (shared || !is_own(path) || ::chmod(path.c_str(), S_IRWXU) != 0) {
    throw SetupError(
        fmt::format("other users can read the data directory {0} (mode {1:04o}): run `chmod 700 {0}`, or "
                    "choose a directory inside it with --data",
                    path.string(), now.st_mode & 07777));
  }
  for (auto const& entry : std::filesystem::directory_iterator(path)) {
    struct ::stat file{};
    if (!is_larders(entry.path().filename().string()) || ::lstat(entry.path().c_str(), &file) != 0) continue;
    if (!S_ISLNK(file.st_mode) && (file.st_mode & of_others) != 0)
      ::chmod(entry.path().c_str(), file.st_mode & S_IRWXU);
  }
  log::warn("other users could read the data directory; now its mode is 0700",
            {{"directory", path.string()}, {"mode_was", fmt::format("{:04o}", now.st_mode & 07777)}});
}

SetupError unusable(std::string_view verb, std::filesystem::path const& path, std::error_code code) {
  return SetupError(
      fmt::format("cannot {} the data directory {}: {}; give the user of the server the right to do so, or "
                  "choose another directory with --data",
                  verb, path.string(), code.message()));
}

SetupError cannot_write(std::filesystem::path const& path) {
  return unusable("write to", path, std::error_code(errno, std::generic_category()));
}

bool alive(pid_t pid) { return pid > 0 && (::kill(pid, 0) == 0 || errno == EPERM); }

}  // namespace

void make_data_dir(std::filesystem::path const& path) {
  std::error_code code;
  bool const made = std::filesystem::create_directories(path, code);
  if (made && !code) std::filesystem::permissions(path, std::filesystem::perms::owner_all, code);
  if (code) throw unusable("make", path, code);
  try {
    close_to_others(path);
  } catch (std::filesystem::filesystem_error const& error) {
    throw unusable("read", path, error.code());
  }
}

DataDir::DataDir(std::filesystem::path const& path) {
  make_data_dir(path);
  auto const file = (path / "larder.lock").string();
  fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd_ < 0) throw cannot_write(path);

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
    auto const error = cannot_write(path);
    ::close(fd_);
    throw error;
  }
}

DataDir::~DataDir() { ::close(fd_); }

}  // namespace larder
