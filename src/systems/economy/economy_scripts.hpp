// The calls of the economy's scripts. The head of each script says what the script does and returns.
#pragma once

#include "stores/redis/script_call.hpp"
#include "systems/economy/economy_types.hpp"
#include "systems/economy/realm.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace larder::economy {

// What the script of every move gets.
struct Turn {
  RealmKeys const& keys;
  Catalogue const& catalogue;
  Move const& move;
  bool unborn = false;  // the realm does not exist: the move may only be refused
  std::uint32_t seed = 0;
  TimeMs now = {};
};

// The order in which read_player.lua reads the effects.
inline constexpr EffectKind all_effects[] = {EffectKind::gain, EffectKind::discombobulate,
                                             EffectKind::vampire};

// Items of the catalogue, each with how many are given.
using AdjustedItems = std::vector<std::pair<Item const*, std::int64_t>>;
// A player of an import, with their items.
struct ImportedPlayer {
  NewPlayer const* player;
  AdjustedItems items;
};

struct CatalogueChange {
  std::string_view version_before;    // empty: the realm has no catalogue
  Catalogue const* before = nullptr;  // null: its items are unknown
  Catalogue const& after;
  std::string_view source;
  std::span<UserId const> inventories = {};  // players with an inventory, if the realm never had a catalogue
  bool tell = true;                          // false: the events know already
};

namespace scripts {

redis::ScriptCall farm(Turn const& turn, std::string_view name);
redis::ScriptCall pay(Turn const& turn, UserId const& to, Amount amount);
redis::ScriptCall claim_reward(Turn const& turn, Reward const& reward);
redis::ScriptCall gamble(Turn const& turn, std::optional<Amount> amount);  // none: the whole balance
redis::ScriptCall discombobulate(Turn const& turn, UserId const& target, Amount offer);
redis::ScriptCall trade(Turn const& turn, UserId const& to, Item const& item, std::int64_t quantity);
redis::ScriptCall sell(Turn const& turn, Item const& item, std::int64_t quantity);
redis::ScriptCall craft(Turn const& turn, Item const& item);
// For items with a use other than bomb or guard.
redis::ScriptCall use_item(Turn const& turn, Item const& item, std::optional<UserId> const& target);
redis::ScriptCall plant_bomb(Turn const& turn, Item const& bomb, std::int64_t seconds);
redis::ScriptCall inspect(Turn const& turn, UserId const& target);
redis::ScriptCall start_roulette(Turn const& turn, RouletteId const& id);
redis::ScriptCall shoot_roulette(Turn const& turn, RouletteId const& id);
redis::ScriptCall adjust(Turn const& turn, Adjustment const& adjustment, AdjustedItems const& items);
redis::ScriptCall delete_player(Turn const& turn);
redis::ScriptCall import_players(Turn const& turn, std::span<ImportedPlayer const> players);
// For a move with an Idempotency-Key.
redis::ScriptCall recall(Turn const& turn);

redis::ScriptCall arm_bomb(RealmKeys const& keys, UserId const& player, TimeMs now);
// `known`: the realm has a catalogue, as far as this server knows.
redis::ScriptCall read_leaderboard(RealmKeys const& keys, bool known, std::int64_t limit,
                                   std::optional<UserId> const& around);
redis::ScriptCall read_player(RealmKeys const& keys, Catalogue const& catalogue, bool known,
                              UserId const& player);
redis::ScriptCall read_marks(RealmKeys const& keys, UserId const& player);
redis::ScriptCall read_players(RealmKeys const& keys, std::span<UserId const> players);
// `ends` as player_key_ends() has found them.
redis::ScriptCall forget_player(RealmKeys const& keys, UserId const& player, UserId const& pseudonym,
                                std::span<std::string const> ends);
redis::ScriptCall rest_realm(RealmId const& realm, std::string_view mark);
redis::ScriptCall close_realm(RealmKeys const& keys, std::string_view closed_version);
redis::ScriptCall delete_keys(RealmKeys const& keys, std::string_view closed_version,
                              std::span<std::string const> deleted, std::span<std::string const> players);
redis::ScriptCall load_catalogue(RealmKeys const& keys, CatalogueChange const& change);

}  // namespace scripts

}  // namespace larder::economy
