// What holds for all towns, whatever players do. LARDER_SEED repeats a run.
#include "systems/tribes/tribes_rules_test.hpp"
#include "systems/tribes/world_clock.hpp"

#include <gtest/gtest.h>

namespace larder::tribes {
namespace {

using test::between;
using test::TestWorld;
using test::user;

constexpr std::int64_t quiet_ms = 120'000;  // no heist arrives for so long

void expect_sound(Town const& town) {
  auto const& mice = town.population;
  for (auto const number : {town.coin_units, town.pizza_units, mice.uneducated, mice.chefs, mice.salesmice,
                            mice.guards, mice.thieves}) {
    ASSERT_GE(number, 0);
  }
  ASSERT_LE(town.coin_units, stock_max);
  ASSERT_LE(town.pizza_units, stock_max);
}

TEST(TribesProperties, advancing_by_a_and_then_by_b_is_advancing_by_both) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  for (int i = 0; i < 3'000; ++i) {
    auto const rules = test::hasty_rules(random);
    auto const town = test::random_town(random, rules, quiet_ms);
    auto const to = town.at + between(random, 0, quiet_ms);
    auto at_once = town;
    advance(at_once, rules, to);
    expect_sound(at_once);
    auto cut = town;
    for (auto cuts = between(random, 1, 8); cuts > 0; --cuts) {
      advance(cut, rules, cut.at + between(random, 0, to - cut.at));
    }
    advance(cut, rules, to);
    ASSERT_EQ(cut, at_once);
  }
}

TEST(TribesProperties, a_completion_may_be_where_the_time_is_cut) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  for (int i = 0; i < 1'000; ++i) {
    auto const rules = test::hasty_rules(random);
    auto const town = test::random_town(random, rules, quiet_ms);
    auto const to = town.at + quiet_ms;
    auto at_once = town;
    advance(at_once, rules, to);
    auto cut = town;
    for (auto next = next_completion(cut); next && *next <= to; next = next_completion(cut)) {
      if (random.chance(1, 2)) advance(cut, rules, {next->value - 1});
      advance(cut, rules, *next);
    }
    advance(cut, rules, to);
    ASSERT_EQ(cut, at_once);
  }
}

TEST(TribesProperties, a_time_t_at_speed_s_is_the_time_s_x_t_at_speed_1) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  for (int i = 0; i < 500; ++i) {
    auto const rules = test::hasty_rules(random);
    auto const town = test::random_town(random, rules, quiet_ms);
    auto const speed = between(random, 1, 1'000);
    TimeMs const start{between(random, 0, 1'800'000'000'000)};
    auto const t = quiet_ms / speed;
    WorldClock const slow{.base_real = start, .base_game = town.at, .speed = 1};
    WorldClock const fast{.base_real = start, .base_game = town.at, .speed = speed};
    auto slowly = town;
    advance(slowly, rules, slow.game_at(start + speed * t));
    auto quickly = town;
    for (auto now = start; now < start + t;) {
      now = std::min(start + t, now + between(random, 1, t));
      advance(quickly, rules, fast.game_at(now));
    }
    ASSERT_EQ(quickly, slowly);
  }
}

TEST(TribesProperties, the_goal_is_reached_at_the_first_millisecond_at_which_the_town_has_it) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  int reached_later = 0;
  for (int i = 0; i < 100; ++i) {
    auto rules = test::hasty_rules(random);
    rules.production.pizza_price = 1;
    auto town = test::random_town(random, rules, quiet_ms);
    town.coin_units = between(random, 0, 1'000'000);
    rules.goal_coins = town.coins() + between(random, 0, std::int64_t{1} << random.below(10));
    auto const horizon = town.at + 3'000;
    std::optional<GameMs> expected;
    for (auto step = town; !expected && step.at <= horizon; advance(step, rules, step.at + 1)) {
      if (step.coins() >= rules.goal_coins) expected = step.at;
    }
    ASSERT_EQ(goal_reached_at(town, rules, horizon), expected);
    if (expected && *expected > town.at) ++reached_later;
    auto const due = next_due(town, rules, false, 0);
    ASSERT_TRUE(due >= town.at && (!expected || *expected == town.at || due <= *expected));
  }
  EXPECT_GT(reached_later, 0) << "the test has shown nothing";
}

// What a player may try at any time. Much of it is refused.
Action random_action(Random& random, TestWorld const& world, bool may_raze) {
  auto const lot = LotId::at(random.below(LotId::names.size()));
  switch (random.below(9)) {
    case 0:
    case 1: return Construct{lot, Building(random.below(building_names.size()))};
    case 2: return Upgrade{lot};
    case 3: return may_raze ? Action(Raze{lot}) : Action(Upgrade{lot});
    case 4: return Train{Education(random.below(education_names.size())), between(random, 1, 4)};
    case 5: return Train{Education::thief, between(random, 1, 4)};
    case 6: return Tap{lot};
    case 7: return Cancel{Queue(random.below(queue_names.size())), between(random, 0, 3)};
    default: {
      auto const target = std::next(world.towns.begin(), std::ptrdiff_t(random.below(world.towns.size())));
      return Steal{target->second.field, between(random, 1, 3)};
    }
  }
}

