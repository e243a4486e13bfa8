// A directory that gets its name only when everything in it is complete and on disk.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace larder::backup {

// An absolute path without symbolic links, as far as it exists, and without a slash at its end.
std::filesystem::path full_path(std::string const& path);

// Until then, the directory is called `<goal><ending>`, and has a file `unfinished`. The destructor removes
// it if it did not get its name. If the process is killed, the next UnfinishedDirectory for the same goal
// removes what is left.
class UnfinishedDirectory {
 public:
  // The directory above the goal must exist. Throws SetupError if the goal is there and not empty (see
  // `replaces`), is a mount point, or is being made by another process.
  enum class IfNotEmpty { refuse, replace };
  UnfinishedDirectory(std::filesystem::path goal, std::string_view ending,
                      IfNotEmpty if_not_empty = IfNotEmpty::refuse);
  ~UnfinishedDirectory();
  UnfinishedDirectory(UnfinishedDirectory const&) = delete;
  UnfinishedDirectory& operator=(UnfinishedDirectory const&) = delete;

  std::filesystem::path const& path() const { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }

  // Gives the directory its name, which nothing but an empty directory may have by now.
  void finish();
  // The same, but the directory with that name gets the name `aside`. At each moment, one of the two is there
  // under the name of the goal, unless the file system cannot exchange names.
  void finish_and_move(std::filesystem::path const& aside);

 private:
  void remove_leftovers() const;
  void complete();
  void finished();

  std::filesystem::path goal_;
  std::filesystem::path path_;
  int lock_ = -1;
  bool unfinished_ = false;
};

}  // namespace larder::backup
