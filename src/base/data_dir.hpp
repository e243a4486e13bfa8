// The data directory, and the lock that keeps a second server out of it.
#pragma once

#include <filesystem>

namespace larder {

// Makes the directory with mode 0700 if it is missing. If other users can read a directory that is empty or
// Larder's own, changes its mode, and that of Larder's files in it, and says so in the log. Throws SetupError
// if that fails, or if others can read a directory with other things in it.
void make_data_dir(std::filesystem::path const& path);

// A lock on the data directory. The lock ends when this object is destroyed and every process that inherited
// lock_fd() is gone. So if a Redis outlives a killed server for a moment, the directory stays locked.
class DataDir {
 public:
  // Makes the directory if it is missing. Throws SetupError if another server has the lock. If that server is
  // dead but a process that it started still holds the lock, waits up to 15 s for that process to end.
  explicit DataDir(std::filesystem::path const& path);
  ~DataDir();
  DataDir(DataDir const&) = delete;
  DataDir& operator=(DataDir const&) = delete;

  int lock_fd() const { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace larder
