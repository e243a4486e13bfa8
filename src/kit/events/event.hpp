// An event of an outbox, as a script wrote it.
#pragma once

#include "base/time.hpp"
#include "stores/redis/reply.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace larder::events {

struct Event {
  std::string id;  // "<ms>-<sequence>"; ids grow within a stream
  std::vector<std::pair<std::string, std::string>> fields;

  // Throws std::runtime_error if the field is missing: readers ask only for fields that every writer of
  // the outbox writes.
  std::string const& field(std::string_view name) const;
  // nullptr if the field is missing.
  std::string const* find(std::string_view name) const;
};

// An entry of a stream, as XRANGE answers it.
Event parse_event(redis::ReplyView entry);

// The milliseconds and the sequence of an id. Throws std::runtime_error if `id` is not an id.
std::pair<std::int64_t, std::int64_t> parse_id(std::string_view id);
// The smallest id above `id`.
std::string next_id(std::string_view id);
// The time at which Redis added the event.
TimeMs time_of(std::string_view id);

}  // namespace larder::events
