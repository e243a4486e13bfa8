// The events of all realms in SQL, each once.
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

// Behind an event, in the order of the journal.
struct EventPosition {
  std::int64_t ms = 0;
  std::int64_t sequence = 0;
  EconomyEvent::Of of = EconomyEvent::Of::points;
};

struct EventQuery {
  std::optional<UserId> user = {};  // none: everybody's
  std::optional<std::string> type = {};
  std::optional<EventPosition> before = {};
  std::int64_t limit = 50;
};

// What events say that a player owns.
struct Owned {
  std::int64_t balance = 0;
  Inventory inventory = {};
};

class EconomyJournal {
 public:
  explicit EconomyJournal(sql::Database& sql) : sql_(sql) {}

  // Makes the table. Blocking, before anything else.
  void migrate_now();

  // Within a transaction; events that are there already are skipped.
  static void write_events(sql::Session& session, RealmId const& realm, EconomyEvent::Of of,
                           std::span<events::Event const> events);

  // Newest first.
  Task<std::vector<EconomyEvent>> events(RealmId realm, EventQuery query);

  // For verify. Those that have events.
  Task<std::vector<RealmId>> realms();
  // Up to `limit` users with events, by their ids, behind `after`.
  Task<std::vector<std::string>> users(RealmId realm, std::string after, std::int64_t limit);
  // What the events up to these ids ("<ms>-<sequence>") say that they own; who has none is not there.
  Task<std::map<std::string, Owned>> owned(RealmId realm, std::vector<std::string> users,
                                           std::string last_points, std::string last_items);
  // The id of the newest event; "0-0" if there is none.
  Task<std::string> newest(RealmId realm, EconomyEvent::Of of);
  // Those who have events up to these ids.
  Task<std::set<std::string>> known(RealmId realm, std::vector<std::string> users, std::string last_points,
                                    std::string last_items);

 private:
  sql::Database& sql_;
};

// An event of a stream as the journal keeps it. What was written by hand may lack fields, or have nonsense in
// them: they get their defaults. One that does not say who, how much or which item has the type "unreadable"
// and changes nothing.
EconomyEvent to_economy_event(EconomyEvent::Of of, events::Event const& event);

}  // namespace larder::economy
