// A directory for one test. The destructor removes it with everything in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace larder::test {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(TempDir const&) = delete;
  TempDir& operator=(TempDir const&) = delete;

  std::filesystem::path const& path() const { return path_; }
  // Short enough for the path of a unix socket.
  std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace larder::test
