// A lock between processes (flock): gone with its holder, however that ends.
#pragma once

#include <string>

namespace larder::sql {

// Thread-compatible; two FileLock objects exclude each other inside of one process too.
class FileLock {
 public:
  // Creates the file if there is none. Throws StoreError.
  explicit FileLock(std::string path);
  ~FileLock();
  FileLock(FileLock const&) = delete;
  FileLock& operator=(FileLock const&) = delete;

  // Throws StoreError if somebody else keeps it for too long (10 s).
  void lock();
  void unlock() noexcept;

 private:
  std::string path_;
  int file_;
};

}  // namespace larder::sql
