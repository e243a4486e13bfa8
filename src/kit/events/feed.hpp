// The feed: the latest events of every system in one capped Redis stream, for whoever wants to see them
// happen.
//
// An entry of the stream is a pack: up to limits::feed_pack_events_max events of any outboxes, a line each,
// in the order of their outbox. Beside it lies a hash: outbox -> the last event of it that the feed has. The
// feed is written only while somebody wants it: whoever listens sets a key that lasts limits::feed_wanted_s.
#pragma once

#include "base/scope.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "kit/events/event.hpp"
#include "stores/redis/redis.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder::events {

inline constexpr std::string_view feed_key = "{larder}:events";
inline constexpr std::string_view feed_seen_key = "{larder}:events:seen";
inline constexpr std::string_view feed_wanted_key = "{larder}:events:wanted";

// What a system tells of one of its events.
struct FeedEvent {
  Scope system = Scope::admin;
  std::string type;     // a word: "add"
  std::string user_id;  // empty: it is nobody's own
  TimeMs at;
  std::string data;  // a JSON object in one line
};

using ToFeed = std::function<FeedEvent(std::string const& stream, Event const&)>;

// Throws std::runtime_error if a part cannot be in a line.
std::string to_line(FeedEvent const& event);
// Nothing for what only a newer version knows how to read.
std::optional<FeedEvent> parse_line(std::string_view line);
// {"system": ..., "type": ..., "user_id": ... or null, "at": ..., "data": {...}}
std::string to_json(FeedEvent const& event);

// Appends events of outboxes to the feed, each once: whoever dies before the outbox is trimmed, and however
// many append the same events at once. One per projector.
class Feed {
 public:
  explicit Feed(redis::Redis& redis) : redis_(redis) {}

  // The oldest events of an outbox, in order.
  struct Batch {
    std::string const& outbox;
    std::span<Event const> events;
  };
  // Only asks while nobody wants the feed. An event that `to_feed` throws at is left out, and the log says
  // so. Throws StoreError; the next attempt finds out what of this one took effect.
  Task<void> append(std::span<Batch const> batches, ToFeed const& to_feed);

  // Events that are in no outbox: each at most once, none if this process dies before. Throws StoreError.
  Task<void> tell(std::vector<FeedEvent> events);

 private:
  struct Call;
  Task<redis::Reply> run(Call const& call);
  Call prepare(std::span<Batch const> batches, ToFeed const& to_feed) const;

  redis::Redis& redis_;
  bool wanted_ = false;                      // as the script said last
  std::map<std::string, std::string> seen_;  // what the hash said last; the script tells when it has moved on
};

}  // namespace larder::events
