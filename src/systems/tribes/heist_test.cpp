#include "systems/tribes/heist.hpp"

#include "systems/tribes/tribes_rules_test.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace larder::tribes {
namespace {

using test::code_of;
using test::user;

// Bob's town with thieves, and the small town of ann, ten fields from it.
struct TwoTowns {
  Rules rules = *pizza_rules();
  Town bob = test::small_town();
  Town ann = test::small_town();

  TwoTowns() {
    bob.user = user("bob");
    bob.field = {.x = 56, .y = 58};
    bob.population = {.thieves = 5};
    bob.lots = {};
    ann.lots = {};
  }
  Result<void> send(std::int64_t thieves, Seed seed = {}) {
    return send_heist(bob, ann, rules, thieves, seed);
  }
  // Advances both towns to the next encounter of ann's, and resolves it.
  HeistResult resolve() {
    auto const encounter = next_encounter(ann).value();
    advance(bob, rules, encounter.at);
    advance(ann, rules, encounter.at);
    return resolve_heist(bob, ann, rules, encounter).value();
  }
};

TEST(TravelTime, is_rounded_up_exactly) {
  struct Case {
    int dx;
    int dy;
    std::int64_t ms;
  };
  std::vector<Case> const cases = {
      {0, 0, 0},
      {1, 0, 300'000},
      {0, -1, 300'000},
      {3, 4, 1'500'000},
      {-6, 8, 3'000'000},
      {1, 1, 424'265},         // 424264.06...
      {2, 1, 670'821},         // 670820.39...
      {109, 109, 46'244'784},  // 46244783.48...
      {109, 108, 46'033'141},  // 46033140.23...
  };
  for (auto const& [dx, dy, ms] : cases) {
    EXPECT_EQ(travel_ms({.x = 50, .y = 50}, {.x = 50 + dx, .y = 50 + dy}, *pizza_rules()), ms)
        << dx << ' ' << dy;
    EXPECT_EQ(travel_ms({.x = 50 + dx, .y = 50 + dy}, {.x = 50, .y = 50}, *pizza_rules()), ms)
        << dx << ' ' << dy;
  }
}

TEST(TravelTime, is_the_least_whole_number_that_is_not_too_short) {
  auto rules = *pizza_rules();
  for (auto const per_field : {std::int64_t{1}, std::int64_t{300'000}, std::int64_t{86'400'000}}) {
    rules.heists.travel_ms_per_field = per_field;
    for (int dx = 0; dx < 1'000; dx += 7) {
      for (int dy = 0; dy < 1'000; dy += 13) {
        auto const ms = travel_ms({}, {.x = dx, .y = dy}, rules);
        auto const square = __int128(per_field) * per_field * (dx * dx + dy * dy);
        ASSERT_TRUE(__int128(ms) * ms >= square) << dx << ' ' << dy;
        ASSERT_TRUE(ms == 0 || __int128(ms - 1) * (ms - 1) < square) << dx << ' ' << dy;
      }
    }
  }
}

TEST(SendHeist, sends_thieves_and_tells_the_target) {
  TwoTowns towns;
  auto const [bob, ann] = std::pair(towns.bob, towns.ann);
  ASSERT_TRUE(towns.send(3, {77}));
  auto expected_bob = bob;
  expected_bob.population.thieves = 2;
  expected_bob.travels = {{.arrival_at = {4'000'000},
                           .destination = {.x = 50, .y = 50},
                           .target = user("ann"),
                           .thieves = 3,
                           .seed = 77}};
  auto expected_ann = ann;
  expected_ann.arrivals = {{.at = {4'000'000}, .attacker = user("bob")}};
  EXPECT_EQ(towns.bob, expected_bob);
  EXPECT_EQ(towns.ann, expected_ann);
}

TEST(SendHeist, says_why_not) {
  struct Case {
    std::string_view fact;
    std::function<void(TwoTowns&)> change;
    std::int64_t thieves;
    std::string_view code;
  };
  auto const full = [](TwoTowns& t) {
    t.bob.travels.assign(1'000, {.arrival_at = {9'000'000}, .returning = true});
  };
  auto const wanted = [](TwoTowns& t) { t.ann.arrivals.assign(1'000, {{9'000'000}, user("zoe")}); };
  std::vector<Case> const cases = {
      {"itself", [](TwoTowns& t) { t.ann.user = user("bob"); }, 9, "own_town"},
      {"too many thieves", full, 6, "not_enough_thieves"},
      {"far too many thieves", [](TwoTowns&) {}, limits::amount_max, "not_enough_thieves"},
      {"too many travels",
       [&](TwoTowns& t) {
         full(t);
         wanted(t);
       },
       5, "queue_full"},
      {"too many arrivals", wanted, 5, "target_busy"},
      {"all thieves", [](TwoTowns&) {}, 5, "done"},
      {"a ruin", [](TwoTowns& t) { make_ruin(t.ann); }, 1, "done"},
  };
  for (auto const& test : cases) {
    TwoTowns towns;
    test.change(towns);
    auto const [bob, ann] = std::pair(towns.bob, towns.ann);
    EXPECT_EQ(code_of(towns.send(test.thieves)), test.code) << test.fact;
    if (test.code == "done") continue;
    EXPECT_EQ(towns.bob, bob) << test.fact;
    EXPECT_EQ(towns.ann, ann) << test.fact;
  }
}

TEST(SendHeist, keeps_the_arrivals_in_order) {
  TwoTowns towns;
  towns.ann.arrivals = {{{4'000'000}, user("abe")}, {{4'000'000}, user("zoe")}, {{5'000'000}, user("abe")}};
  ASSERT_TRUE(towns.send(1));
  std::vector<Arrival> const expected = {{{4'000'000}, user("abe")},
                                         {{4'000'000}, user("bob")},
                                         {{4'000'000}, user("zoe")},
                                         {{5'000'000}, user("abe")}};
  EXPECT_EQ(towns.ann.arrivals, expected);
}

TEST(ResolveHeist, without_guards_all_thieves_succeed) {
  TwoTowns towns;
  towns.ann.population.guards = 0;
  ASSERT_TRUE(towns.send(3, {77}));
  auto const result = towns.resolve();
  EXPECT_EQ(result.encounter, (Encounter{{4'000'000}, user("bob"), user("ann")}));
  EXPECT_EQ(result.thieves, 3);
  EXPECT_EQ(result.caught, 0);
  EXPECT_EQ(result.guards, 0);
  EXPECT_EQ(result.loot, 12'000);
  EXPECT_EQ(result.seed.value, 77U);
  EXPECT_EQ(towns.ann.coins(), 1'000'000 - 12'000);
  EXPECT_TRUE(towns.ann.arrivals.empty());
  std::vector<Travel> const way_back = {{.arrival_at = {7'000'000},
                                         .destination = {.x = 56, .y = 58},
                                         .target = user("ann"),
                                         .returning = true,
                                         .thieves = 3,
                                         .coins = 12'000,
                                         .seed = 77}};
  EXPECT_EQ(towns.bob.travels, way_back);
  EXPECT_EQ(towns.bob.population.thieves, 2);
  advance(towns.bob, towns.rules, {7'000'000});
  EXPECT_EQ(towns.bob.population.thieves, 5);
  EXPECT_EQ(towns.bob.coins(), 1'012'000);
  EXPECT_TRUE(towns.bob.travels.empty());
}

TEST(ResolveHeist, the_loot_is_at_most_the_whole_coins_of_the_target) {
  struct Case {
    std::int64_t units;
    std::int64_t loot;
  };
  for (auto const& [units, loot] : std::vector<Case>{{0, 0},
                                                     {19'999, 0},
                                                     {20'000, 1},
                                                     {11'999 * units_per_whole + 19'999, 11'999},
                                                     {12'000 * units_per_whole, 12'000},
                                                     {stock_max, 12'000}}) {
    TwoTowns towns;
    towns.ann.population.guards = 0;
    towns.ann.coin_units = units;
    ASSERT_TRUE(towns.send(3));
    EXPECT_EQ(towns.resolve().loot, loot) << units;
    EXPECT_EQ(towns.ann.coin_units, units - loot * units_per_whole) << units;
    EXPECT_EQ(towns.bob.travels[0].coins, loot) << units;
  }
}

TEST(ResolveHeist, each_thief_draws_from_the_seed) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    TwoTowns towns;
    towns.ann.population.guards = 9;
    ASSERT_TRUE(towns.send(4, {seed}));
    auto const result = towns.resolve();
    Random random(Seed{seed});
    std::int64_t caught = 0;
    for (int i = 0; i < 4; ++i) caught += random.below(2 * 4 + 9) >= 2 * 4 ? 1 : 0;
    ASSERT_EQ(result.caught, caught) << seed;
    ASSERT_EQ(result.guards, 9);
    ASSERT_EQ(result.loot, 4'000 * (4 - caught));
    ASSERT_EQ(towns.bob.travels.size(), caught == 4 ? 0U : 1U) << "if all are caught, nobody comes back";
    if (caught < 4) ASSERT_EQ(towns.bob.travels[0].thieves, 4 - caught);
    ASSERT_EQ(towns.ann.population.guards, 9);
  }
}

TEST(ResolveHeist, as_many_succeed_as_the_odds_say) {
  // 8 of 17 draws succeed: of 40 000 draws, 18 823.5, with a standard deviation of 99.8.
  std::int64_t successful = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    TwoTowns towns;
    towns.ann.population.guards = 9;
    ASSERT_TRUE(towns.send(4, {seed}));
    successful += towns.resolve().successful();
  }
  EXPECT_NEAR(double(successful), 18'823.5, 500);
}

TEST(ResolveHeist, counts_the_guards_and_coins_of_its_moment) {
  TwoTowns towns;
  towns.ann.population = {};
  towns.ann.coin_units = 0;
  towns.ann.trainings = {{.complete_at = {4'000'000}, .education = Education::guard, .amount = 3},
                         {.complete_at = {4'000'001}, .education = Education::guard, .amount = 5}};
  towns.ann.travels = {{.arrival_at = {4'000'000}, .returning = true, .thieves = 1, .coins = 7}};
  ASSERT_TRUE(towns.send(1, {1}));
  auto const result = towns.resolve();
  EXPECT_EQ(result.guards, 3) << "what completes at the same millisecond comes before the encounter";
  EXPECT_EQ(result.loot + towns.ann.coins(), 7);
}

TEST(ResolveHeist, a_ruin_has_no_guards) {
  TwoTowns towns;
  ASSERT_TRUE(towns.send(2));
  make_ruin(towns.ann);
  auto const result = towns.resolve();
  EXPECT_EQ(result.guards, 0);
  EXPECT_EQ(result.loot, 8'000);
}

TEST(ResolveHeist, thieves_of_a_ruin_go_on_and_come_back) {
  TwoTowns towns;
  towns.ann.population.guards = 0;
  ASSERT_TRUE(towns.send(2));
  make_ruin(towns.bob);
  towns.resolve();
  advance(towns.bob, towns.rules, {7'000'000});
  EXPECT_EQ(towns.bob.coins(), 1'008'000);
}

TEST(ResolveHeist, two_heists_at_the_same_time_are_resolved_in_the_order_of_the_queue) {
  TwoTowns towns;
  towns.ann.population.guards = 0;
  towns.ann.coin_units = 5'000 * units_per_whole;
  ASSERT_TRUE(towns.send(1, {1}));
  ASSERT_TRUE(towns.send(2, {2}));
  EXPECT_EQ(towns.ann.arrivals.size(), 2U);
  auto const first = towns.resolve();
  EXPECT_EQ(first.thieves, 1);
  EXPECT_EQ(first.loot, 4'000);
  auto const second = towns.resolve();
  EXPECT_EQ(second.thieves, 2);
  EXPECT_EQ(second.loot, 1'000);
  EXPECT_TRUE(towns.ann.arrivals.empty());
}

TEST(ResolveHeist, refuses_a_heist_that_only_one_town_knows) {
  for (bool const attacker_knows : {true, false}) {
    TwoTowns towns;
    ASSERT_TRUE(towns.send(2));
    auto const encounter = next_encounter(towns.ann).value();
    if (attacker_knows) {
      towns.ann.arrivals.clear();
    } else {
      towns.bob.travels.clear();
    }
    advance(towns.bob, towns.rules, encounter.at);
    advance(towns.ann, towns.rules, encounter.at);
    auto const [bob, ann] = std::pair(towns.bob, towns.ann);
    EXPECT_EQ(code_of(resolve_heist(towns.bob, towns.ann, towns.rules, encounter)), "heist_unknown");
    EXPECT_EQ(towns.bob, bob);
    EXPECT_EQ(towns.ann, ann);
  }
}

}  // namespace
}  // namespace larder::tribes
