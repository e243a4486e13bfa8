// The most recently used messages, in memory.
#pragma once

#include "systems/messages/message_types.hpp"

#include <list>
#include <mutex>
#include <unordered_map>

namespace larder::messages {

// Thread-safe. It cannot return a stale message: a selection returns the id and version of a message, and a
// find asks for exactly that version.
class MessageCache {
 public:
  explicit MessageCache(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Null if the cache does not have the message in this version.
  MessagePtr find(MessageId id, std::int64_t version);
  void put(MessagePtr const& message);
  std::size_t bytes() const;
  // Somebody was forgotten: no text may stay that SQL no longer has.
  void clear();

 private:
  static std::size_t size_of(Message const& message);

  std::size_t const bytes_max_;
  mutable std::mutex mutex_;
  std::list<MessagePtr> used_;  // most recently used first
  std::unordered_map<MessageId, std::list<MessagePtr>::iterator> by_id_;
  std::size_t bytes_ = 0;
};

}  // namespace larder::messages
