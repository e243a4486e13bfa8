// What an operator runs instead of `larder backup` and `larder restore` if Larder does not keep the data
// itself.
#pragma once

#include "base/config.hpp"

#include <filesystem>
#include <string>

namespace larder {

// Whether Larder keeps everything itself: in an embedded Redis and in SQLite.
bool keeps_all(Config const& config);

// The steps, one line each, with the commands for the stores that the settings name. Without passwords.
// `directory` is that of the backup, and an absolute path.
std::string backup_by_hand(Config const& config, std::filesystem::path const& directory);
std::string restore_by_hand(Config const& config, std::filesystem::path const& directory);

}  // namespace larder
