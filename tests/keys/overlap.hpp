// Whether two patterns have a key in common.
#pragma once

#include "key_pattern.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace larder::keys {

// Values that a placeholder cannot have, because Larder refuses them.
struct Refused {
  std::set<std::string, std::less<>> values;   // the whole value
  std::set<std::string, std::less<>> endings;  // what follows the last colon of the value, or the whole value
};
using RefusedByName = std::map<std::string, Refused, std::less<>>;  // by the name of the placeholder

// A key that matches both patterns, if there is one. The search ignores how long a value may be, so it may
// find a key that is too long to exist, but it misses none.
std::optional<std::string> common_key(KeyPattern const& a, KeyPattern const& b, RefusedByName const& refused);

}  // namespace larder::keys
