// A simple model of one user's messages: for every choice, it looks at every message.
#pragma once

#include "systems/messages/message_types.hpp"

#include <map>
#include <set>
#include <string>

namespace larder::messages {

class Model {
 public:
  void put(Message const& message);
  void remove(MessageId id) { messages_.erase(id); }

  // What may be chosen now. Nothing if both members are empty.
  struct Choice {
    std::set<std::string> fresh;  // never sent: any of them may be chosen
    MessageId next = 0;           // otherwise: the least recently sent message that has a token
  };
  Choice choice(TimeMs now) const;
  // Records that the message was sent. Returns the tokens that are left in its bucket.
  std::int64_t send(MessageId id, TimeMs now);
  // When a message may be sent, if none may be sent now.
  std::optional<TimeMs> retry_at(TimeMs now) const;
  // How many more messages may be sent at this moment.
  std::int64_t tokens(TimeMs now) const;
  // Newest first.
  std::vector<MessageId> history() const;

  std::map<MessageId, Message> all() const;

 private:
  // Tokens are counted in parts: a token is `period` parts, and a full bucket has capacity x period parts.
  struct Entry {
    Message message;
    std::int64_t sent = 0;  // its place in the order of sending; 0: never sent
    std::int64_t parts = 0;
    TimeMs since = {};
    bool touched = false;  // false: the bucket is full
  };
  static std::int64_t period(Entry const& entry) { return entry.message.rule.seconds * 1000; }
  static std::int64_t full(Entry const& entry) { return entry.message.rule.tokens * period(entry); }
  static std::int64_t parts(Entry const& entry, TimeMs now);

  std::map<MessageId, Entry> messages_;
  std::int64_t sent_ = 0;
};

}  // namespace larder::messages
