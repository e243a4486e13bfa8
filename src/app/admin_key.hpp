// The admin key that the first start makes.
#pragma once

#include "base/time.hpp"
#include "stores/sql/database.hpp"

#include <filesystem>
#include <string>

namespace larder {

// At the first start of a database without an admin key, makes one and writes its token to `file`, which only
// the owner can read. If the server dies in between, the next start finds the token or makes the key. Later
// starts make none, even if all admin keys are revoked. Returns words that tell a person where the key is, or
// how to make one: only the server that made the key has its token. Throws SetupError or StoreError.
std::string keep_admin_key(sql::Database& sql, TimeMs now, std::filesystem::path const& file);

}  // namespace larder
