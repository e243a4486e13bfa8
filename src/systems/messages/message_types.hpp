// The words of the messages.
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

// What may be said to a user, the target, as often as its rule allows.
struct Message {
  MessageId id = 0;
  std::string text;
  UserId author;
  UserId target;
  bool active = true;
  limiter::Rule rule;
  TimeMs created_at;
  TimeMs changed_at;
  std::int64_t version = 0;  // grows with every change of any message
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

// What is absent stays as it is.
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

// Which of the messages that were never sent: the same seed, on the same state, draws the same.
struct Draw {
  std::uint32_t seed = 0;
  std::int64_t among = 0;  // so many
  std::int64_t index = 0;  // from 0, their ids sorted as texts
};

// A message and when it was last sent.
struct Sent {
  MessageId message = 0;
  TimeMs at = {};
  std::string position = {};  // behind it the older ones follow
};

struct Selection {
  MessagePtr message = {};              // none: nothing may be said now
  std::int64_t tokens_left = 0;         // of the message
  Sent sent = {};                       // that it was
  std::optional<Draw> draw = {};        // if it had never been sent
  std::optional<TimeMs> retry_at = {};  // without a message: when one may be sent, none if there is none
};

// Nothing if it may be the text of a message.
std::optional<Error> problem_of_text(std::string_view text);

}  // namespace larder::messages
