// An event of an outbox stream, as a script wrote it.
#pragma once

#include "base/time.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace larder::events {

struct Event {
  std::string id;  // "<ms>-<sequence>", growing within its stream
  std::vector<std::pair<std::string, std::string>> fields;

  // Throws std::runtime_error if there is none: every writer and reader of an outbox are of one release or
  // older.
  std::string const& field(std::string_view name) const;
  // Null if there is none.
  std::string const* find(std::string_view name) const;
};

// Milliseconds and sequence; throws std::runtime_error if it is not one.
std::pair<std::int64_t, std::int64_t> parse_id(std::string_view id);
// The smallest id above `id`.
std::string next_id(std::string_view id);
// When Redis took it in.
TimeMs time_of(std::string_view id);

}  // namespace larder::events
