// Whom a system exports or forgets.
#pragma once

#include "base/ids.hpp"
#include "base/json.hpp"

#include <functional>
#include <string_view>

namespace larder::privacy {

// A user who is being forgotten, and what takes the place of the id wherever sums need an id.
struct Subject {
  UserId user;
  UserId pseudonym;
};

// Takes one object of an export. A system gives the objects of one section one after the other.
using ExportTo = std::function<void(std::string_view section, json::object object)>;

}  // namespace larder::privacy
