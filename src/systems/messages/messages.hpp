// Messages: stores what may be sent to a user, and selects what to send now: of the messages whose rate
// allows it, the one that was sent least recently.
#pragma once

#include "base/metrics.hpp"
#include "base/random.hpp"
#include "kit/events/feed.hpp"
#include "systems/messages/message_cache.hpp"
#include "systems/messages/message_index.hpp"
#include "systems/messages/message_table.hpp"

#include <functional>

namespace larder::messages {

// What the Messages objects of all io threads share. `tell` must be thread-safe: every io thread calls it.
struct Shared {
  MessageTable& table;
  Clock const& clock;
  Metrics& metrics;
  MessageCache cache{limits::message_cache_bytes};
  std::function<void(events::FeedEvent)> tell = [](events::FeedEvent const&) {};
  std::chrono::milliseconds dead_after{2000};  // when a builder of an index without progress counts as dead
};

// Thread-compatible: one per io thread. Throws StoreError when a store is unavailable. A selection whose
// outcome is unknown may have taken a token.
//
// A change is done when SQL has committed it. Its writer then brings it to Redis, so every selection that
// begins later knows it. If the writer dies in between, or if Redis is unavailable, the other servers bring
// Redis up to date within a second, or within a second after Redis is back.
class Messages {
 public:
  Messages(redis::Redis& redis, Shared& shared);

  Task<Result<MessagePtr>> create(NewMessage message);
  Task<Result<MessagePtr>> change(MessageId id, MessageChange change);
  Task<Result<MessagePtr>> remove(MessageId id);
  Task<Result<MessagePtr>> find(MessageId id);
  Task<std::vector<Message>> list(MessageQuery query);

  // Without a seed, one is drawn.
  Task<Selection> select(UserId user, std::optional<std::uint32_t> seed = {});
  // When each message was last sent to the user, newest first.
  Task<std::vector<Sent>> history(UserId user, std::optional<std::string> before, std::int64_t limit);

 private:
  Task<void> index(Changed const& changed, std::string_view what);
  Task<MessagePtr> load(Selected const& selected);
  void tell(std::string_view what, UserId const& user, MessageId id, std::string more = {});

  Shared& shared_;
  MessageIndex index_;
  Random random_;
  prometheus::Counter& selected_;
  prometheus::Counter& refused_by_rate_;
  prometheus::Counter& empty_;
  prometheus::Histogram& seconds_;
};

}  // namespace larder::messages
