// The keys that Redis has for a user's messages. h is a hash of the user's id, so all keys
// of a user are in one slot:
//
//   {h}            history: message -> epoch seconds at which it was last sent
//   {h}:<message>:last_reset, {h}:<message>:tokens     the message's bucket (kit/limiter)
//
// and the index, which can be built from these keys and SQL at any time:
//
//   {h}:line       active messages that may be sent -> epoch microseconds when last sent; 0: never
//   {h}:waiting    active messages without a token -> epoch milliseconds when they get one
//   {h}:index      active message -> "tokens period_ms continuous version"; and the field `version`:
//                  the version of the user's messages (message_table.hpp) that the index has, or
//                  "building ..." while it is being built
#pragma once

#include "systems/messages/message_types.hpp"

#include <string>
#include <string_view>

namespace larder::messages {

struct IndexKeys {
  explicit IndexKeys(UserId const& user);
  std::string history;
  std::string line, waiting, index;
  std::string last_reset(MessageId id) const;
  std::string tokens(MessageId id) const;
};

// Up to which version of all messages every user's index has been brought up to date.
inline constexpr std::string_view caught_up_key = "{messages}:caught_up";

}  // namespace larder::messages