TestWorld random_world(Random& random) {
  TestWorld world{.rules = test::hasty_rules(random)};
  for (int i = 0; i < 5; ++i) {
    auto const id = user(fmt::format("player{}", i));
    auto town = found_town(id, {.x = 10 + i % 2, .y = 10 + i}, world.rules, {});
    add_coins(town, 100'000);
    world.towns.emplace(id, std::move(town));
  }
  return world;
}

std::int64_t mice_of(Town const& town) {
  auto mice = town.population.inhabitants();
  for (auto const& training : town.trainings) mice += training.amount;
  for (auto const& travel : town.travels) mice += travel.thieves;
  return mice;
}

// Coins of all towns and of the thieves on their way back.
std::int64_t coin_units_of(TestWorld const& world) {
  std::int64_t units = 0;
  for (auto const& [id, town] : world.towns) {
    units += town.coin_units;
    for (auto const& travel : town.travels) units += travel.coins * units_per_whole;
  }
  return units;
}

TEST(TribesProperties, it_makes_no_difference_how_often_and_in_which_order_towns_are_advanced) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  std::size_t heists = 0;
  for (int i = 0; i < 20; ++i) {
    auto lazy = random_world(random);
    auto eager = lazy;
    GameMs now;
    int done = 0;
    for (int step = 0; step < 400; ++step) {
      now = now + between(random, 0, 8'000);
      auto const id = user(fmt::format("player{}", random.below(5)));
      auto const action = random_action(random, lazy, true);
      Seed const heist{random.next()};
      for (auto& [other, town] : eager.towns) eager.catch_up(other, now);
      auto const a = lazy.act(id, action, now, heist);
      auto const b = eager.act(id, action, now, heist);
      ASSERT_EQ(test::code_of(a), test::code_of(b));
      done += a ? 1 : 0;
    }
    for (auto const& [id, town] : eager.towns) {
      lazy.catch_up(id, now);
      eager.catch_up(id, now);
      expect_sound(town);
    }
    ASSERT_EQ(lazy.towns, eager.towns);
    EXPECT_GT(done, 50) << "the test has shown nothing";
    heists += lazy.heists.size();
  }
  EXPECT_GT(heists, 100U) << "the test has shown nothing";
}

TEST(TribesProperties, without_razing_a_town_has_as_many_mice_as_beds_and_caught_thieves_are_gone) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  std::int64_t caught = 0;
  for (int i = 0; i < 20; ++i) {
    auto world = random_world(random);
    GameMs now;
    for (int step = 0; step < 400; ++step) {
      now = now + between(random, 0, 8'000);
      auto const id = user(fmt::format("player{}", random.below(5)));
      (void)world.act(id, random_action(random, world, false), now, {random.next()});
      for (auto const& [other, town] : world.towns) {
        ASSERT_EQ(mice_of(town) + world.caught[other], places_of(town, world.rules, Building::house));
      }
    }
    for (auto const& heist : world.heists) caught += heist.caught;
  }
  EXPECT_GT(caught, 10) << "the test has shown nothing";
}

TEST(TribesProperties, loot_moves_from_one_town_to_the_other_and_none_is_lost) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  for (int i = 0; i < 200; ++i) {
    auto world = random_world(random);
    world.rules.production = {};  // coins change hands only
    for (auto& [id, town] : world.towns) {
      town.population = {.guards = between(random, 0, 9), .thieves = 50};
      town.coin_units = between(random, 0, 30'000 * units_per_whole);
    }
    auto const before = coin_units_of(world);
    GameMs now;
    std::int64_t loot = 0;
    for (int step = 0; step < 30; ++step) {
      now = now + between(random, 0, 8'000);
      auto const id = user(fmt::format("player{}", random.below(5)));
      auto const target = user(fmt::format("player{}", random.below(5)));
      (void)world.act(id, Steal{world.towns.at(target).field, between(random, 1, 9)}, now, {random.next()});
      ASSERT_EQ(coin_units_of(world), before);
    }
    for (auto const& [id, town] : world.towns) world.catch_up(id, now + 1'000'000);
    ASSERT_EQ(coin_units_of(world), before);
    for (auto const& heist : world.heists) loot += heist.loot;
    ASSERT_GT(loot, 0);
  }
}

TEST(TribesProperties, a_refused_action_changes_nothing) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  auto const world = random_world(random);
  for (int i = 0; i < 5'000; ++i) {
    auto const rules = test::hasty_rules(random);
    auto town = test::random_town(random, rules, quiet_ms);
    auto const before = town;
    auto const action = random_action(random, world, true);
    if (std::holds_alternative<Steal>(action)) continue;
    if (!act(town, rules, action)) {
      ASSERT_EQ(town, before) << json::serialize(to_json(action));
    } else {
      expect_sound(town);
      ASSERT_NE(town, before) << json::serialize(to_json(action));
    }
    ASSERT_EQ(parse_action(to_json(action)).value(), action);
  }
}

}  // namespace
}  // namespace larder::tribes
