// The rules of a world: all numbers of the game, read from one JSON file.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "systems/tribes/tribes_types.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace larder::tribes {

struct Level {
  std::int64_t cost = 0;  // coins
  std::int64_t seconds = 0;
  std::int64_t capacity = 0;  // chefs or salesmice employed, or beds; a school has none
  friend bool operator==(Level const&, Level const&) = default;
};

// What the first building of a kind costs.
struct FirstBuilding {
  std::int64_t cost = 0;
  std::int64_t seconds = 0;
  friend bool operator==(FirstBuilding const&, FirstBuilding const&) = default;
};

struct BuildingRules {
  FirstBuilding first;
  std::vector<Level> levels;

  int level_max() const { return int(levels.size()); }
  // Levels start at 1. A level above the highest, from a time with other rules, counts as the highest.
  Level const& at_level(int level) const { return levels[std::size_t(std::min(level, level_max()) - 1)]; }
  friend bool operator==(BuildingRules const&, BuildingRules const&) = default;
};

// The price and the time of one mouse.
struct EducationRules {
  std::int64_t cost = 0;
  std::int64_t seconds = 0;
  Building workplace = Building::kitchen;  // of chefs and salesmice
  friend bool operator==(EducationRules const&, EducationRules const&) = default;
};

// The share of a level's cost and time that razing costs and takes.
struct Razing {
  std::int64_t cost_percent = 0;
  std::int64_t time_percent = 0;
  friend bool operator==(Razing const&, Razing const&) = default;
};

// How many elements a queue has at most. The arrivals are the heists that are on their way to one town.
struct Queues {
  std::int64_t constructions_max = 0;
  std::int64_t trainings_max = 0;
  std::int64_t travels_max = 0;
  std::int64_t arrivals_max = 0;
  std::int64_t begun_refund_percent = 0;  // of an element that is cancelled after it has begun
  friend bool operator==(Queues const&, Queues const&) = default;
};

// Rates are in twentieths per second, which is the same as units per millisecond.
struct Production {
  std::int64_t chef_rate = 0;        // pizzas that an employed chef makes
  std::int64_t salesmouse_rate = 0;  // pizzas that an employed salesmouse can sell
  std::int64_t demand_rate = 0;      // pizzas that an inhabitant wants
  std::int64_t rush_demand_rate = 0;
  std::int64_t pizza_price = 0;  // coins
  friend bool operator==(Production const&, Production const&) = default;
};

// From the full hour `from` until before the full hour `to`.
struct RushHours {
  std::int64_t from = 0;
  std::int64_t to = 0;
  friend bool operator==(RushHours const&, RushHours const&) = default;
};

// The clock of the mice. It shows 0:00 at the world's start.
struct MouseClock {
  std::int64_t speed = 1;             // how many times it is faster than game time
  std::vector<RushHours> rush_hours;  // in order, without overlaps

  std::int64_t hour_ms() const { return 3'600'000 / speed; }
  std::int64_t day_ms() const { return 24 * hour_ms(); }
  friend bool operator==(MouseClock const&, MouseClock const&) = default;
};

struct Taps {
  std::int64_t pizzas = 0;  // per inhabitant, from a kitchen
  std::int64_t coins = 0;   // per inhabitant, from a shop
  std::int64_t every_s = 0;
  friend bool operator==(Taps const&, Taps const&) = default;
};

// The world is a square of fields, divided into square zones.
struct WorldMap {
  std::int64_t size = 0;       // fields on a side
  std::int64_t zone_size = 1;  // fields on a side
  std::int64_t towns_per_zone_max = 0;
  friend bool operator==(WorldMap const&, WorldMap const&) = default;
};

// Each thief draws from [0, thief_strength x thieves + guards) and succeeds below thief_strength x thieves.
struct Heists {
  std::int64_t travel_ms_per_field = 0;
  std::int64_t thief_strength = 0;
  std::int64_t loot_per_thief = 0;  // coins
  friend bool operator==(Heists const&, Heists const&) = default;
};

// How much game time passes at most between two updates of a town.
struct Updates {
  std::int64_t every_s = 0;
  std::int64_t watched_every_s = 0;  // while somebody is watching
  friend bool operator==(Updates const&, Updates const&) = default;
};

struct Rules {
  std::int64_t goal_coins = 0;  // whoever owns them first wins the world
  std::int64_t start_coins = 0;
  std::array<BuildingRules, building_names.size()> buildings;
  std::array<EducationRules, education_names.size()> educations;
  Razing razing;
  Queues queues;
  Production production;
  MouseClock mouse_clock;
  Taps taps;
  WorldMap world;
  Heists heists;
  Updates updates;

  BuildingRules const& of(Building building) const { return buildings[std::size_t(building)]; }
  EducationRules const& of(Education education) const { return educations[std::size_t(education)]; }
  friend bool operator==(Rules const&, Rules const&) = default;
};

using RulesPtr = std::shared_ptr<Rules const>;

inline constexpr std::int64_t levels_max = 20;  // of a building
inline constexpr std::int64_t rush_hours_max = 12;
// Chefs can work in kitchens or in shops, and so can salesmice. The numbers are those of Building.
inline constexpr std::span<std::string_view const> workplaces = std::span(building_names).first(2);
constexpr bool has_places(Building building) { return building != Building::school; }
constexpr bool has_work(Education education) {
  return education == Education::chef || education == Education::salesmouse;
}

// A number that every object of a section has, and what it may be. The members of the rules themselves are in
// the section "".
struct RuleNumber {
  std::string_view section;
  std::string_view name;
  IntRule rule;
  std::string_view says;
};
std::vector<RuleNumber> rule_numbers();

// Strict: the first problem is refused, and the error names its field, like
// "buildings.kitchen.levels[2].cost". With rules that were accepted, no number in the game overflows and no
// update is expensive.
Result<Rules> parse_rules(std::string_view json);

// The rules as a file has them: parse_rules reads them back.
json::value to_json(Rules const& rules);

// The rules that ship with Larder.
RulesPtr pizza_rules();

}  // namespace larder::tribes
