// The types of the messages system.
#pragma once

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "kit/limiter/limiter.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace larder::messages {

namespace errors {
inline constexpr ErrorCode message_not_found{ErrorKind::not_found, "message_not_found"};
}  // namespace errors

using MessageId = std::int64_t;

// A text for one user, the target. Its rule says how often it may be sent.
struct Message {
  MessageId id = 0;
  std::string text;
  UserId author;
  UserId target;
  bool active = true;
  limiter::Rule rule;
  TimeMs created_at;
  TimeMs changed_at;
  std::int64_t version = 0;  // of its latest change; every change of any message gets a higher version
  friend bool operator==(Message const&, Message const&) = default;
};
using MessagePtr = std::shared_ptr<Message const>;

struct NewMessage {
  std::string text;
  UserId author;
  UserId target;
  bool active = true;
  limiter::Rule rule;
};

// Absent members stay as they are.
struct MessageChange {
  std::optional<std::string> text = {};
  std::optional<UserId> author = {};
  std::optional<UserId> target = {};
  std::optional<bool> active = {};
  std::optional<std::int64_t> tokens = {};
  std::optional<std::int64_t> seconds = {};
  std::optional<limiter::Refill> refill = {};
};

struct MessageQuery {
  std::optional<UserId> target = {};
  MessageId after = 0;
  std::int64_t limit = limits::page_default;
};

// Which of the messages that were never sent was drawn. The same seed on the same
// state draws the same message.
struct Draw {
  std::uint32_t seed = 0;
  std::int64_t among = 0;  // number of messages that were never sent
  std::int64_t index = 0;  // from 0, with the ids sorted as text
};

// A message and when it was last sent.
struct Sent {
  MessageId message = 0;
  TimeMs at = {};
  std::string position = {};  // the cursor: older messages come after it
};

struct Selection {
  MessagePtr message = {};              // null: no message may be sent now
  std::int64_t tokens_left = 0;         // of the message
  Sent sent = {};                       // when it was sent, in this selection
  std::optional<Draw> draw = {};        // only if the message had never been sent
  std::optional<TimeMs> retry_at = {};  // without a message: when one may be sent, if ever
};

// Nothing if this can be the text of a message.
std::optional<Error> problem_of_text(std::string_view text);

}  // namespace larder::messages
