#include "systems/tribes/tribes_rules_test.hpp"

#include <algorithm>

namespace larder::tribes::test {

Rules hasty_rules(Random& random) {
  auto rules = *pizza_rules();
  rules.mouse_clock.speed = 3'600;
  rules.production.chef_rate = between(random, 0, 60);
  rules.production.rush_demand_rate = between(random, 0, 60);
  rules.production.pizza_price = between(random, 0, 3);
  rules.heists.travel_ms_per_field = between(random, 1, 5'000);
  rules.taps.every_s = between(random, 1, 60);
  for (auto& building : rules.buildings) {
    building.first = {.cost = 5, .seconds = 1};
    for (auto& level : building.levels) {
      level.cost /= 1'000;
      level.seconds = between(random, 1, 40);
    }
  }
  for (auto& education : rules.educations) {
    education.cost /= 1'000;
    education.seconds = between(random, 1, 30);
  }
  return rules;
}

namespace {

std::optional<Lot> random_lot(Random& random, GameMs at) {
  if (random.chance(1, 3)) return std::nullopt;
  Lot lot{.building = Building(random.below(building_names.size())), .level = int(between(random, 1, 3))};
  if (random.chance(1, 2)) lot.tapped_at = {between(random, 0, at.value)};
  return lot;
}

void add_random_queues(Random& random, Rules const& rules, std::int64_t quiet_ms, Town& town) {
  auto complete_at = town.at;
  for (auto n = random.below(6); n > 0; --n) {
    complete_at = complete_at + between(random, 1, 30'000);
    LotId const lot = LotId::at(random.below(LotId::names.size()));
    auto const planned = planned_lot(town, lot);
    bool const razing = planned && random.chance(1, 3);
    town.constructions.push_back(
        {.complete_at = complete_at,
         .lot = lot,
         .building = planned ? planned->building : Building(random.below(building_names.size())),
         .level = planned ? planned->level + (razing ? 0 : 1) : 1,
         .razing = razing,
         .cost = between(random, 0, 1'000)});
  }
  for (auto n = random.below(6); n > 0; --n) {
    town.trainings.push_back({.complete_at = town.at + between(random, 1, 90'000),
                              .education = Education(random.below(education_names.size())),
                              .amount = between(random, 1, 9),
                              .cost = between(random, 0, 1'000)});
  }
  for (auto n = random.below(6); n > 0; --n) {
    bool const returning = random.chance(1, 2);
    town.travels.push_back({.arrival_at = town.at + (returning ? 1 : quiet_ms) + between(random, 0, 90'000),
                            .destination = {.x = int(random.below(110)), .y = int(random.below(110))},
                            .target = user(fmt::format("target{}", random.below(5))),
                            .returning = returning,
                            .thieves = between(random, 1, 9),
                            .coins = returning ? between(random, 0, 5'000) : 0,
                            .seed = random.next()});
  }
  for (auto n = random.below(4); n > 0; --n) {
    town.arrivals.push_back({.at = town.at + quiet_ms + between(random, 0, 90'000),
                             .attacker = user(fmt::format("thief{}", random.below(5)))});
  }
  std::ranges::sort(town.arrivals);
  LARDER_ASSERT(rules.queues.constructions_max >= std::ssize(town.constructions));
}

}  // namespace

Town random_town(Random& random, Rules const& rules, std::int64_t quiet_ms) {
  Town town{.user = user("ann"),
            .field = {.x = int(random.below(110)), .y = int(random.below(110))},
            .at = {between(random, 0, 200'000'000)}};
  // Also nothing, and as much as there can be.
  auto const random_stock = [&] {
    std::int64_t const most[] = {0, 1'000, 100'000'000, stock_max};
    auto const units = most[random.below(4)];
    return units == stock_max ? stock_max - between(random, 0, 1'000'000) : between(random, 0, units);
  };
  town.coin_units = random_stock();
  town.pizza_units = random_stock();
  for (auto& lot : town.lots) lot = random_lot(random, town.at);
  for (auto* const group : {&town.population.uneducated, &town.population.chefs, &town.population.salesmice,
                            &town.population.guards, &town.population.thieves}) {
    *group = between(random, 0, 30);
  }
  add_random_queues(random, rules, quiet_ms, town);
  town.ruin = random.chance(1, 20);
  return town;
}

void TestWorld::catch_up(UserId const& id, GameMs to) {
  auto& town = towns.at(id);
  for (auto next = next_encounter(town); next && next->at <= to; next = next_encounter(town)) settle(*next);
  advance(town, rules, to);
}

void TestWorld::settle(Encounter const& encounter) {
  auto& attacker = towns.at(encounter.attacker);
  auto& target = towns.at(encounter.target);
  for (auto* const town : {&attacker, &target}) {
    for (auto next = next_encounter(*town).value(); next != encounter; next = next_encounter(*town).value()) {
      settle(next);
    }
    advance(*town, rules, encounter.at);
  }
  auto const result = resolve_heist(attacker, target, rules, encounter).value();
  caught[encounter.attacker] += result.caught;
  heists.push_back(result);
}

Result<void> TestWorld::act(UserId const& id, Action const& action, GameMs now, Seed seed) {
  catch_up(id, now);
  auto& town = towns.at(id);
  auto const* const steal = std::get_if<Steal>(&action);
  if (!steal) return tribes::act(town, rules, action);
  auto const target =
      std::ranges::find(towns, steal->field, [](auto const& entry) { return entry.second.field; });
  catch_up(target->first, now);
  return send_heist(town, target->second, rules, steal->thieves, seed);
}

}  // namespace larder::tribes::test
