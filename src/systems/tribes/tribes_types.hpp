// The types of tribes: a town and everything in it. They are plain data; the rules are in the other headers.
#pragma once

#include "base/ids.hpp"
#include "base/limits.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace larder::tribes {

// Game time ends here: 285 000 years after the world's start, and still exact in JSON.
inline constexpr std::int64_t game_ms_max = limits::amount_max;

// A moment of game time: whole milliseconds since the world's start, from 0 to game_ms_max.
struct GameMs {
  std::int64_t value = 0;
  friend auto operator<=>(GameMs const&, GameMs const&) = default;
  // Stops at game_ms_max. `ms` must not be negative.
  friend GameMs operator+(GameMs t, std::int64_t ms) {
    return {t.value + std::min(ms, game_ms_max - t.value)};
  }
  friend std::int64_t operator-(GameMs a, GameMs b) { return a.value - b.value; }
};

// Coins and pizzas are counted in units of 1/20000, so that nothing is ever rounded. A stock that would grow
// above stock_max stays there: 400 000 000 000 000 coins, far above the goal of any world.
inline constexpr std::int64_t units_per_whole = 20'000;
inline constexpr std::int64_t whole_max = 400'000'000'000'000;
inline constexpr std::int64_t stock_max = whole_max * units_per_whole;
// No group of a town's population grows above this.
inline constexpr std::int64_t mice_max = 1'000'000;

// The order is that of the numbers in the document.
enum class Building { kitchen, shop, house, school };
inline constexpr std::array<std::string_view, 4> building_names = {"kitchen", "shop", "house", "school"};
constexpr std::string_view name_of(Building building) { return building_names[std::size_t(building)]; }

enum class Education { chef, salesmouse, guard, thief };
inline constexpr std::array<std::string_view, 4> education_names = {"chef", "salesmouse", "guard", "thief"};
constexpr std::string_view name_of(Education education) { return education_names[std::size_t(education)]; }

// The mice at home. Mice in training and travelling thieves are in the queues.
struct Population {
  std::int64_t uneducated = 0;
  std::int64_t chefs = 0;
  std::int64_t salesmice = 0;
  std::int64_t guards = 0;
  std::int64_t thieves = 0;

  std::int64_t inhabitants() const { return uneducated + chefs + salesmice + guards + thieves; }
  std::int64_t& of(Education education) {
    std::int64_t* const groups[] = {&chefs, &salesmice, &guards, &thieves};
    return *groups[std::size_t(education)];
  }
  friend bool operator==(Population const&, Population const&) = default;
};

// A lot of a town, "1" to "10".
class LotId {
 public:
  static constexpr std::array<std::string_view, 10> names = {"1", "2", "3", "4", "5",
                                                             "6", "7", "8", "9", "10"};

  constexpr LotId() = default;
  static constexpr std::optional<LotId> from(std::string_view name) {
    auto const found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return LotId(std::size_t(found - names.begin()));
  }
  // `index` is below names.size().
  static constexpr LotId at(std::size_t index) { return LotId(index); }
  constexpr std::size_t index() const { return index_; }
  constexpr std::string_view str() const { return names[index_]; }
  friend auto operator<=>(LotId const&, LotId const&) = default;

 private:
  constexpr explicit LotId(std::size_t index) : index_(index) {}
  std::size_t index_ = 0;
};

// What stands on a lot.
struct Lot {
  Building building = Building::kitchen;
  int level = 1;
  std::optional<GameMs> tapped_at = {};
  friend bool operator==(Lot const&, Lot const&) = default;
};

// A field of the world's map.
struct Field {
  int x = 0;
  int y = 0;
  friend auto operator<=>(Field const&, Field const&) = default;
};

// Constructions run one after the other: the first of the queue has begun, the others wait.
struct Construction {
  GameMs complete_at;
  LotId lot;
  Building building = Building::kitchen;
  int level = 1;  // that the building will have; if razing, that it has until then
  bool razing = false;
  std::int64_t cost = 0;  // coins that were paid
  friend bool operator==(Construction const&, Construction const&) = default;
};

// Trainings run in parallel.
struct Training {
  GameMs complete_at;
  Education education = Education::chef;
  std::int64_t amount = 0;
  std::int64_t cost = 0;  // coins that were paid for all mice
  friend bool operator==(Training const&, Training const&) = default;
};

// Thieves on their way to the target, or back home.
struct Travel {
  GameMs arrival_at;
  Field destination;
  UserId target;  // who is robbed; also on the way back
  bool returning = false;
  std::int64_t thieves = 0;
  std::int64_t coins = 0;  // the loot, on the way back
  std::uint64_t seed = 0;  // of the heist
  friend bool operator==(Travel const&, Travel const&) = default;
};

// A heist that is on its way to this town. The attacker's town has its Travel.
struct Arrival {
  GameMs at;
  UserId attacker;
  friend auto operator<=>(Arrival const&, Arrival const&) = default;
};

struct Town {
  UserId user;
  Field field;
  GameMs at;  // the moment up to which the town is advanced
  std::int64_t coin_units = 0;
  std::int64_t pizza_units = 0;
  std::array<std::optional<Lot>, LotId::names.size()> lots = {};
  Population population;
  std::vector<Construction> constructions = {};  // by complete_at
  std::vector<Training> trainings = {};          // in the order in which they began
  std::vector<Travel> travels = {};    // in the order in which they began; a way back keeps its place
  std::vector<Arrival> arrivals = {};  // sorted
  bool ruin = false;                   // the account was deleted: the town produces nothing

  std::int64_t coins() const { return coin_units / units_per_whole; }
  std::int64_t pizzas() const { return pizza_units / units_per_whole; }
  std::optional<Lot>& lot(LotId id) { return lots[id.index()]; }
  std::optional<Lot> const& lot(LotId id) const { return lots[id.index()]; }
  friend bool operator==(Town const&, Town const&) = default;
};

}  // namespace larder::tribes
