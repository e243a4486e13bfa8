// Makes the calls of the scripts of events. The head of each script says what it does and what it returns.
#pragma once

#include "stores/redis/script_call.hpp"

#include <chrono>
#include <span>
#include <string>
#include <string_view>

namespace larder::events {

// An outbox and the keys that belong to it.
struct OutboxKeys {
  explicit OutboxKeys(std::string stream);
  std::string stream;
  std::string lease;
  std::string projected;  // see projected_key()
  std::string dead;       // events that SQL refuses; see dead_events.hpp
  std::string retry;      // dead events that somebody wants to try again
  std::string lost;       // events of a Redis that lacked others; see fence_outbox()
};

enum class Lease { keep, give_back };

// How much of an outbox the feed has: the id of the last event in the feed, before and after an append.
struct FeedPlace {
  std::string outbox;
  std::string before;  // empty: none
  std::string after;
};

namespace scripts {

// `from` is the stream that has the event, `at` the id there, and `event` the id that the event had in its
// outbox.
redis::ScriptCall outbox_bury(OutboxKeys const& keys, std::string_view from, std::string_view at,
                              std::string_view event, std::string_view why);
redis::ScriptCall outbox_confirm(OutboxKeys const& keys, std::string_view owner,
                                 std::chrono::milliseconds lease, std::string_view last_read);
// `to` is keys.retry, or empty: then the event is forgotten.
redis::ScriptCall outbox_exhume(std::string_view from, std::string_view to, std::string_view at);
redis::ScriptCall outbox_fence(OutboxKeys const& keys, std::string_view projected);
redis::ScriptCall outbox_keep(OutboxKeys const& keys, std::string_view owner, std::string_view projected,
                              Lease lease, std::int64_t keep, std::int64_t forget_max);
redis::ScriptCall outbox_look(OutboxKeys const& keys, std::string_view last);
redis::ScriptCall outbox_open(OutboxKeys const& keys, std::string_view in_sql, bool create);
redis::ScriptCall outbox_raise(OutboxKeys const& keys, std::string_view projected);
redis::ScriptCall outbox_trim(OutboxKeys const& keys, std::string_view owner, std::string_view projected,
                              Lease lease);

redis::ScriptCall feed_append(std::span<FeedPlace const> outboxes, std::span<std::string const> packs);
redis::ScriptCall feed_forget(std::string_view last);
redis::ScriptCall feed_want();

}  // namespace scripts

}  // namespace larder::events
