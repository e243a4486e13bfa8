// The calls of the cache's scripts.
#pragma once

#include "stores/redis/script_call.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder::cache::scripts {

// What must be true when the changes are made.
struct Check {
  std::string_view kind;  // as in write_changes.lua
  std::string_view key;
  std::string_view name = {};
  std::string_view value = {};
};

// One command of Redis.
struct Change {
  std::string_view command;
  std::vector<std::string_view> keys;
  std::vector<std::string_view> words = {};
};

redis::ScriptCall write_changes(std::span<Check const* const> checks, std::span<Change const* const> changes);

}  // namespace larder::cache::scripts
