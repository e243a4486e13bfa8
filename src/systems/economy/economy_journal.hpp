// The journal of the economy: the events of all realms in SQL, each event once.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "stores/sql/database.hpp"
#include "systems/economy/economy_types.hpp"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace larder::economy {

// The position of an event in the order of the journal. A page continues after it.
struct EventPosition {
  std::int64_t ms = 0;
  std::int64_t sequence = 0;
  EconomyEvent::Of of = EconomyEvent::Of::points;
};

struct EventQuery {
  std::optional<UserId> user = {};  // none: the events of all players
  std::optional<std::string> type = {};
  std::optional<EventPosition> before = {};
  std::int64_t limit = 50;
};

// What a player owns, according to the events.
struct Owned {
  std::int64_t balance = 0;
  Inventory inventory = {};
};

class EconomyJournal {
 public:
  explicit EconomyJournal(sql::Database& sql) : sql_(sql) {}

  // Makes the table. Blocks. Call it before anything else.
  void migrate_now();
  sql::Database& database() { return sql_; }

  // Call it within a transaction. Events that the table already has are skipped.
  static void write_events(sql::Session& session, RealmId const& realm, EconomyEvent::Of of,
                           std::span<events::Event const> events);

  // Gives the outboxes of the realm their positions, if the database is of a version that kept none.
  Task<void> begin_positions(RealmId realm);

  // Newest first.
  Task<std::vector<EconomyEvent>> events(RealmId realm, EventQuery query);

  // For verify: the realms that have events.
  Task<std::vector<RealmId>> realms();
  // For verify: up to `limit` users with events, sorted by id, after the id `after`.
  Task<std::vector<std::string>> users(RealmId realm, std::string after, std::int64_t limit);
  // What each user owns according to the events up to these ids ("<ms>-<sequence>"). Users
  // without events are left out.
  Task<std::map<std::string, Owned>> owned(RealmId realm, std::vector<std::string> users,
                                           std::string last_points, std::string last_items);
  // The id of the newest event; "0-0" without events.
  Task<std::string> newest(RealmId realm, EconomyEvent::Of of);
  // Those of `users` that have events up to these ids.
  Task<std::set<std::string>> known(RealmId realm, std::vector<std::string> users, std::string last_points,
                                    std::string last_items);

 private:
  sql::Database& sql_;
};

// Turns an event of a stream into the form of the journal. An event that was written by hand may lack fields
// or have invalid values: these fields get their defaults. An event without a valid user, amount or item gets
// the type "unreadable" and changes nothing.
EconomyEvent to_economy_event(EconomyEvent::Of of, events::Event const& event);

}  // namespace larder::economy
