// The admin key that the first start makes.
#pragma once

#include "base/time.hpp"
#include "stores/sql/database.hpp"

#include <filesystem>
#include <string>

namespace larder {

// Makes an admin key if the database has none, and writes its token to `file`, readable by the owner only.
// Whenever the server dies, the next start finds the token or makes another key. Throws SetupError,
// StoreError.
void keep_admin_key(sql::Database& sql, TimeMs now, std::filesystem::path const& file);

// Where a person finds the key, or how to make one: only the server that made the key has its token.
std::string admin_key_hint(std::filesystem::path const& file);

}  // namespace larder
