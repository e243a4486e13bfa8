// The manifest of a backup: what the files are, and how one sees whether they are whole.
#pragma once

#include "base/time.hpp"
#include "kit/backup/backup_files.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace larder::backup {

inline constexpr std::string_view manifest_name = "manifest.json";
inline constexpr std::string_view manifest_sum_name = "manifest.json.sha256";  // for `sha256sum -c`
inline constexpr std::string_view database_name = "larder.db";
inline constexpr std::string_view redis_name = "redis";
inline constexpr std::string_view rdb_ending = ".rdb";

struct Manifest {
  std::string version = {};                          // of the larder that made the backup
  TimeMs made_at = {};                               // everything acknowledged before is in the backup
  std::map<std::string, std::int64_t> schema = {};   // component -> version
  std::map<std::string, std::string> settings = {};  // of the command that made it, passwords hidden
  std::map<std::string, FileSum> files = {};
  friend bool operator==(Manifest const&, Manifest const&) = default;
};

// The file that has the data of the embedded Redis in this subdirectory of the data directory:
// "redis-cache.rdb". And back; empty if it is another file.
std::string rdb_of(std::string_view redis_directory);
std::string redis_directory_of(std::string_view file);

// Both files of the manifest.
void write_manifest(std::filesystem::path const& directory, Manifest const& manifest);
// Throws SetupError if the directory has no whole backup, as far as the manifest shows that, or if a newer
// larder has made it. Does not read the files that the manifest names.
Manifest read_manifest(std::filesystem::path const& directory);

// Throws SetupError if the file is not the one that the manifest names.
void check_sum(std::string const& name, FileSum const& is, FileSum const& should_be);

}  // namespace larder::backup
