// The journal of the economy: the events of all realms in SQL, each event once.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "kit/events/outbox_positions.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"
#include "systems/economy/economy_players.hpp"
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

// Events of this type change neither points nor items: they only record state, and are not part of the
// history.
inline constexpr std::string_view state_type = "state";
// State that belongs to no player is recorded under a word that no player can have as an id.
inline constexpr std::string_view catalogue_teller = "catalogue";
inline constexpr std::string_view roulette_teller = "roulette";

// What an event recorded about the state of a player or a realm.
struct ToldState {
  std::string user_id;
  std::int64_t ms = 0;
  std::int64_t sequence = 0;
  std::map<std::string, std::string> fields = {};  // as realm.lua writes them
};

// The catalogue of a realm, as the newest event records it.
struct ToldCatalogue {
  std::string data;
  std::string source;
};

// What a player owns, according to the events.
struct Owned {
  bool has_points = false;  // there is an event that changed the points, whatever the balance is
  std::int64_t balance = 0;
  Inventory inventory = {};
};

class EconomyJournal {
 public:
  explicit EconomyJournal(sql::Database& sql) : sql_(sql) {}

  // Makes the tables. Blocks. Call it before anything else.
  void migrate_now();
  sql::Database& database() { return sql_; }

  // Call it within a transaction. Events that the tables already have are skipped.
  static void write_events(sql::Session& session, RealmId const& realm, EconomyEvent::Of of,
                           std::span<events::Event const> events);

  // Gives the outboxes of the realm their positions, if the database was made by a version that kept none.
  Task<void> begin_positions(RealmId realm);
  // Creates the outboxes of the realm if they are new. Call it before anything is written to the realm, but
  // not while the realm is being deleted. Returns what a store has lost, in words; empty if nothing is.
  Task<std::string> open_outboxes(redis::Redis& redis, RealmId realm);

  // Newest first.
  Task<std::vector<EconomyEvent>> events(RealmId realm, EventQuery query);

  // See economy_players.hpp.
  Task<std::vector<PlayerLine>> players(RealmId realm, PlayersQuery query);
  Task<std::vector<PlayerLine>> find_players(std::string text, std::int64_t limit);

  // The realms that have events.
  Task<std::vector<RealmId>> realms();
  // Up to `limit` users with events, after the user `after`, in an order that the database chooses.
  enum class Users { with_history, with_state };
  Task<std::vector<std::string>> users(RealmId realm, std::string after, std::int64_t limit,
                                       Users with = Users::with_history);
  // What each user owns according to the events up to these ids ("<ms>-<sequence>"). Users
  // without events are left out.
  Task<std::map<std::string, Owned>> owned(RealmId realm, std::vector<std::string> users,
                                           std::string last_points, std::string last_items);
  // The id of the newest event, of the history or of state; "0-0" without events.
  Task<std::string> newest(RealmId realm, EconomyEvent::Of of);
  // Those of `users` that have events up to these ids.
  Task<std::set<std::string>> known(RealmId realm, std::vector<std::string> users, std::string last_points,
                                    std::string last_items);

  // For rebuild: up to `limit` events that recorded state, by user and then by age, after the event `after`.
  Task<std::vector<ToldState>> states(RealmId realm, std::optional<ToldState> after, std::int64_t limit);
  Task<std::optional<ToldCatalogue>> catalogue(RealmId realm);
  // Whether the user has an event that changed points after this one.
  Task<bool> has_points_after(RealmId realm, ToldState event);
  // Of the outboxes of the realm.
  Task<events::Positions> positions(RealmId realm);
  Task<void> forget_positions(events::Positions positions);
  // Deletes a portion of the events of a realm up to this time. False: nothing is left.
  Task<bool> forget_some(RealmId realm, std::int64_t last_ms);

 private:
  Task<std::vector<ToldState>> read_states(std::string where, sql::Values params, std::int64_t limit);

  sql::Database& sql_;
};

// Turns an event of a stream into the form of the journal. An event that was written by hand may lack fields
// or have invalid values: these fields get their defaults. An event without a valid user, amount or item gets
// the type "unreadable" and changes nothing.
EconomyEvent to_economy_event(EconomyEvent::Of of, events::Event const& event);

}  // namespace larder::economy
