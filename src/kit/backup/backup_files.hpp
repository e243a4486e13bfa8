// The files of a backup. Each is new, belongs to its owner alone (mode 0600), and is on disk before anybody
// relies on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace larder::backup {

// Called now and then: how many bytes are done, and of how many.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

struct FileSum {
  std::uint64_t bytes = 0;
  std::string sha256 = {};
  friend bool operator==(FileSum const&, FileSum const&) = default;
};

// All of these throw SetupError: "cannot <do what> <path>: <why>".

FileSum sum_of(std::filesystem::path const& file, Progress const& progress = {});
// Returns the sum of what was read.
FileSum copy_file(std::filesystem::path const& from, std::filesystem::path const& to,
                  Progress const& progress = {});
// Copies and removes the file if the two paths are on different file systems.
void move_file(std::filesystem::path const& from, std::filesystem::path const& to,
               Progress const& progress = {});
void write_file(std::filesystem::path const& file, std::string_view text);
// A file or a directory.
void sync(std::filesystem::path const& path);

// Refuses to write that many bytes there if the disk could get full.
void refuse_if_full(std::filesystem::path const& directory, std::uint64_t bytes);

// The directory of an embedded Redis that starts with the data of this RDB file. Redis with `appendonly yes`
// reads only the files that the manifest of its append-only files names, so the RDB file becomes their base.
// The directory must exist. Returns the path that the RDB file must get.
std::filesystem::path prepare_append_only_files(std::filesystem::path const& redis_directory);

}  // namespace larder::backup
