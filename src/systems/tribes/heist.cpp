#include "systems/tribes/heist.hpp"

#include "systems/tribes/actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace larder::tribes {

namespace {

// The smallest whole number whose square is at least `square`, which is below 2^100.
std::int64_t root_rounded_up(__int128 square) {
  // The estimate is off by a few at most; the loops make it exact.
  auto root = std::int64_t(std::sqrt(double(square)));
  while (__int128(root) * root < square) ++root;
  while (root > 0 && __int128(root - 1) * (root - 1) >= square) --root;
  return root;
}

std::int64_t count_caught(std::int64_t thieves, std::int64_t guards, Rules const& rules, Seed seed) {
  Random random(seed);
  auto const strength = std::uint64_t(rules.heists.thief_strength * thieves);
  std::int64_t caught = 0;
  for (std::int64_t i = 0; i < thieves; ++i) {
    if (!random.chance(strength, strength + std::uint64_t(guards))) ++caught;
  }
  return caught;
}

}  // namespace

std::int64_t travel_ms(Field from, Field to, Rules const& rules) {
  auto const dx = __int128(from.x) - to.x;
  auto const dy = __int128(from.y) - to.y;
  auto const per_field = __int128(rules.heists.travel_ms_per_field);
  return root_rounded_up(per_field * per_field * (dx * dx + dy * dy));
}

Result<void> send_heist(Town& attacker, Town& target, Rules const& rules, std::int64_t thieves, Seed seed) {
  LARDER_ASSERT(thieves > 0);
  if (attacker.user == target.user) return refuse(errors::own_town, "a town cannot rob itself");
  LARDER_ASSERT(attacker.at == target.at);
  if (attacker.population.thieves < thieves) {
    return refuse(errors::not_enough_thieves,
                  fmt::format("the town has {} thieves at home", attacker.population.thieves));
  }
  if (std::ssize(attacker.travels) >= rules.queues.travels_max) {
    return refuse(errors::queue_full,
                  fmt::format("the travel queue has at most {} elements", rules.queues.travels_max));
  }
  if (std::ssize(target.arrivals) >= rules.queues.arrivals_max) {
    return refuse(errors::target_busy, "too many heists are on their way to this town");
  }
  auto const arrival_at = attacker.at + travel_ms(attacker.field, target.field, rules);
  attacker.population.thieves -= thieves;
  attacker.travels.push_back({.arrival_at = arrival_at,
                              .destination = target.field,
                              .target = target.user,
                              .thieves = thieves,
                              .seed = seed.value});
  Arrival arrival{.at = arrival_at, .attacker = attacker.user};
  target.arrivals.insert(std::ranges::upper_bound(target.arrivals, arrival), std::move(arrival));
  return {};
}

Result<HeistResult> resolve_heist(Town& attacker, Town& target, Rules const& rules,
                                  Encounter const& encounter) {
  LARDER_ASSERT(attacker.user == encounter.attacker && target.user == encounter.target);
  LARDER_ASSERT(attacker.at == encounter.at && target.at == encounter.at);
  auto const travel = std::ranges::find_if(attacker.travels, [&](Travel const& t) {
    return !t.returning && t.arrival_at == encounter.at && t.target == encounter.target;
  });
  auto const arrival =
      std::ranges::find(target.arrivals, Arrival{.at = encounter.at, .attacker = encounter.attacker});
  if (travel == attacker.travels.end() || arrival == target.arrivals.end()) {
    return refuse(errors::heist_unknown,
                  fmt::format("the towns of {} and {} do not both have the heist at {}",
                              encounter.attacker.str(), encounter.target.str(), encounter.at.value));
  }

  HeistResult result{.encounter = encounter,
                     .thieves = travel->thieves,
                     .guards = target.population.guards,
                     .seed = {travel->seed}};
  result.caught = count_caught(result.thieves, result.guards, rules, result.seed);
  result.loot = std::min(result.successful() * rules.heists.loot_per_thief, target.coins());
  target.coin_units -= result.loot * units_per_whole;
  target.arrivals.erase(arrival);
  if (result.successful() == 0) {
    attacker.travels.erase(travel);
  } else {
    travel->arrival_at = encounter.at + travel_ms(target.field, attacker.field, rules);
    travel->destination = attacker.field;
    travel->returning = true;
    travel->thieves = result.successful();
    travel->coins = result.loot;
  }
  return result;
}

}  // namespace larder::tribes
