#include "systems/tribes/production.hpp"

#include "systems/tribes/tribes_rules_test.hpp"

#include <gtest/gtest.h>

namespace larder::tribes {
namespace {

using test::between;

// The definition of production, one millisecond after the other.
Stock by_milliseconds(Stock stock, Rates const& rates, Rules const& rules, GameMs from, GameMs to) {
  for (auto ms = from.value; ms < to.value; ++ms) {
    auto const hour = ms / rules.mouse_clock.hour_ms() % 24;
    bool const rush = std::ranges::any_of(rules.mouse_clock.rush_hours, [&](RushHours const& hours) {
      return hours.from <= hour && hour < hours.to;
    });
    auto const sold = std::min(rush ? rates.rush_sales : rates.sales, stock.pizzas + rates.made);
    stock.pizzas = std::min(stock_max, stock.pizzas + rates.made - sold);
    stock.coins = std::min(stock_max, stock.coins + sold * rules.production.pizza_price);
  }
  return stock;
}

// Also rates at which the largest stock is filled or emptied within a mouse day.
Rates random_rates(Random& random) {
  auto const one = [&](bool fast) {
    return between(random, 0, std::int64_t{1} << (fast ? 30 + random.below(14) : random.below(12)));
  };
  bool const fast = random.chance(1, 3);
  return {.made = one(fast && random.chance(1, 2)), .sales = one(fast), .rush_sales = one(fast)};
}

Stock random_stock(Random& random) {
  auto const one = [&] {
    if (random.chance(1, 4)) return stock_max - between(random, 0, 1'000'000);
    return between(random, 0, std::int64_t{1} << random.below(30));
  };
  return {.pizzas = one(), .coins = one()};
}

TEST(Production, rates_follow_from_mice_and_places) {
  struct Case {
    std::string_view fact;
    Population mice;
    std::vector<Lot> lots;
    Rates rates;
  };
  Lot const kitchen{.building = Building::kitchen};
  Lot const shop{.building = Building::shop};
  std::vector<Case> const cases = {
      {"nobody", {}, {kitchen, shop}, {}},
      {"one of each", {.uneducated = 8, .chefs = 1, .salesmice = 1}, {kitchen, shop}, {4, 10, 10}},
      {"demand of two", {.chefs = 1, .salesmice = 1}, {kitchen, shop}, {4, 8, 10}},
      {"demand in rush hour", {.salesmice = 2}, {shop}, {0, 8, 20}},
      {"no buildings", {.chefs = 5, .salesmice = 5}, {}, {}},
      {"7 places for chefs", {.chefs = 8, .salesmice = 0}, {kitchen}, {28, 0, 0}},
      {"5 places for salesmice", {.uneducated = 94, .salesmice = 6}, {shop}, {0, 50, 50}},
      {"places add up",
       {.uneducated = 100, .chefs = 100, .salesmice = 100},
       {kitchen, {.building = Building::kitchen, .level = 4}, shop, {.building = Building::shop, .level = 3}},
       {(7 + 35) * 4, (5 + 15) * 10, (5 + 15) * 10}},
      {"guards and thieves eat, too", {.salesmice = 1, .guards = 1, .thieves = 1}, {shop}, {0, 10, 10}},
      {"a house is no place to work", {.chefs = 1}, {{.building = Building::house}}, {}},
  };
  for (auto const& test : cases) {
    Town town{.population = test.mice};
    for (std::size_t i = 0; i < test.lots.size(); ++i) town.lots[i] = test.lots[i];
    EXPECT_EQ(rates_of(town, *pizza_rules()), test.rates) << test.fact;
    town.ruin = true;
    EXPECT_EQ(rates_of(town, *pizza_rules()), Rates{}) << "as a ruin: " << test.fact;
  }
}

TEST(Production, the_workplace_is_a_rule) {
  auto rules = *pizza_rules();
  rules.educations[std::size_t(Education::chef)].workplace = Building::shop;
  Town town{.population = {.chefs = 9}};
  town.lots[0] = Lot{.building = Building::shop};
  EXPECT_EQ(rates_of(town, rules).made, 5 * 4);
}

TEST(Production, rush_hours_are_11_to_13_and_18_to_21_on_the_mouse_clock) {
  auto const& clock = pizza_rules()->mouse_clock;
  for (std::int64_t hour = 0; hour < 48; ++hour) {
    auto const of_day = hour % 24;
    bool const rush = of_day == 11 || of_day == 12 || (of_day >= 18 && of_day <= 20);
    EXPECT_EQ(is_rush_hour(clock, {hour * 150'000}), rush) << hour;
    EXPECT_EQ(is_rush_hour(clock, {hour * 150'000 + 149'999}), rush) << hour;
  }
}

TEST(Production, sells_what_is_wanted_as_far_as_there_are_pizzas) {
  struct Case {
    std::string_view fact;
    Stock before;
    Rates rates;
    std::int64_t ms;
    Stock after;
  };
  std::vector<Case> const cases = {
      {"no time", {5, 7}, {100, 100, 100}, 0, {5, 7}},
      {"nothing to sell", {0, 7}, {0, 100, 100}, 1'000, {0, 7}},
      {"all that is made", {0, 0}, {4, 10, 10}, 1'000, {0, 4'000}},
      {"the stock, too", {6'000, 0}, {4, 10, 10}, 1'000, {0, 10'000}},
      {"the stock runs out", {5'999, 0}, {4, 10, 10}, 1'000, {0, 9'999}},
      {"the stock lasts", {6'001, 0}, {4, 10, 10}, 1'000, {1, 10'000}},
      {"the stock grows", {1, 2}, {10, 4, 4}, 1'000, {6'001, 4'002}},
      {"the most pizzas", {stock_max - 5, 2}, {10, 4, 4}, 1'000, {stock_max, 4'002}},
      {"the most coins", {0, stock_max - 5}, {10, 4, 4}, 1'000, {6'000, stock_max}},
  };
  for (auto const& test : cases) {
    EXPECT_EQ(stock_after(test.before, test.rates, *pizza_rules(), {0}, {test.ms}), test.after) << test.fact;
  }
}

TEST(Production, an_hour_has_the_demand_of_5_rush_hours_of_24) {
  // In 5 of 24 mouse hours of 150 000 ms, 30 units are sold per millisecond, otherwise 10.
  Rates const rates{.made = 100, .sales = 10, .rush_sales = 30};
  auto const sold = 150'000 * (19 * 10 + 5 * 30);
  EXPECT_EQ(stock_after({}, rates, *pizza_rules(), {0}, {3'600'000}), (Stock{360'000'000 - sold, sold}));
}

TEST(Production, is_what_happens_millisecond_by_millisecond) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  auto rules = *pizza_rules();
  rules.mouse_clock.speed = 3'600;
  for (int i = 0; i < 300; ++i) {
    rules.production.pizza_price = between(random, 0, 2);
    auto const rates = random_rates(random);
    auto const stock = random_stock(random);
    GameMs const from{between(random, 0, 1'000'000)};
    auto const to = from + between(random, 0, random.chance(1, 20) ? 200'000 : 30'000);
    ASSERT_EQ(stock_after(stock, rates, rules, from, to), by_milliseconds(stock, rates, rules, from, to))
        << fmt::format("{} {} at {} {} {} from {} to {}", stock.pizzas, stock.coins, rates.made, rates.sales,
                       rates.rush_sales, from.value, to.value);
  }
}

TEST(Production, does_not_depend_on_where_the_time_is_cut) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  for (int i = 0; i < 3'000; ++i) {
    auto rules = *pizza_rules();
    if (random.chance(1, 2)) rules.mouse_clock.rush_hours = {{0, 1}, {4, 9}, {9, 10}, {22, 24}};
    rules.production.pizza_price = between(random, 0, 2);
    auto const rates = random_rates(random);
    auto const stock = random_stock(random);
    GameMs at{between(random, 0, 100'000'000)};
    auto const span = std::int64_t{1} << random.below(37);
    auto const to = at + between(random, 0, span);
    auto const at_once = stock_after(stock, rates, rules, at, to);
    auto cut = stock;
    auto const pieces = between(random, 2, 20);
    for (std::int64_t piece = 1; piece <= pieces; ++piece) {
      auto const end = piece == pieces ? to : at + between(random, 0, to - at);
      cut = stock_after(cut, rates, rules, at, end);
      at = end;
    }
    ASSERT_EQ(cut, at_once) << fmt::format("{} {} at {} {} {} until {}", stock.pizzas, stock.coins,
                                           rates.made, rates.sales, rates.rush_sales, to.value);
  }
}

TEST(Production, a_long_time_is_the_same_as_day_after_day) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  auto const& rules = *pizza_rules();
  for (int i = 0; i < 200; ++i) {
    auto const rates = random_rates(random);
    auto const stock = random_stock(random);
    GameMs const from{between(random, 0, 10'000'000)};
    auto const days = between(random, 3, 400);
    auto stepwise = stock;
    for (std::int64_t day = 0; day < days; ++day) {
      stepwise = stock_after(stepwise, rates, rules, from + day * 3'600'000, from + (day + 1) * 3'600'000);
    }
    ASSERT_EQ(stock_after(stock, rates, rules, from, from + days * 3'600'000), stepwise);
  }
}

TEST(Production, does_not_overflow_with_the_highest_rates_until_the_end_of_time) {
  auto rules = *pizza_rules();
  rules.production = {.chef_rate = 1'000'000,
                      .salesmouse_rate = 1'000'000,
                      .demand_rate = 1'000'000,
                      .rush_demand_rate = 0,
                      .pizza_price = 1'000'000};
  for (auto& building : rules.buildings) building.levels = {{.seconds = 1, .capacity = 10'000}};
  Town town{.population = {mice_max, mice_max, mice_max, mice_max, mice_max}};
  for (std::size_t i = 0; i < 10; ++i) town.lots[i] = Lot{.building = Building(i % 2)};
  auto const rates = rates_of(town, rules);
  EXPECT_EQ(rates, (Rates{50'000'000'000, 50'000'000'000, 0}));
  EXPECT_EQ(stock_after({}, rates, rules, {0}, {game_ms_max}), (Stock{stock_max, stock_max}));
  EXPECT_EQ(coins_reached_at({}, rates, rules, {0}, {game_ms_max}, stock_max).value().value,
            (stock_max + 50'000'000'000'000'000 - 1) / 50'000'000'000'000'000);
}

TEST(Production, finds_the_first_millisecond_with_enough_coins) {
  auto const& rules = *pizza_rules();
  Rates const rates{.made = 4, .sales = 10, .rush_sales = 10};
  EXPECT_EQ(coins_reached_at({0, 0}, rates, rules, {10}, {1'000}, 40), GameMs{20});
  EXPECT_EQ(coins_reached_at({0, 0}, rates, rules, {10}, {1'000}, 41), GameMs{21});
  EXPECT_EQ(coins_reached_at({0, 0}, rates, rules, {10}, {21}, 41), GameMs{21});
  EXPECT_EQ(coins_reached_at({0, 0}, rates, rules, {10}, {20}, 41), std::nullopt);
  EXPECT_EQ(coins_reached_at({0, 41}, rates, rules, {10}, {20}, 41), GameMs{10});
  EXPECT_EQ(coins_reached_at({0, 0}, {}, rules, {0}, {game_ms_max}, 1), std::nullopt);
}

TEST(Production, finds_the_moment_that_a_search_by_milliseconds_finds) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  auto rules = *pizza_rules();
  rules.mouse_clock.speed = 3'600;
  for (int i = 0; i < 100; ++i) {
    auto const rates = random_rates(random);
    Stock const stock{.pizzas = between(random, 0, 100'000), .coins = between(random, 0, 1'000)};
    GameMs const from{between(random, 0, 100'000)};
    auto const to = from + 30'000;
    auto const goal = between(random, 0, 10'000'000);
    std::optional<GameMs> expected;
    auto now = stock;
    for (auto at = from; at <= to && !expected; at = at + 1) {
      if (now.coins >= goal) expected = at;
      now = by_milliseconds(now, rates, rules, at, at + 1);
    }
    ASSERT_EQ(coins_reached_at(stock, rates, rules, from, to, goal), expected) << goal;
  }
}

}  // namespace
}  // namespace larder::tribes
