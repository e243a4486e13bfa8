// The data directory, and the lock that keeps a second Larder out of it.
#pragma once

#include <filesystem>

namespace larder {

// Makes it with mode 0700 if it is missing. Throws SetupError.
void make_data_dir(std::filesystem::path const& path);

// Held until it is destroyed and every process that inherited fd() is gone: a Redis that outlives a killed
// Larder for a moment keeps the directory locked.
class DataDir {
 public:
  // Makes the directory if it is missing. Throws SetupError if another Larder has it; if that
  // one has just died, waits for what it left running.
  explicit DataDir(std::filesystem::path const& path);
  ~DataDir();
  DataDir(DataDir const&) = delete;
  DataDir& operator=(DataDir const&) = delete;

  int lock_fd() const { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace larder
