// What a game is made of: items, chances, costs and every other number, read from one JSON file.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace larder::economy {

// What can be active on a player for a while. The moves know what each of them does.
enum class EffectKind {
  gain,            // points of a farm
  discombobulate,  // percent more damage
  vampire,         // percent more chance to meet one
};

// What using an item does.
enum class UseKind {
  none,           // it cannot be used
  clear_vampire,  // the next vampire is of level 1 again
  lower_vampire,  // by levels
  effect,         // something is active for a while, on the user or on a target
  radar,          // tells the next bombs
  bomb,           // planted with a timer
  guard,          // used up by a vampire instead of points
};

struct Use {
  UseKind kind = UseKind::none;
  std::int64_t levels = 0;               // lower_vampire
  EffectKind effect = EffectKind::gain;  // effect
  std::int64_t by = 0;                   // effect
  std::int64_t seconds = 0;              // effect
  bool stacks = false;                   // effect: on what is active already
  bool on_target = false;                // effect: on another player
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
  std::vector<std::string> names;  // short ones that players may type, lower case
  std::int64_t max_stack = 1;
  bool tradable = true;
  std::int64_t drop = 0;    // chance out of Farm::drop_faces
  std::vector<Cost> craft;  // empty: it cannot be crafted
  Use use;
  friend bool operator==(Item const&, Item const&) = default;
};

struct Reward {
  std::string name;  // "daily"
  std::int64_t points = 0;
  std::int64_t every_s = 0;
  friend bool operator==(Reward const&, Reward const&) = default;
};

struct Farm {
  std::int64_t gain = 0;
  std::int64_t drop_balance_min = 0;  // who owns less finds nothing
  std::int64_t drop_faces = 0;
  friend bool operator==(Farm const&, Farm const&) = default;
};

// Chance in percent: chance_first at level 1, else chance_log10 x log10(level). Damage in percent, a whole
// number from min(damage_low_tenths x level / 10, damage_low_max) to min(damage_high_tenths x level / 10,
// damage_high_max).
struct Vampire {
  std::int64_t level_max = 0;  // above it nothing is farmed
  std::int64_t chance_first = 0;
  std::int64_t chance_log10 = 0;
  std::int64_t level_ttl_s = 0;  // times the level
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
  std::int64_t spread_s = 0;  // it becomes pending within so many seconds of its time
  friend bool operator==(Bomb const&, Bomb const&) = default;
};

// One in win_one_in wins ceil(r / win_divisor x amount), r from 1 to win_faces.
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
  std::int64_t lock_s = 0;  // times the percent that was drawn
  friend bool operator==(Discombobulate const&, Discombobulate const&) = default;
};

struct Roulette {
  std::int64_t chambers = 0;
  std::int64_t ttl_s = 0;
  friend bool operator==(Roulette const&, Roulette const&) = default;
};

struct Catalogue {
  std::string version;   // of its content: two with one version are the same
  std::string text;      // as it is kept: the JSON in one line, names sorted, without what is said by default
  std::string currency;  // what points are called among the costs
  Farm farm;
  Vampire vampire;
  Bomb bomb;
  Gamble gamble;
  Discombobulate discombobulate;
  std::int64_t inspect_fee = 0;
  Roulette roulette;
  std::vector<Reward> rewards;
  std::vector<Item> items;

  // By its id or one of its names, in any case, with or without colons around it; null if there is none.
  Item const* find_item(std::string_view name) const;
  Reward const* find_reward(std::string_view name) const;
  // The one of a kind of which there is at most one: bomb, guard. Null if there is none.
  Item const* find_use(UseKind kind) const;
  std::int64_t drop_total() const;

  friend bool operator==(Catalogue const&, Catalogue const&) = default;
};

using CataloguePtr = std::shared_ptr<Catalogue const>;

// Strict: the first problem names its field, like "items[3].craft[0].item".
Result<Catalogue> parse_catalogue(std::string_view json);

// The one that is shipped.
CataloguePtr ajo_catalogue();

std::string_view name_of(EffectKind kind);
std::string_view name_of(UseKind kind);

}  // namespace larder::economy
