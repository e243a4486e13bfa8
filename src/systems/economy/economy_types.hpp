// The types of the economy.
#pragma once

#include "base/amount.hpp"
#include "base/error.hpp"
#include "base/idempotency_key.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "systems/economy/catalogue.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::economy {

namespace errors {
inline constexpr ErrorCode realm_needs_name{ErrorKind::conflict, "realm_needs_name"};
inline constexpr ErrorCode idempotency_conflict{ErrorKind::unprocessable, "idempotency_conflict"};
inline constexpr ErrorCode self_target{ErrorKind::conflict, "self_target"};
inline constexpr ErrorCode insufficient_balance{ErrorKind::conflict, "insufficient_balance"};
inline constexpr ErrorCode balance_limit{ErrorKind::conflict, "balance_limit"};
inline constexpr ErrorCode reward_not_found{ErrorKind::not_found, "reward_not_found"};
inline constexpr ErrorCode reward_not_ready{ErrorKind::conflict, "reward_not_ready"};
inline constexpr ErrorCode on_cooldown{ErrorKind::conflict, "on_cooldown"};
inline constexpr ErrorCode offer_too_low{ErrorKind::conflict, "offer_too_low"};
inline constexpr ErrorCode unknown_item{ErrorKind::conflict, "unknown_item"};
inline constexpr ErrorCode not_tradable{ErrorKind::conflict, "not_tradable"};
inline constexpr ErrorCode not_craftable{ErrorKind::conflict, "not_craftable"};
inline constexpr ErrorCode not_sellable{ErrorKind::conflict, "not_sellable"};
inline constexpr ErrorCode not_usable{ErrorKind::conflict, "not_usable"};
inline constexpr ErrorCode not_enough_items{ErrorKind::conflict, "not_enough_items"};
inline constexpr ErrorCode stack_full{ErrorKind::conflict, "stack_full"};
inline constexpr ErrorCode roulette_not_found{ErrorKind::not_found, "roulette_not_found"};
inline constexpr ErrorCode unknown_effect{ErrorKind::conflict, "unknown_effect"};
inline constexpr ErrorCode player_exists{ErrorKind::conflict, "player_exists"};
inline constexpr ErrorCode player_not_found{ErrorKind::not_found, "player_not_found"};
inline constexpr ErrorCode realm_not_found{ErrorKind::not_found, "realm_not_found"};
inline constexpr ErrorCode realm_lost{ErrorKind::unavailable, "realm_lost"};
inline constexpr ErrorCode realm_closed{ErrorKind::conflict, "realm_closed"};
inline constexpr ErrorCode foreign_record{ErrorKind::conflict, "foreign_record"};
}  // namespace errors

struct RealmRules {
  static constexpr std::size_t chars_max = limits::realm_chars_max;
  static constexpr std::string_view extra_chars = "_.-";
};
// A separate game. The keys of the realm "default" have no prefix.
using RealmId = Id<RealmRules>;

struct RouletteRules {
  static constexpr std::size_t chars_max = limits::roulette_id_chars_max;
  static constexpr std::string_view extra_chars = "-";
};
using RouletteId = Id<RouletteRules>;

// Why this id cannot belong to a player; nothing if it can. In the default realm, the key of a player's name
// is the player's id alone, so the names of other keys are not allowed as ids.
std::optional<std::string> problem_of_player(UserId const& id);

// What every move has.
struct Move {
  RealmId realm;
  UserId player;
  UserId guild_id = UserId::from("0").value();
  std::optional<IdempotencyKey> idempotency_key = {};
  std::optional<std::uint32_t> seed = {};  // 0 to 2^31 - 1; drawn if absent
};

// The numbers that were drawn. The same seed on the same state draws the same numbers.
struct Roll {
  std::uint32_t seed = 0;
  std::vector<std::int64_t> values = {};
};

using Inventory = std::map<std::string, std::int64_t>;

struct Farmed {
  struct Drop {
    std::string item;
    std::int64_t stack = 0;
  };
  struct Bite {
    std::int64_t level = 0;
    std::int64_t damage = 0;
    bool necklace_used = false;
  };
  struct Blast {
    std::string owner;
    std::int64_t damage = 0;
  };
  std::int64_t gained = 0;
  std::int64_t balance = 0;
  std::optional<Drop> drop = {};
  std::optional<Bite> vampire = {};
  std::optional<Blast> bomb = {};
  Roll roll = {};
};

struct Paid {
  std::int64_t balance = 0;
  std::int64_t to_balance = 0;
};

