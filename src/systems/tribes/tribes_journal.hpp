// The journal of tribes: the events of all worlds in SQL, each event once, and the hall of fame.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"
#include "systems/tribes/world.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace larder::tribes {

// An event of a world. The types are "created", "changed", "won" and "deleted" for the world, and "joined",
// "action", "heist" and "ruined" for a town.
struct TribesEvent {
  std::int64_t ms = 0;  // with the sequence, the id of the event
  std::int64_t sequence = 0;
  std::string type;
  std::string user_id;  // empty: the event belongs to no user
  GameMs at;
  std::string data;  // a JSON object

  std::string id() const;
};

// An event that was written by hand may lack fields: then its type is "unreadable".
TribesEvent to_tribes_event(events::Event const& event);

// Who won a world.
struct Fame {
  WorldId world;
  TimeMs started_at;
  TimeMs won_at;  // when the winner reached the goal
  UserId user_id;
  std::string username;
  std::int64_t coins = 0;  // of the winner when the world stopped
  std::int64_t players = 0;
};

// A place in the hall of fame.
struct FamePlace {
  TimeMs won_at;
  std::string world;
};

// One line of the standings of a world that was won.
struct Standing {
  std::int64_t rank = 0;
  UserId user_id;
  std::string username;
  std::int64_t coins = 0;
  Field field;
};

class TribesJournal {
 public:
  explicit TribesJournal(sql::Database& sql) : sql_(sql) {}

  sql::Database& database() { return sql_; }
  // Makes the tables. Blocks. Call it before anything else.
  void migrate_now();

  // Call it within a transaction. Events that the table already has are skipped.
  static void write_events(sql::Session& session, WorldId const& world,
                           std::span<events::Event const> events);

  // Writes these events. Call it for a world that no projector works for.
  Task<void> write(WorldId world, std::vector<events::Event> events);

  // Up to `limit` events of a world after the event with the id `after`, oldest first.
  Task<std::vector<TribesEvent>> events(WorldId world, std::string after, std::int64_t limit);
  // The id after which the events of the world begin: those of an earlier world with the same id come before.
  Task<std::string> before_creation(WorldId world);
  // The id of the newest event; "0-0" without events.
  Task<std::string> newest(WorldId world);
  // The worlds that have events.
  Task<std::vector<WorldId>> worlds();
  // The ids of the events "created" that came although the world had towns and was not deleted.
  Task<std::vector<std::string>> lost_lives(WorldId world);
  // The players who have joined the world since it was created.
  Task<std::vector<UserId>> citizens(WorldId world);
  // Whether the world was created and not deleted since, and somebody has joined it.
  Task<bool> has_towns(WorldId world);

  // Newest first, after the world `after`.
  Task<std::vector<Fame>> hall_of_fame(std::optional<FamePlace> after, std::int64_t limit);
  // Keeps the standings of a world that was won. Rows that are there already are skipped. The hall of fame
  // gets the winner's coins from them.
  Task<void> archive(WorldId world, TimeMs won_at, std::vector<Standing> standings,
                     std::optional<UserId> winner);
  Task<std::vector<Standing>> standings(WorldId world, TimeMs won_at, std::int64_t after, std::int64_t limit);

 private:
  sql::Database& sql_;
};

// The worlds of the journal that this Redis can have.
Task<std::vector<WorldId>> possible_worlds(redis::Redis& redis, TribesJournal& journal);

}  // namespace larder::tribes
