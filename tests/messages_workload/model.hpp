// What the messages of one user have to do, written down as plainly as it can be: every message is looked at
// for every choice.
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

  // Those that may be chosen now, the first of them if the order says which; empty if none may.
  struct Choice {
    std::set<std::string> fresh;  // never sent: any of them
    MessageId next = 0;           // otherwise: the least recent one that has a token
  };
  Choice choice(TimeMs now) const;
  // It was sent; what is left in its bucket.
  std::int64_t send(MessageId id, TimeMs now);
  // When one may be sent, if none may now.
  std::optional<TimeMs> retry_at(TimeMs now) const;
  // How many more may be sent at this moment.
  std::int64_t tokens(TimeMs now) const;
  // The last one first.
  std::vector<MessageId> history() const;

  std::map<MessageId, Message> all() const;

 private:
  // Tokens in parts: one token is a period of them, and a full bucket has capacity x period.
  struct Entry {
    Message message;
    std::int64_t sent = 0;  // its place in the order of all that was sent; 0: never
    std::int64_t parts = 0;
    TimeMs since = {};
    bool touched = false;  // otherwise it is full
  };
  static std::int64_t period(Entry const& entry) { return entry.message.rule.seconds * 1000; }
  static std::int64_t full(Entry const& entry) { return entry.message.rule.tokens * period(entry); }
  static std::int64_t parts(Entry const& entry, TimeMs now);

  std::map<MessageId, Entry> messages_;
  std::int64_t sent_ = 0;
};

}  // namespace larder::messages