struct Rewarded {
  std::int64_t reward = 0;
  std::int64_t balance = 0;
};

struct Gambled {
  std::int64_t change = 0;
  std::int64_t balance = 0;
  Roll roll = {};
};

struct Discombobulated {
  std::int64_t damage = 0;
  std::int64_t balance = 0;
  std::int64_t target_balance = 0;
  std::int64_t locked_s = 0;
  Roll roll = {};
};

struct Traded {
  std::string item;
  std::int64_t left = 0;
  std::int64_t to_stack = 0;
};

struct Sold {
  std::string item;
  std::int64_t left = 0;
  std::int64_t gained = 0;
  std::int64_t balance = 0;
};

struct Crafted {
  std::string item;
  std::int64_t stack = 0;
  std::int64_t balance = 0;
};

struct ActiveEffect {
  EffectKind kind = EffectKind::gain;
  std::int64_t value = 0;
  std::int64_t seconds_left = 0;
};

struct PlantedBomb {
  std::string owner;
  std::int64_t seconds_left = 0;
};

struct Used {
  std::string item;
  std::int64_t left = 0;
  std::optional<std::int64_t> vampire_level = {};
  std::optional<ActiveEffect> effect = {};
  std::optional<std::vector<PlantedBomb>> bombs = {};
};

struct Planted {
  std::int64_t left = 0;
  TimeMs due;  // for the schedule: nobody who plays may know it, nor the roll
  Roll roll = {};
  TimeMs about;               // the time that the planter chose
  std::int64_t within_s = 0;  // how far `due` may be from `about`
};

struct Inspected {
  std::int64_t balance = 0;
  Inventory inventory = {};
};

struct Shot {
  bool hit = false;
  std::int64_t lost = 0;
  std::int64_t balance = 0;
  std::optional<Roll> roll = {};  // of the roulette, when it is over
};

// What a move did, and whether this is the remembered answer of an earlier request with
// the same Idempotency-Key.
template <class T>
struct Done {
  T what;
  bool replayed = false;
};

struct Created {
  CataloguePtr catalogue;
  bool created = false;  // false: the realm existed
};

struct PlayerView {
  UserId id;
  std::optional<std::string> name = {};
  std::int64_t balance = 0;
  std::optional<std::int64_t> rank = {};  // from 1
  Inventory inventory = {};
  std::vector<ActiveEffect> effects = {};
  std::map<std::string, std::int64_t> cooldowns = {};  // seconds left; 0: ready
  std::int64_t vampire_level = 1;
};

// What an operator changes about a player, all at once.
struct Adjustment {
  struct Effect {
    std::int64_t value = 0;
    std::int64_t seconds = 0;
  };
  std::int64_t points = 0;                         // below 0: takes them
  std::map<std::string, std::int64_t> items = {};  // by id or short name; below 0: takes them
  std::optional<std::string> name = {};
  std::map<std::string, std::optional<Effect>> effects = {};  // by name; nothing: ends the effect
  std::string reason;

  bool changes_nothing() const { return points == 0 && items.empty() && !name && effects.empty(); }
};

struct Deleted {};

// A player from elsewhere.
struct NewPlayer {
  UserId id;
  std::int64_t points = 0;
  std::map<std::string, std::int64_t> items = {};  // by id or short name
  std::optional<std::string> name = {};
};

// What became of one player of an import. `unchanged`: this player was imported before.
enum class Import { imported, unchanged };

// Everything about a player.
struct PlayerExport {
  PlayerView player;
  bool imported = false;
  std::optional<TimeMs> bomb_due = {};  // of the planted bomb
  bool bomb_pending = false;            // the pending bomb is of this player
};

struct Standing {
  std::int64_t rank = 0;  // from 1
  std::string id;
  std::optional<std::string> name = {};
  std::int64_t balance = 0;
};

// An event of a realm, as SQL keeps it.
struct EconomyEvent {
  enum class Of { points, items };
  Of of = Of::points;
  std::int64_t ms = 0;  // first part of its id in the stream
  std::int64_t sequence = 0;
  std::int64_t version = 0;
  std::string type;
  std::string user_id;
  std::string guild_id;
  std::string item;         // empty for points
  std::int64_t amount = 0;  // points, or the quantity of the item
  std::string detail;       // the other fields, as a JSON object
  std::string state;        // the fields that tell state (realm.lua), as a JSON object; only for a rebuild

  // Unique in its realm. An event of points has its id in the stream. An event of items, which has its id in
  // a stream of its own, adds "-i" to it.
  std::string id() const;
};

}  // namespace larder::economy
