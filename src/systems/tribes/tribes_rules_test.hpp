// What the tests of the tribes' rules share: small towns, random towns, and a world whose towns rob each
// other.
#pragma once

#include "base/random.hpp"
#include "systems/tribes/actions.hpp"
#include "systems/tribes/heist.hpp"
#include "systems/tribes/production.hpp"
#include "systems/tribes/rules.hpp"
#include "systems/tribes/town.hpp"
#include "systems/tribes/town_document.hpp"
#include "systems/tribes/tribes_types.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace larder::tribes {

// A failed comparison of towns prints their documents.
inline void PrintTo(Town const& town, std::ostream* out) { *out << to_document(town, 0); }
inline void PrintTo(Stock const& stock, std::ostream* out) {
  *out << stock.pizzas << " pizza units, " << stock.coins << " coin units";
}
inline void PrintTo(GameMs at, std::ostream* out) { *out << at.value << " ms"; }

}  // namespace larder::tribes

namespace larder::tribes::test {

// LARDER_SEED repeats a run.
inline Seed test_seed() {
  auto const* const given = std::getenv("LARDER_SEED");  // NOLINT(concurrency-mt-unsafe)
  return {given ? std::stoull(given) : random_seed().value};
}

inline UserId user(std::string_view id) { return UserId::from(id).value(); }
inline LotId lot(std::string_view name) { return LotId::from(name).value(); }

// The code of a refusal, or "done".
template <class T>
std::string_view code_of(Result<T> const& result) {
  return result ? "done" : result.error().code.name;
}

// A rich town with a kitchen, a shop, a house and a school on lots 1 to 4.
inline Town small_town() {
  Town town{.user = user("ann"), .field = {.x = 50, .y = 50}, .at = {1'000'000}};
  town.coin_units = 1'000'000 * units_per_whole;
  for (std::size_t i = 0; i < building_names.size(); ++i) town.lots[i] = Lot{.building = Building(i)};
  town.population = {.uneducated = 4, .chefs = 1, .salesmice = 1, .guards = 2, .thieves = 2};
  return town;
}

inline std::int64_t between(Random& random, std::int64_t min, std::int64_t max) {
  return min + std::int64_t(random.below(std::uint64_t(max - min + 1)));
}

// Rules with a mouse day of 24 s and other numbers, so that much happens in little time.
Rules hasty_rules(Random& random);

// A town with random buildings, mice and queues. Its heists arrive after `quiet_ms`, or later.
Town random_town(Random& random, Rules const& rules, std::int64_t quiet_ms);

// Towns that rob each other. Each town is advanced only when it is needed.
struct TestWorld {
  Rules rules;
  std::map<UserId, Town> towns = {};
  std::map<UserId, std::int64_t> caught = {};  // thieves that each town has lost
  std::vector<HeistResult> heists = {};

  // Advances a town, and resolves what is in its way. Encounters are resolved in the order that all towns
  // agree on.
  void catch_up(UserId const& id, GameMs to);
  Result<void> act(UserId const& id, Action const& action, GameMs now, Seed seed);

 private:
  void settle(Encounter const& encounter);
};

}  // namespace larder::tribes::test
