#include "systems/tribes/rules.hpp"

#include "larder_tribes_files.hpp"

#include <fmt/format.h>

#include <span>

namespace larder::tribes {

namespace {

constexpr std::int64_t zones_per_side_max = 100;

constexpr IntRule cost_rule{0, 1'000'000'000'000};
constexpr IntRule seconds_rule{1, 31'536'000};
constexpr IntRule capacity_rule{0, 10'000};
constexpr IntRule share_rule{0, 100};
constexpr IntRule rate_rule{0, 1'000'000};
constexpr IntRule queue_rule{1, 1'000};
constexpr IntRule gain_rule{0, 1'000'000};
static_assert(cost_rule.max <= whole_max);
static_assert(LotId::names.size() * capacity_rule.max <= mice_max);

// Describes a member that is a number. A table of these is used to read, check and write a section.
template <class Section>
struct NumberRule {
  std::string_view name;
  std::int64_t Section::* member;
  IntRule rule;
  std::string_view says;
};
template <class Section>
using NumberRules = std::type_identity_t<std::span<NumberRule<Section> const>>;

constexpr NumberRule<Rules> coin_rules[] = {
    {"goal_coins",
     &Rules::goal_coins,
     {1, cost_rule.max},
     "the first player with this many coins wins the world"},
    {"start_coins", &Rules::start_coins, cost_rule, "the coins of a new town"},
};
constexpr NumberRule<FirstBuilding> first_rules[] = {
    {"cost", &FirstBuilding::cost, cost_rule, "coins that the first building of its kind costs"},
    {"seconds", &FirstBuilding::seconds, seconds_rule, "how long it takes to build"},
};
// The last member is left out for buildings without places.
constexpr NumberRule<Level> level_rules[] = {
    {"cost", &Level::cost, cost_rule, "coins that this level costs"},
    {"seconds", &Level::seconds, seconds_rule, "how long it takes to build"},
    {"capacity", &Level::capacity, capacity_rule,
     "how many chefs or salesmice work there, or how many beds there are"},
};
constexpr NumberRule<EducationRules> education_rules[] = {
    {"cost", &EducationRules::cost, cost_rule, "coins per mouse"},
    {"seconds", &EducationRules::seconds, seconds_rule, "how long the training takes"},
};
constexpr NumberRule<Razing> razing_rules[] = {
    {"cost_percent", &Razing::cost_percent, {0, 1'000}, "the share of the cost of the level"},
    {"time_percent", &Razing::time_percent, {1, 1'000}, "the share of the time of the level"},
};
constexpr NumberRule<Queues> queues_rules[] = {
    {"constructions_max", &Queues::constructions_max, queue_rule,
     "how many constructions a town can have in its queue"},
    {"trainings_max", &Queues::trainings_max, queue_rule, "how many trainings"},
    {"travels_max", &Queues::travels_max, queue_rule, "how many heists of its own"},
    {"arrivals_max", &Queues::arrivals_max, queue_rule, "how many heists can be on their way to a town"},
    {"begun_refund_percent", &Queues::begun_refund_percent, share_rule,
     "the refund of an element that is cancelled after it has begun"},
};
constexpr NumberRule<Production> production_rules[] = {
    {"chef_rate", &Production::chef_rate, rate_rule,
     "pizzas that an employed chef makes, in twentieths per second"},
    {"salesmouse_rate", &Production::salesmouse_rate, rate_rule,
     "pizzas that an employed salesmouse can sell, in twentieths per second"},
    {"demand_rate", &Production::demand_rate, rate_rule,
     "pizzas that an inhabitant wants, in twentieths per second"},
    {"rush_demand_rate", &Production::rush_demand_rate, rate_rule, "the same during the rush hours"},
    {"pizza_price", &Production::pizza_price, gain_rule, "coins for a pizza"},
};
constexpr NumberRule<MouseClock> clock_rules[] = {
    {"speed",
     &MouseClock::speed,
     {1, 3'600},
     "how many times the clock of the mice is faster than game time; divides 3600000"},
};
constexpr NumberRule<RushHours> rush_rules[] = {
    {"from", &RushHours::from, {0, 23}, "the hour at which they begin"},
    {"to", &RushHours::to, {1, 24}, "the hour before which they end"},
};
constexpr NumberRule<Taps> taps_rules[] = {
    {"pizzas", &Taps::pizzas, gain_rule, "per inhabitant, from a kitchen"},
    {"coins", &Taps::coins, gain_rule, "per inhabitant, from a shop"},
    {"every_s", &Taps::every_s, seconds_rule, "seconds between two taps of a lot"},
};
constexpr NumberRule<WorldMap> world_rules[] = {
    {"size", &WorldMap::size, {1, 1'000}, "fields on a side of the map; a multiple of zone_size"},
    {"zone_size", &WorldMap::zone_size, {1, 100}, "fields on a side of a zone"},
    {"towns_per_zone_max", &WorldMap::towns_per_zone_max, {1, 10'000}, "how many towns a zone can have"},
};
constexpr NumberRule<Heists> heists_rules[] = {
    {"travel_ms_per_field",
     &Heists::travel_ms_per_field,
     {1, 86'400'000},
     "milliseconds that thieves travel per field"},
    {"thief_strength", &Heists::thief_strength, {1, 1'000}, "how many guards a thief outweighs"},
    {"loot_per_thief", &Heists::loot_per_thief, gain_rule, "coins that a thief can carry"},
};
constexpr NumberRule<Updates> updates_rules[] = {
    {"every_s", &Updates::every_s, seconds_rule, "game seconds between two updates of a town, at most"},
    {"watched_every_s", &Updates::watched_every_s, seconds_rule, "the same while somebody watches the town"},
};

NumberRules<Level> level_rules_of(Building building) {
  return std::span(level_rules).first(has_places(building) ? 3 : 2);
}

template <class Section>
void read_numbers(ObjectReader& in, NumberRules<Section> rules, Section& out) {
  for (auto const& rule : rules) out.*rule.member = in.required_int(rule.name, rule.rule);
}

// Reads the object `name` inside `in` with the function `read`.
void read_object(ObjectReader& in, std::string_view name, auto&& read) {
  auto const* const value = in.required_value(name);
  if (!value) return;
  ObjectReader inner(*value, in.path_of(name));
  read(inner);
  if (auto problem = inner.finish()) in.inner_problem(std::move(*problem));
}

// Reads each object of the array `name` inside `in` with the function `read`, which also gets its index.
void read_objects(ObjectReader& in, std::string_view name, std::size_t min, std::size_t max, auto&& read) {
  auto const& array = in.required_array(name, min, max);
  for (std::size_t i = 0; i < array.size(); ++i) {
    ObjectReader inner(array[i], fmt::format("{}[{}]", in.path_of(name), i));
    read(inner, i);
    if (auto problem = inner.finish()) in.inner_problem(std::move(*problem));
  }
}

template <class Section>
void read_section(ObjectReader& in, std::string_view name, NumberRules<Section> rules, Section& out) {
  read_object(in, name, [&](ObjectReader& inner) { read_numbers(inner, rules, out); });
}

void read_building(ObjectReader& in, Building building, BuildingRules& out) {
  read_section(in, "first", first_rules, out.first);
  read_objects(in, "levels", 1, levels_max, [&](ObjectReader& inner, std::size_t i) {
    auto& level = out.levels.emplace_back();
    read_numbers(inner, level_rules_of(building), level);
    if (i > 0 && level.capacity < out.levels[i - 1].capacity) {
      inner.problem("capacity", "must not be below that of the level before");
    }
  });
}

void read_education(ObjectReader& in, Education education, EducationRules& out) {
  read_numbers(in, education_rules, out);
  if (has_work(education)) out.workplace = Building(in.required_choice("workplace", workplaces));
}

void read_clock(ObjectReader& in, MouseClock& out) {
  read_numbers(in, clock_rules, out);
  if (3'600'000 % out.speed != 0) in.problem("speed", "must divide 3600000, the milliseconds of an hour");
  read_objects(in, "rush_hours", 0, rush_hours_max, [&](ObjectReader& inner, std::size_t i) {
    auto& hours = out.rush_hours.emplace_back();
    read_numbers(inner, rush_rules, hours);
    if (hours.from >= hours.to) inner.problem("to", "must be above from");
    if (i > 0 && hours.from < out.rush_hours[i - 1].to) {
      inner.problem("from", "must not be before the end of the rush hours before");
    }
  });
}

void read_world(ObjectReader& in, WorldMap& out) {
  read_numbers(in, world_rules, out);
  if (out.size % out.zone_size != 0) in.problem("size", "must be a multiple of zone_size");
  if (out.size / out.zone_size > zones_per_side_max) {
    in.problem("zone_size", fmt::format("leads to more than {} zones on a side", zones_per_side_max));
  }
  if (out.towns_per_zone_max > out.zone_size * out.zone_size) {
    in.problem("towns_per_zone_max", "must not be above the number of fields of a zone");
  }
}

void read_rules(ObjectReader& in, Rules& out) {
  read_numbers(in, coin_rules, out);
  if (out.goal_coins <= out.start_coins) in.problem("goal_coins", "must be above start_coins");
  read_object(in, "buildings", [&](ObjectReader& all) {
    for (std::size_t i = 0; i < building_names.size(); ++i) {
      read_object(all, building_names[i],
                  [&](ObjectReader& one) { read_building(one, Building(i), out.buildings[i]); });
    }
  });
  read_object(in, "educations", [&](ObjectReader& all) {
    for (std::size_t i = 0; i < education_names.size(); ++i) {
      read_object(all, education_names[i],
                  [&](ObjectReader& one) { read_education(one, Education(i), out.educations[i]); });
    }
  });
  read_section(in, "razing", razing_rules, out.razing);
  read_section(in, "queues", queues_rules, out.queues);
  read_section(in, "production", production_rules, out.production);
  read_object(in, "mouse_clock", [&](ObjectReader& inner) { read_clock(inner, out.mouse_clock); });
  read_section(in, "taps", taps_rules, out.taps);
  read_object(in, "world", [&](ObjectReader& inner) { read_world(inner, out.world); });
  read_section(in, "heists", heists_rules, out.heists);
  read_section(in, "updates", updates_rules, out.updates);
}

template <class Section>
json::object write_numbers(NumberRules<Section> rules, Section const& section) {
  json::object out;
  for (auto const& rule : rules) out[rule.name] = section.*rule.member;
  return out;
}

json::object write_building(Building building, BuildingRules const& rules) {
  json::array levels;
  for (auto const& level : rules.levels) levels.emplace_back(write_numbers(level_rules_of(building), level));
  return {{"first", write_numbers(first_rules, rules.first)}, {"levels", std::move(levels)}};
}

json::object write_education(Education education, EducationRules const& rules) {
  auto out = write_numbers(education_rules, rules);
  if (has_work(education)) out["workplace"] = name_of(rules.workplace);
  return out;
}

json::object write_clock(MouseClock const& clock) {
  auto out = write_numbers(clock_rules, clock);
  json::array all;
  for (auto const& hours : clock.rush_hours) all.emplace_back(write_numbers(rush_rules, hours));
  out["rush_hours"] = std::move(all);
  return out;
}

}  // namespace

Result<Rules> parse_rules(std::string_view json) {
  auto const parsed = parse_json(json);
  if (!parsed) return std::unexpected(parsed.error());
  if (!parsed->is_object()) return invalid("", "rules are a JSON object");
  Rules rules;
  ObjectReader in(*parsed);
  read_rules(in, rules);
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return rules;
}

json::value to_json(Rules const& rules) {
  json::object buildings;
  for (std::size_t i = 0; i < building_names.size(); ++i) {
    buildings[building_names[i]] = write_building(Building(i), rules.buildings[i]);
  }
  json::object educations;
  for (std::size_t i = 0; i < education_names.size(); ++i) {
    educations[education_names[i]] = write_education(Education(i), rules.educations[i]);
  }
  auto out = write_numbers(coin_rules, rules);
  out["buildings"] = std::move(buildings);
  out["educations"] = std::move(educations);
  out["razing"] = write_numbers(razing_rules, rules.razing);
  out["queues"] = write_numbers(queues_rules, rules.queues);
  out["production"] = write_numbers(production_rules, rules.production);
  out["mouse_clock"] = write_clock(rules.mouse_clock);
  out["taps"] = write_numbers(taps_rules, rules.taps);
  out["world"] = write_numbers(world_rules, rules.world);
  out["heists"] = write_numbers(heists_rules, rules.heists);
  out["updates"] = write_numbers(updates_rules, rules.updates);
  return out;
}

std::vector<RuleNumber> rule_numbers() {
  std::vector<RuleNumber> all;
  auto const add = [&](std::string_view section, auto const& rules) {
    for (auto const& rule : rules)
      all.push_back({.section = section, .name = rule.name, .rule = rule.rule, .says = rule.says});
  };
  add("", coin_rules);
  add("first", first_rules);
  add("levels", level_rules);
  add("educations", education_rules);
  add("razing", razing_rules);
  add("queues", queues_rules);
  add("production", production_rules);
  add("mouse_clock", clock_rules);
  add("rush_hours", rush_rules);
  add("taps", taps_rules);
  add("world", world_rules);
  add("heists", heists_rules);
  add("updates", updates_rules);
  return all;
}

RulesPtr pizza_rules() {
  static RulesPtr const shipped = [] {
    auto parsed = parse_rules(files::pizza_json);
    LARDER_ASSERT(parsed.has_value());
    return std::make_shared<Rules const>(std::move(*parsed));
  }();
  return shipped;
}

}  // namespace larder::tribes
