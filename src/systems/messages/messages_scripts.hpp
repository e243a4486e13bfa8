// The calls of the scripts for messages. The head of each script says what the script does and returns.
#pragma once

#include "stores/redis/script_call.hpp"
#include "systems/messages/index_keys.hpp"

#include <span>
#include <string_view>

namespace larder::messages {

// One message for an index.
struct IndexEntry {
  enum class State { active, inactive, gone };
  MessageId id = 0;
  State state = State::gone;
  Message const* message = nullptr;  // null if the message is gone
};

namespace scripts {

// At most this many messages in one call.
inline constexpr std::int64_t messages_max = 500;

// `now_us` is the same moment as `now`, in microseconds.
redis::ScriptCall select_message(IndexKeys const& keys, TimeMs now, std::int64_t now_us, std::uint32_t seed);

// Takes the index from version `before` to version `after`.
redis::ScriptCall put_messages(IndexKeys const& keys, std::string_view before, std::string_view after,
                               TimeMs now, std::span<IndexEntry const> entries);

struct Beginning {
  std::int64_t version = 0;         // an index with this version or a later one is new enough
  std::string_view mark;            // the mark of this attempt
  std::string_view dead_mark = {};  // the mark of an attempt without progress
  bool where_none = false;          // also begin if the user has no index
};
redis::ScriptCall begin_index(IndexKeys const& keys, Beginning const& beginning);

redis::ScriptCall give_up_index(IndexKeys const& keys, std::string_view mark);

}  // namespace scripts

}  // namespace larder::messages
