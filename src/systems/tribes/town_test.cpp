#include "systems/tribes/town.hpp"

#include "systems/tribes/tribes_rules_test.hpp"

#include <gtest/gtest.h>

namespace larder::tribes {
namespace {

using test::lot;
using test::small_town;
using test::user;

TEST(Town, begins_with_300_coins_and_nothing_else) {
  Town expected{.user = user("ann"), .field = {.x = 3, .y = 4}, .at = {77}};
  expected.coin_units = 6'000'000;
  EXPECT_EQ(found_town(user("ann"), {.x = 3, .y = 4}, *pizza_rules(), {77}), expected);
}

TEST(Town, lots_have_the_names_1_to_10) {
  EXPECT_EQ(LotId::from("1"), LotId::at(0));
  EXPECT_EQ(LotId::from("10"), LotId::at(9));
  for (auto const name : {"0", "11", "01", "+1", "-1", "1 ", "", "one"})
    EXPECT_FALSE(LotId::from(name)) << name;
}

TEST(Town, a_finished_construction_stands_on_its_lot) {
  struct Case {
    std::string_view fact;
    Construction construction;
    std::optional<Lot> lot;
    std::int64_t uneducated;
  };
  GameMs const end{1'005'000};
  std::vector<Case> const cases = {
      {"a kitchen", {end, lot("7"), Building::kitchen}, Lot{Building::kitchen, 1}, 4},
      {"a house brings mice", {end, lot("7"), Building::house}, Lot{Building::house, 1}, 14},
      {"a higher house brings its new beds",
       {end, lot("3"), Building::house, 2},
       Lot{Building::house, 2},
       12},
      {"a higher kitchen", {end, lot("1"), Building::kitchen, 2}, Lot{Building::kitchen, 2, GameMs{5}}, 4},
      {"a razed kitchen", {end, lot("1"), Building::kitchen, 1, true}, std::nullopt, 4},
      {"a razed house takes its mice", {end, lot("3"), Building::house, 1, true}, std::nullopt, 0},
  };
  for (auto const& test : cases) {
    auto town = small_town();
    town.lots[0]->tapped_at = GameMs{5};  // an upgrade keeps it
    town.constructions = {test.construction};
    auto const before = town.lot(test.construction.lot);
    advance(town, *pizza_rules(), {1'004'999});
    EXPECT_EQ(town.lot(test.construction.lot), before) << test.fact;
    EXPECT_EQ(town.constructions.size(), 1U) << test.fact;
    advance(town, *pizza_rules(), end);
    EXPECT_EQ(town.lot(test.construction.lot), test.lot) << test.fact;
    EXPECT_EQ(town.population.uneducated, test.uneducated) << test.fact;
    EXPECT_TRUE(town.constructions.empty()) << test.fact;
  }
}

TEST(Town, a_razed_house_takes_the_uneducated_first_and_the_thieves_last) {
  struct Case {
    Population before;
    Population after;
  };
  std::vector<Case> const cases = {
      {{12, 1, 1, 1, 1}, {2, 1, 1, 1, 1}}, {{9, 3, 3, 3, 3}, {0, 2, 3, 3, 3}},
      {{0, 9, 3, 3, 3}, {0, 0, 2, 3, 3}},  {{3, 3, 3, 3, 3}, {0, 0, 0, 2, 3}},
      {{0, 0, 0, 9, 9}, {0, 0, 0, 0, 8}},  {{1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}},
  };
  for (auto const& test : cases) {
    auto town = small_town();
    town.population = test.before;
    town.constructions = {{{1'000'001}, lot("3"), Building::house, 1, true}};
    advance(town, *pizza_rules(), {1'000'001});
    EXPECT_EQ(town.population, test.after);
  }
}

TEST(Town, a_razed_house_takes_the_beds_of_its_level_and_no_mice_that_are_away) {
  auto town = small_town();
  town.lots[2]->level = 2;
  town.population = {.uneducated = 20};
  town.trainings = {{.complete_at = {1'000'002}, .education = Education::chef, .amount = 3}};
  town.constructions = {{{1'000'001}, lot("3"), Building::house, 2, true}};
  advance(town, *pizza_rules(), {1'000'002});
  EXPECT_EQ(town.population, (Population{.uneducated = 2, .chefs = 3}));
}

TEST(Town, trainings_and_ways_back_end_at_their_own_times) {
  auto town = small_town();
  town.lots = {};
  town.population = {};
  town.trainings = {{.complete_at = {1'000'300}, .education = Education::guard, .amount = 2},
                    {.complete_at = {1'000'100}, .education = Education::chef, .amount = 1},
                    {.complete_at = {1'000'200}, .education = Education::salesmouse, .amount = 5},
                    {.complete_at = {1'000'400}, .education = Education::thief, .amount = 7}};
  town.travels = {{.arrival_at = {1'000'250}, .returning = true, .thieves = 3, .coins = 500},
                  {.arrival_at = {1'000'900}, .target = user("bob"), .thieves = 2}};
  struct Case {
    std::int64_t at;
    Population population;
    std::int64_t coins;
    std::optional<GameMs> next;
  };
  std::vector<Case> const cases = {
      {1'000'099, {}, 1'000'000, GameMs{1'000'100}},
      {1'000'100, {.chefs = 1}, 1'000'000, GameMs{1'000'200}},
      {1'000'249, {.chefs = 1, .salesmice = 5}, 1'000'000, GameMs{1'000'250}},
      {1'000'250, {.chefs = 1, .salesmice = 5, .thieves = 3}, 1'000'500, GameMs{1'000'300}},
      {1'000'900, {.chefs = 1, .salesmice = 5, .guards = 2, .thieves = 10}, 1'000'500, std::nullopt},
  };
  for (auto const& test : cases) {
    advance(town, *pizza_rules(), {test.at});
    EXPECT_EQ(town.population, test.population) << test.at;
    EXPECT_EQ(town.coins(), test.coins) << test.at;
    EXPECT_EQ(next_completion(town), test.next) << test.at;
  }
  EXPECT_TRUE(town.trainings.empty());
  EXPECT_EQ(town.travels.size(), 1U);
}

TEST(Town, at_the_same_millisecond_constructions_come_first) {
  // The razed house takes the mice at home. The new chefs and the thieves come after that.
  auto town = small_town();
  town.population = {.uneducated = 4};
  town.constructions = {{{1'000'100}, lot("3"), Building::house, 1, true}};
  town.trainings = {{.complete_at = {1'000'100}, .education = Education::chef, .amount = 2}};
  town.travels = {{.arrival_at = {1'000'100}, .returning = true, .thieves = 3}};
  advance(town, *pizza_rules(), {1'000'100});
  EXPECT_EQ(town.population, (Population{.chefs = 2, .thieves = 3}));
}

TEST(Town, a_rate_changes_when_something_completes) {
  // One chef makes 4 units per ms; after 100 ms there are two. All pizzas are sold: 10 units per ms at most.
  auto town = small_town();
  town.coin_units = 0;
  town.trainings = {{.complete_at = {1'000'100}, .education = Education::chef, .amount = 1}};
  advance(town, *pizza_rules(), {1'000'200});
  EXPECT_EQ(town.coin_units, 100 * 4 + 100 * 8);
  EXPECT_EQ(town.pizza_units, 0);
}

TEST(Town, a_finished_shop_sells_from_then_on) {
  auto town = small_town();
  town.coin_units = 0;
  town.pizza_units = 1'000'000;
  town.lots[1].reset();
  town.constructions = {{{1'000'100}, lot("2"), Building::shop, 1}};
  advance(town, *pizza_rules(), {1'000'150});
  EXPECT_EQ(town.coin_units, 50 * 10);
  EXPECT_EQ(town.pizza_units, 1'000'000 + 150 * 4 - 50 * 10);
}

TEST(Town, stocks_and_mice_stop_at_their_limits) {
  auto town = small_town();
  town.coin_units = stock_max - 30'000;
  add_coins(town, 1);
  EXPECT_EQ(town.coin_units, stock_max - 10'000);
  add_coins(town, 1);
  EXPECT_EQ(town.coin_units, stock_max);
  add_pizzas(town, whole_max);
  EXPECT_EQ(town.pizza_units, stock_max);
  add_mice(town.population.guards, mice_max);
  EXPECT_EQ(town.population.guards, mice_max);
  EXPECT_EQ(GameMs{game_ms_max - 1} + 5, GameMs{game_ms_max});
}

TEST(Town, a_ruin_keeps_its_coins_and_does_nothing) {
  auto town = small_town();
  town.constructions = {{{1'000'100}, lot("7"), Building::house, 1}};
  town.trainings = {{.complete_at = {1'000'100}, .education = Education::guard, .amount = 2}};
  town.travels = {{.arrival_at = {1'000'300}, .returning = true, .thieves = 3, .coins = 50}};
  town.arrivals = {{.at = {2'000'000}, .attacker = user("bob")}};
  make_ruin(town);
  auto expected = town;
  advance(town, *pizza_rules(), {1'000'299});
  expected.at = {1'000'299};
  EXPECT_EQ(town, expected);
  EXPECT_EQ(town.population, Population{});
  advance(town, *pizza_rules(), {1'900'000});
  EXPECT_EQ(town.coins(), 1'000'050);
  EXPECT_EQ(town.arrivals.size(), 1U);
}

TEST(Town, the_next_encounter_is_the_earliest_one_and_then_the_one_of_the_smaller_id) {
  struct Case {
    std::string_view fact;
    std::vector<Travel> travels;
    std::vector<Arrival> arrivals;
    std::optional<Encounter> next;
  };
  auto const to = [](std::int64_t at, std::string_view target) {
    return Travel{.arrival_at = {at}, .target = user(target), .thieves = 1};
  };
  auto const from = [](std::int64_t at, std::string_view attacker) { return Arrival{{at}, user(attacker)}; };
  auto const next = [](std::int64_t at, std::string_view attacker, std::string_view target) {
    return Encounter{{at}, user(attacker), user(target)};
  };
  std::vector<Case> const cases = {
      {"none", {}, {}, std::nullopt},
      {"a way back is none", {{.arrival_at = {5}, .returning = true}}, {}, std::nullopt},
      {"its own", {to(9, "x"), to(7, "y")}, {}, next(7, "mia", "y")},
      {"another's", {to(9, "x")}, {from(8, "zoe"), from(9, "bob")}, next(8, "zoe", "mia")},
      {"at the same time, its own", {to(9, "x")}, {from(9, "zoe")}, next(9, "mia", "x")},
      {"at the same time, another's", {to(9, "x")}, {from(9, "bob")}, next(9, "bob", "mia")},
      {"two of its own, by their order", {to(9, "y"), to(9, "x")}, {}, next(9, "mia", "y")},
  };
  for (auto const& test : cases) {
    Town const town{.user = user("mia"), .travels = test.travels, .arrivals = test.arrivals};
    EXPECT_EQ(next_encounter(town), test.next) << test.fact;
  }
}

TEST(TownDeathTest, a_town_does_not_advance_past_an_encounter_or_back) {
  auto town = small_town();
  town.arrivals = {{.at = {1'000'500}, .attacker = user("bob")}};
  advance(town, *pizza_rules(), {1'000'500});
  EXPECT_DEATH(advance(town, *pizza_rules(), {1'000'501}), "assertion failed");
  EXPECT_DEATH(advance(town, *pizza_rules(), {1'000'499}), "assertion failed");
}

TEST(Town, is_due_at_the_earliest_of_all_that_can_happen) {
  auto const idle = [] {
    auto town = small_town();
    town.population = {};
    return town;
  }();
  auto const with = [&](auto&& change) {
    auto town = idle;
    change(town);
    return town;
  };
  struct Case {
    std::string_view fact;
    Town town;
    bool watched = false;
    std::int64_t gap_ms = 1'000;
    std::int64_t due;
  };
  std::vector<Case> const cases = {
      {.fact = "nothing", .town = idle, .due = 1'900'000},
      {.fact = "watched", .town = idle, .watched = true, .due = 1'010'000},
      {.fact = "watched at speed 100", .town = idle, .watched = true, .gap_ms = 100'000, .due = 1'100'000},
      {.fact = "at speed 1000", .town = idle, .gap_ms = 1'000'000, .due = 2'000'000},
      {.fact = "a construction",
       .town = with([](Town& t) { t.constructions = {{{1'000'070}, lot("9"), Building::shop, 1}}; }),
       .watched = true,
       .gap_ms = 100'000,
       .due = 1'000'070},
      {.fact = "a training",
       .town = with([](Town& t) { t.trainings = {{.complete_at = {1'000'071}}}; }),
       .due = 1'000'071},
      {.fact = "a way back",
       .town = with([](Town& t) { t.travels = {{.arrival_at = {1'000'072}, .returning = true}}; }),
       .due = 1'000'072},
      {.fact = "a heist of the town",
       .town = with([](Town& t) { t.travels = {{.arrival_at = {1'000'073}}}; }),
       .due = 1'000'073},
      {.fact = "a heist on the town",
       .town = with([](Town& t) { t.arrivals = {{.at = {1'000'074}, .attacker = user("bob")}}; }),
       .due = 1'000'074},
      // A salesmouse sells 10 units per ms, to three inhabitants at least.
      {.fact = "the goal",
       .town = with([](Town& t) {
         t.population = {.uneducated = 2, .salesmice = 1};
         t.pizza_units = 1'000'000;
         t.coin_units = 10'000'000 * units_per_whole - 755;
       }),
       .due = 1'000'076},
      {.fact = "the goal is reached",
       .town = with([](Town& t) {
         t.population = {.uneducated = 2, .salesmice = 1};
         t.pizza_units = 1'000'000;
         t.coin_units = 10'000'000 * units_per_whole;
       }),
       .due = 1'900'000},
  };
  for (auto const& test : cases) {
    EXPECT_EQ(next_due(test.town, *pizza_rules(), test.watched, test.gap_ms), GameMs{test.due}) << test.fact;
  }
}

TEST(Town, knows_when_it_reaches_the_goal) {
  auto const goal = 10'000'000 * units_per_whole;
  struct Case {
    std::string_view fact;
    std::int64_t missing_units;
    std::int64_t horizon;
    std::optional<GameMs> reached;
  };
  // One chef makes 4 units per ms; from 1'000'100 on there are two. At 1'000'300, thieves bring one coin.
  // At 1'000'400 a heist arrives.
  std::vector<Case> const cases = {
      {"already", 0, 1'000'400, GameMs{1'000'000}},
      {"already, far above", -50, 1'000'000, GameMs{1'000'000}},
      {"by the first chef", 400, 1'000'400, GameMs{1'000'100}},
      {"by the second chef", 401, 1'000'400, GameMs{1'000'101}},
      {"just before the thieves are back", 400 + 199 * 8, 1'000'400, GameMs{1'000'299}},
      {"by the thieves", 400 + 200 * 8 + 20'000, 1'000'400, GameMs{1'000'300}},
      {"after the thieves", 400 + 200 * 8 + 20'001, 1'000'400, GameMs{1'000'301}},
      {"at the horizon", 408, 1'000'101, GameMs{1'000'101}},
      {"after the horizon", 409, 1'000'101, std::nullopt},
      {"at the encounter", 400 + 300 * 8 + 20'000, 9'000'000, GameMs{1'000'400}},
      {"after the encounter", 400 + 300 * 8 + 20'001, 9'000'000, std::nullopt},
  };
  for (auto const& test : cases) {
    auto town = small_town();
    town.coin_units = goal - test.missing_units;
    town.trainings = {{.complete_at = {1'000'100}, .education = Education::chef, .amount = 1}};
    town.travels = {{.arrival_at = {1'000'300}, .returning = true, .thieves = 1, .coins = 1}};
    town.arrivals = {{.at = {1'000'400}, .attacker = user("bob")}};
    EXPECT_EQ(goal_reached_at(town, *pizza_rules(), {test.horizon}), test.reached) << test.fact;
  }
}

}  // namespace
}  // namespace larder::tribes
