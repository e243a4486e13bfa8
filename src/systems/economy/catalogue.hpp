// A catalogue: the items, chances, costs and all other numbers of a game, read from one JSON file.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::economy {

// Effects that can be active on a player for a while. The moves define what each kind does.
enum class EffectKind {
  gain,            // points per farm
  discombobulate,  // percent of extra damage
  vampire,         // percent of extra chance to meet a vampire
};

// What using an item does.
enum class UseKind {
  none,           // the item cannot be used
  clear_vampire,  // resets the vampire level to 1
  lower_vampire,  // lowers the vampire level by `levels`
  effect,         // starts an effect on the user or on a target
  radar,          // shows the next bombs
  bomb,           // can be planted with a timer
  guard,          // is used up when a vampire bites, instead of points
};

struct Use {
  UseKind kind = UseKind::none;
  std::int64_t levels = 0;               // lower_vampire
  EffectKind effect = EffectKind::gain;  // effect
  std::int64_t by = 0;                   // effect
  std::int64_t seconds = 0;              // effect
  bool stacks = false;                   // effect: adds to the active one
  bool on_target = false;                // effect: applies to another player
  std::int64_t count = 0;                // radar
  friend bool operator==(Use const&, Use const&) = default;
};

struct Cost {
  std::string item;  // an item's id, or the currency
  std::int64_t amount = 0;
  friend bool operator==(Cost const&, Cost const&) = default;
};

struct Item {
  std::string id;                  // ":cross:"
  std::vector<std::string> names;  // short names that players may type, in lower case
  std::int64_t max_stack = 1;
  bool tradable = true;
  std::int64_t drop = 0;    // chance out of Farm::drop_faces
  std::int64_t sell = 0;    // points that the bank pays for one; 0: it does not buy the item
  std::vector<Cost> craft;  // empty: the item cannot be crafted
  Use use;
  friend bool operator==(Item const&, Item const&) = default;
};

struct Reward {
  std::string name;  // "daily"
  std::int64_t points = 0;
  std::int64_t every_s = 0;
  // If there is one: whole days, which begin at midnight there.
  std::string time_zone = {};
  friend bool operator==(Reward const&, Reward const&) = default;
};

struct Farm {
  std::int64_t gain = 0;
  std::int64_t drop_balance_min = 0;  // a player with fewer points finds nothing
  std::int64_t drop_faces = 0;
  std::int64_t cooldown_s = 0;  // between two farms of a player; 0: none
  friend bool operator==(Farm const&, Farm const&) = default;
};

// The chance to meet a vampire, in percent, is chance_first at level 1, otherwise chance_log10 x
// log10(level). The damage, in percent, is a whole number from min(damage_low_tenths x level / 10,
// damage_low_max) to min(damage_high_tenths x level / 10, damage_high_max).
struct Vampire {
  std::int64_t level_max = 0;  // a player above this level farms nothing
  std::int64_t chance_first = 0;
  std::int64_t chance_log10 = 0;
  std::int64_t level_ttl_s = 0;  // per level
  std::int64_t ttl_max_s = 0;
  std::int64_t damage_low_tenths = 0;
  std::int64_t damage_low_max = 0;
  std::int64_t damage_high_tenths = 0;
  std::int64_t damage_high_max = 0;
  friend bool operator==(Vampire const&, Vampire const&) = default;
};

struct Bomb {
  std::int64_t damage_percent = 0;
  std::int64_t timer_max_s = 0;
  std::int64_t spread_s = 0;  // the bomb becomes pending at most this many seconds before or after its time
  friend bool operator==(Bomb const&, Bomb const&) = default;
};

// One gamble in win_one_in wins. It wins ceil(r / win_divisor x amount), with r drawn from 1 to win_faces.
struct Gamble {
  std::int64_t win_one_in = 0;
  std::int64_t win_faces = 0;
  std::int64_t win_divisor = 0;
  friend bool operator==(Gamble const&, Gamble const&) = default;
};

struct Discombobulate {
  std::int64_t offer_min_percent = 0;  // of the target's balance
  std::int64_t damage_low = 0;         // percent of the offer
  std::int64_t damage_high = 0;
  std::int64_t lock_s = 0;  // per percent that was drawn
  friend bool operator==(Discombobulate const&, Discombobulate const&) = default;
};

struct Roulette {
  std::int64_t chambers = 0;
  std::int64_t ttl_s = 0;
  friend bool operator==(Roulette const&, Roulette const&) = default;
};

struct Catalogue {
  std::string version;   // depends on the content only: catalogues with the same version are equal
  std::string text;      // as stored: JSON in one line, with sorted names and without default values
  std::string currency;  // the name of points among the costs
  Farm farm;
  Vampire vampire;
  Bomb bomb;
  Gamble gamble;
  Discombobulate discombobulate;
  std::int64_t inspect_fee = 0;
  Roulette roulette;
  std::vector<Reward> rewards;
  std::vector<Item> items;

  // Finds an item by its id or by one of its names. Case does not matter, nor do colons around the name. Null
  // if the catalogue has no such item.
  Item const* find_item(std::string_view name) const;
  Reward const* find_reward(std::string_view name) const;
  // For the kinds that at most one item can have (bomb, guard): that item, or null.
  Item const* find_use(UseKind kind) const;
  std::int64_t drop_total() const;

  friend bool operator==(Catalogue const&, Catalogue const&) = default;
};

// The name of farm.cooldown_s among the cooldowns of a player.
inline constexpr std::string_view farm_cooldown = "farm";

using CataloguePtr = std::shared_ptr<Catalogue const>;

// Strict: the first problem is refused, and the error names its field, like "items[3].craft[0].item".
Result<Catalogue> parse_catalogue(std::string_view json);

// The catalogue that ships with Larder.
CataloguePtr ajo_catalogue();

std::string_view name_of(EffectKind kind);
std::optional<EffectKind> effect_named(std::string_view name);
// The largest value that an item, or an operator, can give to the effect.
std::int64_t largest_effect(EffectKind kind);
std::string_view name_of(UseKind kind);

}  // namespace larder::economy
