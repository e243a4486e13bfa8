// The players of all realms in SQL, with their names: the events of the journal bring them here. So players
// can be listed and found by the beginning of their names, which Redis has only under their ids.
#pragma once

#include "stores/sql/migrations.hpp"
#include "systems/economy/economy_types.hpp"

#include <span>
#include <string>
#include <vector>

namespace larder::economy {

// A player of a realm.
struct PlayerLine {
  std::string realm;
  std::string id;
  std::optional<std::string> name = {};  // none: the player never farmed
};

// The same, as the routes show it.
struct ListedPlayer {
  std::string id;
  std::optional<std::string> name = {};
  std::int64_t balance = 0;
};

struct PlayersQuery {
  std::string prefix = {};  // of the name; empty: all players
  std::string after = {};   // the id of the last player on the page before
  std::int64_t limit = limits::page_default;
};

// The statements that make the table, and fill it with the players of the events that SQL has.
std::vector<std::string> player_table(sql::Dialect dialect);
// Gives players of an earlier version of the database their names, once. Blocks.
void name_players(sql::Database& sql);

// Call it within the transaction that writes these events. Events may come twice.
void note_players(sql::Session& session, RealmId const& realm, std::span<EconomyEvent const> events);

// By name if there is a prefix, else by id.
std::vector<PlayerLine> list_players(sql::Session& session, RealmId const& realm, PlayersQuery const& query);
// Players of any realm with this id, then those whose name begins with this text: at most `limit` of each.
std::vector<PlayerLine> find_players(sql::Session& session, std::string const& text, std::int64_t limit);
// Makes the row of a player from the events that are still under this id; without any, the row goes. For
// whoever takes a player's events away.
void renew_player(sql::Session& session, RealmId const& realm, UserId const& user);
// Deletes up to `count` players of a realm whose events were deleted. False: none are left.
bool forget_some_players(sql::Session& session, RealmId const& realm, std::int64_t count);

}  // namespace larder::economy
