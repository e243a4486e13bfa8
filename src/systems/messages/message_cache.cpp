#include "systems/messages/message_cache.hpp"

namespace larder::messages {

std::size_t MessageCache::size_of(Message const& message) {
  constexpr std::size_t places = 160;  // estimate for the list, the map and the allocator
  return sizeof(Message) + message.text.capacity() + message.author.str().capacity() +
         message.target.str().capacity() + places;
}

MessagePtr MessageCache::find(MessageId id, std::int64_t version) {
  std::lock_guard const lock(mutex_);
  auto const found = by_id_.find(id);
  if (found == by_id_.end() || (*found->second)->version != version) return nullptr;
  used_.splice(used_.begin(), used_, found->second);
  return *found->second;
}

void MessageCache::put(MessagePtr const& message) {
  std::lock_guard const lock(mutex_);
  auto const found = by_id_.find(message->id);
  if (found != by_id_.end()) {
    bytes_ -= size_of(**found->second);
    used_.erase(found->second);
    by_id_.erase(found);
  }
  bytes_ += size_of(*message);
  used_.push_front(message);
  by_id_[message->id] = used_.begin();
  while (bytes_ > bytes_max_ && used_.size() > 1) {
    bytes_ -= size_of(*used_.back());
    by_id_.erase(used_.back()->id);
    used_.pop_back();
  }
}

void MessageCache::clear() {
  std::lock_guard const lock(mutex_);
  by_id_.clear();
  used_.clear();
  bytes_ = 0;
}

std::size_t MessageCache::bytes() const {
  std::lock_guard const lock(mutex_);
  return bytes_;
}

}  // namespace larder::messages
