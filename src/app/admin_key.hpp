// The admin key that the first start makes.
#pragma once

#include "base/time.hpp"
#include "stores/sql/database.hpp"

#include <filesystem>
#include <string>

namespace larder {

// Makes an admin key if the database has none, and writes its token to `file`, which only the owner can
// read. If the server dies in between, the next start finds the token or makes another key. Throws
// SetupError or StoreError.
void keep_admin_key(sql::Database& sql, TimeMs now, std::filesystem::path const& file);

// A sentence that tells a person where the key is, or how to make one. Only the server that
// made the key has its token.
std::string admin_key_hint(std::filesystem::path const& file);

}  // namespace larder
