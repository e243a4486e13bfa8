// What Redis knows about a stream besides its entries.
#pragma once

#include "stores/redis/redis.hpp"

#include <compare>
#include <string>

namespace larder::redis {

// The id of an entry.
struct StreamId {
  std::int64_t ms = 0;
  std::int64_t sequence = 0;

  std::string str() const;
  friend auto operator<=>(StreamId const&, StreamId const&) = default;
};

// Throws ReplyError if the text is not the id of an entry.
StreamId parse_stream_id(std::string_view text);

// The id of the newest entry that the stream ever had, even if it was trimmed since; 0-0 if the stream does
// not exist.
Task<StreamId> last_stream_id(Redis& redis, std::string key);

// Makes sure that the stream exists, and that new entries get ids above `id`, even if the clock of Redis is
// behind. Adds no entry that stays, and drops none.
Task<void> raise_stream(Redis& redis, std::string key, StreamId id);

}  // namespace larder::redis
