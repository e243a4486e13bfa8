// The feed: the newest events of all systems in one Redis stream of limited length, for listeners.
//
// An entry of the stream is a pack: up to limits::feed_pack_events_max events of any outboxes, one line each,
// in the order of their outbox. A hash next to the stream has, for each outbox, the id of its last event in
// the feed. The feed is written only while somebody wants it: listeners set a key that lasts
// limits::feed_wanted_s.
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
// The place of a follower that must miss nothing: the id of the last pack that it has. While this key exists,
// the feed is wanted and keeps that pack and all packs after it, up to limits::feed_followed_packs_max.
inline constexpr std::string_view feed_followed_key = "{larder}:events:followed";

// An event as a system shows it to listeners.
struct FeedEvent {
  Scope system = Scope::admin;
  std::string type;     // a word: "add"
  std::string user_id;  // empty: the event belongs to no user
  TimeMs at;
  std::string data;  // a JSON object in one line
};

// An event that gets an empty type is not for listeners.
using ToFeed = std::function<FeedEvent(std::string const& stream, Event const&)>;

// The realm of the economy or the guild that the event belongs to; empty if it belongs to none. Reads `data`.
std::string_view realm_of(FeedEvent const& event);
std::string_view guild_of(FeedEvent const& event);

// One line of a pack. Throws std::runtime_error if the type, the user or the data do not fit into a line.
std::string to_line(FeedEvent const& event);
// Returns nothing for a line that only a newer version can read.
std::optional<FeedEvent> parse_line(std::string_view line);
// {"system": ..., "type": ..., "user_id": ... or null, "at": ..., "data": {...}}
std::string to_json(FeedEvent const& event);

// Appends events of outboxes to the feed, each exactly once: even if a server dies before it trims the
// outbox, and even if several servers append the same events at once. Each projector has its own Feed.
// Thread-compatible, like the Redis it uses.
class Feed {
 public:
  explicit Feed(redis::Redis& redis) : redis_(redis) {}

  // The oldest events of an outbox, in order.
  struct Batch {
    std::string const& outbox;
    std::span<Event const> events;
  };
  // While nobody wants the feed, this only asks Redis whether that has changed. An event for which
  // `to_feed` throws is left out and logged. Throws StoreError; the next attempt finds out how much of this
  // one took effect.
  Task<void> append(std::span<Batch const> batches, ToFeed const& to_feed);

  // Appends events that are in no outbox, each at most once. If this process dies first, they are lost.
  // Throws StoreError.
  Task<void> tell(std::vector<FeedEvent> events);

 private:
  struct Call;
  Task<redis::Reply> run(Call const& call);
  Call prepare(std::span<Batch const> batches, ToFeed const& to_feed) const;

  redis::Redis& redis_;
  bool wanted_ = false;                      // the last answer of the script
  std::map<std::string, std::string> seen_;  // the hash as last seen; the script says if it has changed
};

// Drops the events that the feed has now; listeners that resume get a gap. A follower misses nothing: throws
// StoreError if it does not have all events within ten seconds.
Task<void> forget_feed(redis::Redis& redis);

}  // namespace larder::events
