// A lock between processes (flock). The lock ends with the process that holds it, even if that
// process is killed.
#pragma once

#include <string>

namespace larder::sql {

// Thread-compatible. Two FileLock objects also exclude each other within one process.
class FileLock {
 public:
  // Creates the file if it is missing. Throws StoreError if the file cannot be opened, and UnusableError
  // if its directory or a permission is missing.
  explicit FileLock(std::string path);
  ~FileLock();
  FileLock(FileLock const&) = delete;
  FileLock& operator=(FileLock const&) = delete;

  // Waits for the lock. Throws StoreError if another holder keeps it for 10 s.
  void lock();
  // Returns at once: false if another holder has it. Throws StoreError.
  bool try_lock();
  void unlock() noexcept;

 private:
  std::string path_;
  int file_;
};

}  // namespace larder::sql
