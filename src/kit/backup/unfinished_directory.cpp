#include "kit/backup/unfinished_directory.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "kit/backup/backup_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace larder::backup {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view mark = "unfinished";
constexpr int removal_attempts = 50;  // a redis-server that is ending may still write there

SetupError problem(std::string_view verb, fs::path const& path, int code) {
  return SetupError(
      fmt::format("cannot {} {}: {}", verb, path.string(), std::generic_category().message(code)));
}

bool is_empty_directory(fs::path const& path) {
  std::error_code code;
  bool const empty = fs::is_directory(path, code) && fs::is_empty(path, code);
  if (code) throw SetupError(fmt::format("cannot read {}: {}", path.string(), code.message()));
  return empty;
}

bool is_mount_point(fs::path const& path) {
  struct ::statx info{};
  return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &info) == 0 &&
         (info.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

void check_goal(fs::path const& goal, bool may_have_files) {
  if (!fs::exists(goal)) return;
  if (!may_have_files && !is_empty_directory(goal))
    throw SetupError(fmt::format("{} is there already and is not an empty directory", goal.string()));
  if (is_mount_point(goal)) {
    throw SetupError(
        fmt::format("{0} is a mount point, which cannot be replaced in one step; name a directory inside it, "
                    "such as {0}/larder",
                    goal.string()));
  }
}

void remove_tree(fs::path const& path) {
  std::error_code code;
  for (int attempt = 0; attempt < removal_attempts; ++attempt) {
    code.clear();
    fs::remove_all(path, code);
    if (!code) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw SetupError(fmt::format("cannot remove {}: {}", path.string(), code.message()));
}

}  // namespace

fs::path full_path(std::string const& path) {
  auto full = fs::weakly_canonical(fs::absolute(path)).lexically_normal();
  return full.has_filename() || !full.has_relative_path() ? full : full.parent_path();
}

UnfinishedDirectory::UnfinishedDirectory(fs::path goal, std::string_view ending, IfNotEmpty if_not_empty)
    : goal_(std::move(goal)), path_(fs::path(goal_).concat(ending)) {
  check_goal(goal_, if_not_empty == IfNotEmpty::replace);
  remove_leftovers();
  if (::mkdir(path_.c_str(), 0700) != 0) throw problem("make", path_, errno);
  unfinished_ = true;
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ::flock(lock_, LOCK_EX | LOCK_NB);
  write_file(path_ / mark, "Larder has not completed this directory. Do not use it.\n");
}

UnfinishedDirectory::~UnfinishedDirectory() {
  if (unfinished_) {
    try {
      remove_tree(path_);
    } catch (SetupError const& error) {
      log::warn("an unfinished directory is left", {{"why", error.what()}});
    }
  }
  if (lock_ >= 0) ::close(lock_);
}

// Removes nothing that Larder has not made.
void UnfinishedDirectory::remove_leftovers() const {
  if (!fs::exists(fs::symlink_status(path_))) return;
  int const other = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool const busy = other >= 0 && ::flock(other, LOCK_EX | LOCK_NB) != 0;
  if (other >= 0) ::close(other);
  if (busy) throw SetupError(fmt::format("another larder is writing {}", path_.string()));
  bool const own = other >= 0 && (is_empty_directory(path_) || fs::exists(path_ / mark));
  if (!own) throw SetupError(fmt::format("{} is in the way; remove it", path_.string()));
  remove_tree(path_);
}

// Everything is on disk before the directory gets its name.
void UnfinishedDirectory::complete() {
  for (auto const& entry : fs::recursive_directory_iterator(path_)) {
    if (entry.is_directory() || entry.is_regular_file()) sync(entry.path());
  }
  if (::unlink((path_ / mark).c_str()) != 0) throw problem("complete", path_, errno);
  sync(path_);
}

void UnfinishedDirectory::finished() {
  unfinished_ = false;
  sync(goal_.parent_path());
}

void UnfinishedDirectory::finish() {
  complete();
  if (::rename(path_.c_str(), goal_.c_str()) != 0) throw problem("make", goal_, errno);
  finished();
}

void UnfinishedDirectory::finish_and_move(fs::path const& aside) {
  if (fs::exists(fs::symlink_status(aside)))
    throw SetupError(fmt::format("{} is in the way", aside.string()));
  complete();
  if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, goal_.c_str(), RENAME_EXCHANGE) == 0) {
    unfinished_ = false;  // now the older directory has that name
    if (::rename(path_.c_str(), aside.c_str()) != 0) throw problem("move aside", path_, errno);
  } else {
    if (errno != EINVAL && errno != ENOSYS) throw problem("replace", goal_, errno);
    if (::rename(goal_.c_str(), aside.c_str()) != 0) throw problem("move aside", goal_, errno);
    if (::rename(path_.c_str(), goal_.c_str()) != 0) throw problem("make", goal_, errno);
  }
  finished();
}

}  // namespace larder::backup
