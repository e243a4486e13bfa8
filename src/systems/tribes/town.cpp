#include "systems/tribes/town.hpp"

#include "base/error.hpp"
#include "systems/tribes/production.hpp"

#include <algorithm>

namespace larder::tribes {

namespace {

void produce(Town& town, Rules const& rules, GameMs to) {
  auto const stock = stock_after({.pizzas = town.pizza_units, .coins = town.coin_units},
                                 rates_of(town, rules), rules, town.at, to);
  town.pizza_units = stock.pizzas;
  town.coin_units = stock.coins;
  town.at = to;
}

void remove_mice(Population& mice, std::int64_t count) {
  for (auto* const group : {&mice.uneducated, &mice.chefs, &mice.salesmice, &mice.guards, &mice.thieves}) {
    auto const leaving = std::min(*group, count);
    *group -= leaving;
    count -= leaving;
  }
}

std::int64_t beds_of(std::optional<Lot> const& lot, Rules const& rules) {
  if (!lot || lot->building != Building::house) return 0;
  return rules.of(Building::house).at_level(lot->level).capacity;
}

void complete(Town& town, Rules const& rules, Construction const& construction) {
  auto& lot = town.lot(construction.lot);
  auto const beds_before = beds_of(lot, rules);
  if (construction.razing) {
    lot.reset();
    remove_mice(town.population, beds_before);
    return;
  }
  if (!lot) lot = Lot{.building = construction.building};
  lot->level = construction.level;
  add_mice(town.population.uneducated, std::max<std::int64_t>(0, beds_of(lot, rules) - beds_before));
}

// Takes the elements that are complete out of a queue, and calls use(element) for each.
template <class Element>
void take_complete(std::vector<Element>& queue, auto&& is_complete, auto&& use) {
  std::erase_if(queue, [&](Element const& element) {
    if (!is_complete(element)) return false;
    use(element);
    return true;
  });
}

void complete_all(Town& town, Rules const& rules) {
  auto const is_over = [&](auto const& element) { return element.complete_at <= town.at; };
  take_complete(town.constructions, is_over,
                [&](Construction const& construction) { complete(town, rules, construction); });
  take_complete(town.trainings, is_over, [&](Training const& training) {
    add_mice(town.population.of(training.education), training.amount);
  });
  take_complete(
      town.travels, [&](Travel const& travel) { return travel.returning && travel.arrival_at <= town.at; },
      [&](Travel const& travel) {
        add_mice(town.population.thieves, travel.thieves);
        add_coins(town, travel.coins);
      });
}

void add_whole(std::int64_t& units, std::int64_t whole) {
  units = whole > (stock_max - units) / units_per_whole ? stock_max : units + whole * units_per_whole;
}

}  // namespace

void add_coins(Town& town, std::int64_t whole) { add_whole(town.coin_units, whole); }
void add_pizzas(Town& town, std::int64_t whole) { add_whole(town.pizza_units, whole); }
void add_mice(std::int64_t& group, std::int64_t mice) { group = std::min(mice_max, group + mice); }

Town found_town(UserId user, Field field, Rules const& rules, GameMs at) {
  Town town{.user = std::move(user), .field = field, .at = at};
  add_coins(town, rules.start_coins);
  return town;
}

void make_ruin(Town& town) {
  town.ruin = true;
  town.population = {};
  town.constructions.clear();
  town.trainings.clear();
}

void advance(Town& town, Rules const& rules, GameMs to) {
  LARDER_ASSERT(to >= town.at);
  auto const encounter = next_encounter(town);
  LARDER_ASSERT(!encounter || to <= encounter->at);
  for (auto next = next_completion(town); next && *next <= to; next = next_completion(town)) {
    produce(town, rules, std::max(*next, town.at));
    complete_all(town, rules);
  }
  produce(town, rules, to);
}

std::optional<GameMs> next_completion(Town const& town) {
  std::optional<GameMs> earliest;
  auto const consider = [&](GameMs at) { earliest = std::min(earliest.value_or(at), at); };
  if (!town.constructions.empty()) consider(town.constructions.front().complete_at);
  for (auto const& training : town.trainings) consider(training.complete_at);
  for (auto const& travel : town.travels) {
    if (travel.returning) consider(travel.arrival_at);
  }
  return earliest;
}

std::optional<Encounter> next_encounter(Town const& town) {
  std::optional<Encounter> next;
  auto const is_earlier = [&](GameMs at, UserId const& attacker) {
    return !next || at < next->at || (at == next->at && attacker < next->attacker);
  };
  for (auto const& travel : town.travels) {
    if (!travel.returning && is_earlier(travel.arrival_at, town.user)) {
      next = {.at = travel.arrival_at, .attacker = town.user, .target = travel.target};
    }
  }
  if (!town.arrivals.empty() && is_earlier(town.arrivals.front().at, town.arrivals.front().attacker)) {
    next = {.at = town.arrivals.front().at, .attacker = town.arrivals.front().attacker, .target = town.user};
  }
  return next;
}

std::optional<GameMs> goal_reached_at(Town town, Rules const& rules, GameMs horizon) {
  auto const goal_units = rules.goal_coins * units_per_whole;
  if (auto const encounter = next_encounter(town)) horizon = std::min(horizon, encounter->at);
  while (town.coin_units < goal_units) {
    if (town.at >= horizon) return std::nullopt;
    auto const end = std::max(town.at, std::min(horizon, next_completion(town).value_or(horizon)));
    if (auto const moment = coins_reached_at({.pizzas = town.pizza_units, .coins = town.coin_units},
                                             rates_of(town, rules), rules, town.at, end, goal_units)) {
      return moment;
    }
    advance(town, rules, end);
  }
  return town.at;
}

GameMs next_due(Town const& town, Rules const& rules, bool watched, std::int64_t gap_ms) {
  auto const every_s = watched ? rules.updates.watched_every_s : rules.updates.every_s;
  auto due = town.at + std::max(every_s * 1'000, gap_ms);
  if (auto const completion = next_completion(town)) due = std::min(due, *completion);
  if (auto const encounter = next_encounter(town)) due = std::min(due, encounter->at);
  due = std::max(due, town.at);
  auto const goal_units = rules.goal_coins * units_per_whole;
  if (town.coin_units >= goal_units) return due;
  return coins_reached_at({.pizzas = town.pizza_units, .coins = town.coin_units}, rates_of(town, rules),
                          rules, town.at, due, goal_units)
      .value_or(due);
}

}  // namespace larder::tribes
