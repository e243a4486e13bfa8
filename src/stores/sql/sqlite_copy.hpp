// Copies a SQLite database that other processes read and write.
#pragma once

#include "stores/sql/file_lock.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace larder::sql {

// Thread-compatible. Neither writes to the database nor makes a checkpoint (see DESIGN.md: SQLite). Throws
// StoreError, or UnusableError if there is no such database.
class SqliteCopy {
 public:
  explicit SqliteCopy(std::string path);
  ~SqliteCopy();
  SqliteCopy(SqliteCopy const&) = delete;
  SqliteCopy& operator=(SqliteCopy const&) = delete;

  // Decides which moment the copy shows: now. While the returned lock is held, nobody writes to the database,
  // so hold it only for a moment: writers wait for ten seconds at most. A second call replaces the first.
  [[nodiscard]] std::unique_lock<FileLock> freeze();

  // What freeze() has seen. The versions of the components are those of migrations.hpp.
  std::map<std::string, std::int64_t> versions();
  std::uint64_t bytes();
  // Writes the copy to a file that does not exist. Until it is written, the log of the database (-wal) grows
  // with every write.
  using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;
  void write_to(std::string const& file, Progress const& progress = {});

 private:
  struct Handle;
  std::string path_;
  FileLock lock_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace larder::sql
