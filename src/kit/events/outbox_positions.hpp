// How far each outbox has reached SQL. Both stores know it, so that a store that has lost data is noticed.
//
// SQL has the id of the newest event that it has committed, in the table outbox_position. The transaction
// that writes the events also moves this position. Redis has the same id in `<stream>:projected`, which moves
// afterwards, when the outbox is trimmed. So the two ids are equal unless a projector died in between: then
// the position of Redis is the older one, and the outbox still has the event that SQL names.
//
// An outbox is created once, before the first event, and never deleted. Scripts append only to an outbox that
// exists (outbox.lua). So nothing is acknowledged by a Redis that was emptied.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "kit/events/events_scripts.hpp"
#include "stores/redis/redis.hpp"
#include "stores/redis/stream_ids.hpp"
#include "stores/sql/database.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace larder::events {

// The table, if it is missing. Blocks.
void migrate_positions(sql::Database& sql);

// By outbox. An outbox that SQL has never heard of is missing.
using Positions = std::map<std::string, redis::StreamId>;
Positions read_positions(sql::Session& session, std::vector<std::string> const& outboxes);
// All outboxes that have a position.
std::vector<std::string> known_outboxes(sql::Session& session);
// Outboxes that have a position keep it.
void add_positions(sql::Session& session, Positions const& positions);
// A position never moves back. The outboxes must have positions.
void raise_positions(sql::Session& session, Positions const& positions);
// For outboxes that are deleted. A position that has changed by now stays: it belongs to a new outbox.
void forget_positions(sql::Session& session, Positions const& positions);

// What each store lacks of an outbox, in words that begin with the name of the outbox. Empty if nothing is
// lost.
struct Standing {
  std::string redis_lacks = {};
  std::string sql_lacks = {};
  bool exists = false;             // in Redis
  redis::StreamId projected = {};  // the position of Redis
  redis::StreamId in_sql = {};     // the position of SQL

  bool good() const { return redis_lacks.empty() && sql_lacks.empty(); }
  std::string const& why() const { return redis_lacks.empty() ? sql_lacks : redis_lacks; }
};

// Compares the positions of both stores, in the order of `outboxes`. An outbox that neither store has heard
// of is good. Changes nothing. Throws what the stores throw.
Task<std::vector<Standing>> compare_positions(redis::Redis& redis, sql::Database& sql,
                                              std::vector<std::string> outboxes);

// The same, but creates the outboxes that are new, in both stores.
Task<std::vector<Standing>> open_outboxes(redis::Redis& redis, sql::Database& sql,
                                          std::vector<std::string> outboxes);
// Throws SetupError if SQL has lost something, or else LostRedisError if Redis has. Both say what to do.
Task<void> compare_positions_or_refuse(redis::Redis& redis, sql::Database& sql,
                                       std::vector<std::string> outboxes);
Task<void> open_outboxes_or_refuse(redis::Redis& redis, sql::Database& sql,
                                   std::vector<std::string> outboxes);

// For a rebuild, as its last step: Redis now has everything that SQL has. Makes the outboxes, so that new
// events get ids above `newest` and above the position in SQL, and raises both positions to that. A position
// that a projector has meanwhile raised further stays.
Task<void> restore_outboxes(redis::Redis& redis, sql::Database& sql, Positions newest);
Task<void> restore_outbox(redis::Redis& redis, sql::Database& sql, std::string outbox,
                          redis::StreamId newest);

// Stops all servers from writing to an outbox of a Redis that lacks something: moves the events that SQL does
// not have to `<stream>:lost`, for a person to look at. Returns their number; 0 if Redis is no longer as
// `standing` says. An event there keeps its id. But if the outbox was removed once before, the event gets
// another id, and the field `event` has its own.
Task<std::int64_t> fence_outbox(redis::Redis& redis, OutboxKeys keys, Standing standing);
// Gives all events there to `each`, with their own ids. Returns their number.
inline constexpr std::string_view lost_suffix = ":lost";
Task<std::int64_t> each_lost(redis::Redis& redis, std::string const& outbox, std::function<void(Event)> each);

}  // namespace larder::events
