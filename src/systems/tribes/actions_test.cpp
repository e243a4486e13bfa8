#include "systems/tribes/actions.hpp"

#include "systems/tribes/tribes_rules_test.hpp"

#include <gtest/gtest.h>

namespace larder::tribes {
namespace {

using test::code_of;
using test::lot;
using test::small_town;
using test::user;

// An action on a changed small town, and its outcome.
struct Outcome {
  std::string_view fact;
  std::function<void(Town&)> change;
  Action action;
  std::string_view code;                             // "done", or the code of the refusal
  std::function<void(Town&)> effect = [](Town&) {};  // what the action does to the town
  json::object more = {};                            // further members of the refusal
};

void expect_outcomes(std::vector<Outcome> const& cases) {
  for (auto const& test : cases) {
    auto town = small_town();
    test.change(town);
    auto expected = town;
    if (test.code == "done") test.effect(expected);
    auto const result = act(town, *pizza_rules(), test.action);
    EXPECT_EQ(code_of(result), test.code) << test.fact;
    EXPECT_EQ(town, expected) << test.fact;
    if (!result) {
      EXPECT_EQ(result.error().code.kind, ErrorKind::conflict) << test.fact;
      EXPECT_EQ(result.error().more, test.more) << test.fact;
    }
  }
}

void pay_coins(Town& town, std::int64_t coins) { town.coin_units -= coins * units_per_whole; }
void set_coins(Town& town, std::int64_t coins) { town.coin_units = coins * units_per_whole; }
void as_it_is(Town&) {}

// Fills the construction queue with work on lot 1 that ends every second.
void fill_queue(Town& town) {
  for (int i = 1; i <= 10; ++i) {
    town.constructions.push_back({{1'000'000 + i * 1'000}, lot("1"), Building::kitchen, 1});
  }
}

// Adds an element that ends `ms` after the town's time, and takes its price.
auto queued(std::int64_t ms, std::string_view name, Building building, int level, bool razing,
            std::int64_t cost) {
  return [=](Town& town) {
    pay_coins(town, cost);
    town.constructions.push_back({town.at + ms, lot(name), building, level, razing, cost});
  };
}

TEST(Construct, queues_a_building_or_says_why_not) {
  auto const new_town = [](Town& town) {
    town.lots = {};
    town.population = {};
    set_coins(town, 300);
  };
  auto const kitchen = Building::kitchen;
  expect_outcomes({
      {"the first kitchen", new_town, Construct{lot("5"), kitchen}, "done",
       queued(8'000, "5", kitchen, 1, false, 0)},
      {"the first shop", new_town, Construct{lot("5"), Building::shop}, "done",
       queued(12'000, "5", Building::shop, 1, false, 0)},
      {"the first house", new_town, Construct{lot("5"), Building::house}, "done",
       queued(10'000, "5", Building::house, 1, false, 100)},
      {"the first school", new_town, Construct{lot("5"), Building::school}, "done",
       queued(15'000, "5", Building::school, 1, false, 200)},
      {"the second kitchen", as_it_is, Construct{lot("5"), kitchen}, "done",
       queued(900'000, "5", kitchen, 1, false, 10'000)},
      {"a queued kitchen makes the next one the second",
       [&](Town& town) {
         new_town(town);
         set_coins(town, 10'000);
         queued(8'000, "2", kitchen, 1, false, 0)(town);
       },
       Construct{lot("5"), kitchen}, "done", queued(908'000, "5", kitchen, 1, false, 10'000)},
      {"a queued razing is not a queued building",
       [&](Town& town) {
         new_town(town);
         queued(8'000, "2", kitchen, 1, true, 0)(town);
       },
       Construct{lot("5"), kitchen}, "done", queued(16'000, "5", kitchen, 1, false, 0)},
      {"while the only kitchen still stands, the next one is the second",
       queued(8'000, "1", kitchen, 1, true, 0), Construct{lot("5"), kitchen}, "done",
       queued(908'000, "5", kitchen, 1, false, 10'000)},
      {"after the queue", queued(5'000, "6", kitchen, 1, false, 0), Construct{lot("5"), kitchen}, "done",
       queued(905'000, "5", kitchen, 1, false, 10'000)},
      {"all coins", [](Town& town) { set_coins(town, 10'000); }, Construct{lot("5"), kitchen}, "done",
       queued(900'000, "5", kitchen, 1, false, 10'000)},
      {"where a building stands", as_it_is, Construct{lot("1"), kitchen}, "lot_taken"},
      {"where a building is queued", queued(8'000, "5", kitchen, 1, false, 0), Construct{lot("5"), kitchen},
       "lot_taken"},
      {"where a building is going to be razed", queued(8'000, "1", kitchen, 1, true, 0),
       Construct{lot("1"), Building::shop}, "done", queued(1'208'000, "1", Building::shop, 1, false, 12'500)},
      {"the queue is full", fill_queue, Construct{lot("5"), kitchen}, "queue_full"},
      {"one coin too few",
       [](Town& town) { town.coin_units = 10'000 * units_per_whole - 1; },
       Construct{lot("5"), kitchen},
       "not_enough_coins",
       as_it_is,
       {{"needs", 10'000}}},
      {"a taken lot comes before a full queue",
       [](Town& town) {
         set_coins(town, 0);
         fill_queue(town);
       },
       Construct{lot("1"), kitchen}, "lot_taken"},
      {"a full queue comes before the price",
       [](Town& town) {
         set_coins(town, 0);
         fill_queue(town);
       },
       Construct{lot("5"), kitchen}, "queue_full"},
  });
}

TEST(Upgrade, queues_the_next_level_or_says_why_not) {
  auto const house = Building::house;
  expect_outcomes({
      {"to level 2", as_it_is, Upgrade{lot("3")}, "done", queued(900'000, "3", house, 2, false, 35'000)},
      {"to the highest level", [](Town& town) { town.lots[2]->level = 4; }, Upgrade{lot("3")}, "done",
       queued(7'200'000, "3", house, 5, false, 250'000)},
      {"again, while level 2 is queued", queued(1'000, "3", house, 2, false, 0), Upgrade{lot("3")}, "done",
       queued(1'801'000, "3", house, 3, false, 60'000)},
      {"a building that is queued", queued(1'000, "8", house, 1, false, 0), Upgrade{lot("8")}, "done",
       queued(901'000, "8", house, 2, false, 35'000)},
      {"an empty lot", as_it_is, Upgrade{lot("8")}, "lot_empty"},
      {"a lot that is going to be razed", queued(1'000, "3", house, 1, true, 0), Upgrade{lot("3")},
       "lot_empty"},
      {"above the highest level", [](Town& town) { town.lots[2]->level = 5; }, Upgrade{lot("3")},
       "max_level"},
      {"above the highest queued level", queued(1'000, "3", house, 5, false, 0), Upgrade{lot("3")},
       "max_level"},
      {"a school", as_it_is, Upgrade{lot("4")}, "max_level"},
      {"the queue is full", fill_queue, Upgrade{lot("3")}, "queue_full"},
      {"too dear",
       [](Town& town) { set_coins(town, 34'999); },
       Upgrade{lot("3")},
       "not_enough_coins",
       as_it_is,
       {{"needs", 35'000}}},
      {"the level comes before the queue", fill_queue, Upgrade{lot("4")}, "max_level"},
      {"the lot comes before the queue", fill_queue, Upgrade{lot("8")}, "lot_empty"},
      {"the queue comes before the price",
       [](Town& town) {
         set_coins(town, 0);
         fill_queue(town);
       },
       Upgrade{lot("3")}, "queue_full"},
  });
}

TEST(Raze, queues_the_razing_or_says_why_not) {
  auto const house = Building::house;
  expect_outcomes({
      {"half the price, twice the time", as_it_is, Raze{lot("3")}, "done",
       queued(900'000, "3", house, 1, true, 8'500)},
      {"of the level that it has", [](Town& town) { town.lots[2]->level = 3; }, Raze{lot("3")}, "done",
       queued(3'600'000, "3", house, 3, true, 30'000)},
      {"of the level that it will have", queued(1'000, "3", house, 2, false, 0), Raze{lot("3")}, "done",
       queued(1'801'000, "3", house, 2, true, 17'500)},
      {"a school", as_it_is, Raze{lot("4")}, "done",
       queued(7'200'000, "4", Building::school, 1, true, 15'000)},
      {"an empty lot", as_it_is, Raze{lot("8")}, "lot_empty"},
      {"twice", queued(1'000, "3", house, 1, true, 0), Raze{lot("3")}, "lot_empty"},
      {"the queue is full", fill_queue, Raze{lot("3")}, "queue_full"},
      {"too dear",
       [](Town& town) { set_coins(town, 8'499); },
       Raze{lot("3")},
       "not_enough_coins",
       as_it_is,
       {{"needs", 8'500}}},
      {"the lot comes before the queue", fill_queue, Raze{lot("8")}, "lot_empty"},
      {"the queue comes before the price",
       [](Town& town) {
         set_coins(town, 0);
         fill_queue(town);
       },
       Raze{lot("3")}, "queue_full"},
  });
}

// Mice begin a training that ends `ms` after the town's time.
auto trained(std::int64_t ms, Education education, std::int64_t amount, std::int64_t cost) {
  return [=](Town& town) {
    pay_coins(town, cost);
    town.population.uneducated -= amount;
    town.trainings.push_back({town.at + ms, education, amount, cost});
  };
}

TEST(Train, begins_a_training_or_says_why_not) {
  auto const without_school = [](Town& town) {
    town.lots[3].reset();
    town.population.uneducated = 0;
    set_coins(town, 0);
  };
  auto const many_trainings = [](Town& town) { town.trainings.assign(1'000, {.complete_at = {2'000'000}}); };
  expect_outcomes({
      {"a chef", as_it_is, Train{Education::chef, 1}, "done", trained(200'000, Education::chef, 1, 0)},
      {"salesmice", as_it_is, Train{Education::salesmouse, 4}, "done",
       trained(100'000, Education::salesmouse, 4, 0)},
      {"guards", as_it_is, Train{Education::guard, 3}, "done",
       trained(1'000'000, Education::guard, 3, 30'000)},
      {"thieves", as_it_is, Train{Education::thief, 2}, "done",
       trained(1'800'000, Education::thief, 2, 40'000)},
      {"besides another training", trained(5, Education::chef, 1, 0), Train{Education::chef, 1}, "done",
       trained(200'000, Education::chef, 1, 0)},
      {"no school", without_school, Train{Education::guard, 1}, "no_school"},
      {"a queued school is none",
       [&](Town& town) {
         without_school(town);
         queued(5, "7", Building::school, 1, false, 0)(town);
       },
       Train{Education::guard, 1}, "no_school"},
      {"one mouse too many", as_it_is, Train{Education::chef, 5}, "too_few_uneducated"},
      {"far too many", as_it_is, Train{Education::thief, limits::amount_max}, "too_few_uneducated"},
      {"the mice come before the price", [](Town& town) { set_coins(town, 0); }, Train{Education::guard, 5},
       "too_few_uneducated"},
      {"one coin too few",
       [](Town& town) { set_coins(town, 39'999); },
       Train{Education::thief, 2},
       "not_enough_coins",
       as_it_is,
       {{"needs", 40'000}}},
      {"the price comes before the queue",
       [&](Town& town) {
         many_trainings(town);
         set_coins(town, 0);
       },
       Train{Education::thief, 2},
       "not_enough_coins",
       as_it_is,
       {{"needs", 40'000}}},
      {"the queue is full", many_trainings, Train{Education::chef, 1}, "queue_full"},
  });
}

TEST(Train, a_price_that_nobody_can_have_does_not_overflow) {
  auto rules = *pizza_rules();
  rules.educations[std::size_t(Education::thief)].cost = 1'000'000'000'000;
  auto town = small_town();
  town.population.uneducated = mice_max;
  town.coin_units = stock_max;
  auto const result = act(town, rules, Train{Education::thief, mice_max});
  ASSERT_EQ(code_of(result), "not_enough_coins");
  EXPECT_EQ(result.error().more.at("needs"), limits::amount_max);
}

TEST(Tap, gives_something_for_each_inhabitant_or_says_why_not) {
  auto const tapped = [](std::size_t index, std::int64_t at) {
    return [=](Town& town) { town.lots[index]->tapped_at = GameMs{at}; };
  };
  auto const pizzas = [](Town& town) {
    town.pizza_units += 10 * 100 * units_per_whole;
    town.lots[0]->tapped_at = town.at;
  };
  auto const coins = [](Town& town) {
    town.coin_units += 10 * 50 * units_per_whole;
    town.lots[1]->tapped_at = town.at;
  };
  expect_outcomes({
      {"a kitchen", as_it_is, Tap{lot("1")}, "done", pizzas},
      {"a shop", as_it_is, Tap{lot("2")}, "done", coins},
      {"after 15 minutes", tapped(0, 100'000), Tap{lot("1")}, "done", pizzas},
      {"another lot", tapped(0, 1'000'000), Tap{lot("2")}, "done", coins},
      {"mice that are away get nothing", trained(5, Education::chef, 4, 0), Tap{lot("2")}, "done",
       [](Town& town) {
         town.coin_units += 6 * 50 * units_per_whole;
         town.lots[1]->tapped_at = town.at;
       }},
      {"an empty lot", as_it_is, Tap{lot("9")}, "lot_empty"},
      {"a queued kitchen", queued(5, "9", Building::kitchen, 1, false, 0), Tap{lot("9")}, "lot_empty"},
      {"a house", as_it_is, Tap{lot("3")}, "not_tappable"},
      {"a school", as_it_is, Tap{lot("4")}, "not_tappable"},
      {"one ms too soon",
       tapped(0, 100'001),
       Tap{lot("1")},
       "tapped_too_soon",
       as_it_is,
       {{"seconds_left", 1}}},
      {"one second too soon",
       tapped(0, 101'000),
       Tap{lot("1")},
       "tapped_too_soon",
       as_it_is,
       {{"seconds_left", 1}}},
      {"more than one second too soon",
       tapped(0, 101'001),
       Tap{lot("1")},
       "tapped_too_soon",
       as_it_is,
       {{"seconds_left", 2}}},
      {"at once again",
       tapped(0, 1'000'000),
       Tap{lot("1")},
       "tapped_too_soon",
       as_it_is,
       {{"seconds_left", 900}}},
  });
}

// Three constructions: one second each, at a price of 11, 21 and 31.
void queue_three(Town& town) {
  town.constructions = {{{1'001'000}, lot("5"), Building::kitchen, 1, false, 11},
                        {{1'002'000}, lot("6"), Building::shop, 1, false, 21},
                        {{1'003'000}, lot("7"), Building::house, 1, false, 31}};
}

TEST(Cancel, takes_an_element_out_or_says_why_not) {
  auto const upgraded_later = [](Town& town) {
    queue_three(town);
    town.constructions[2].lot = lot("5");
  };
  auto const two_trainings = [](Town& town) {
    town.trainings = {{{1'000'500}, Education::guard, 3, 30'001}, {{1'000'400}, Education::chef, 2, 0}};
  };
  expect_outcomes({
      {"the last one is refunded in full", queue_three, Cancel{Queue::construction, 2}, "done",
       [](Town& town) {
         pay_coins(town, -31);
         town.constructions.pop_back();
       }},
      {"later ones move forward", queue_three, Cancel{Queue::construction, 1}, "done",
       [](Town& town) {
         pay_coins(town, -21);
         town.constructions.erase(town.constructions.begin() + 1);
         town.constructions[1].complete_at = {1'002'000};
       }},
      {"one that has begun is refunded at half, rounded down",
       [](Town& town) {
         queue_three(town);
         town.at = {1'000'300};
       },
       Cancel{Queue::construction, 0}, "done",
       [](Town& town) {
         pay_coins(town, -5);
         town.constructions.erase(town.constructions.begin());
         town.constructions[0].complete_at = {1'001'300};
         town.constructions[1].complete_at = {1'002'300};
       }},
      {"a training has begun at once", two_trainings, Cancel{Queue::training, 0}, "done",
       [](Town& town) {
         pay_coins(town, -15'000);
         town.population.uneducated += 3;
         town.trainings.erase(town.trainings.begin());
       }},
      {"a free training", two_trainings, Cancel{Queue::training, 1}, "done",
       [](Town& town) {
         town.population.uneducated += 2;
         town.trainings.pop_back();
       }},
      {"an empty queue", as_it_is, Cancel{Queue::construction, 0}, "no_such_element"},
      {"after the end", queue_three, Cancel{Queue::construction, 3}, "no_such_element"},
      {"after the end of the trainings", two_trainings, Cancel{Queue::training, 2}, "no_such_element"},
      {"far after the end", queue_three, Cancel{Queue::construction, limits::amount_max}, "no_such_element"},
      {"later work builds on it", upgraded_later, Cancel{Queue::construction, 0}, "lot_busy"},
      {"the later work itself", upgraded_later, Cancel{Queue::construction, 2}, "done",
       [](Town& town) {
         pay_coins(town, -31);
         town.constructions.pop_back();
       }},
      {"thieves", [](Town& town) { town.travels = {{.arrival_at = {1'000'001}, .target = user("bob")}}; },
       Cancel{Queue::travel, 0}, "not_cancellable"},
  });
}

TEST(Cancel, ten_constructions_that_were_cancelled_leave_room_for_ten) {
  auto town = small_town();
  town.coin_units = stock_max;
  for (auto const name : {"5", "6", "7", "8", "9", "10"}) {
    ASSERT_TRUE(act(town, *pizza_rules(), Construct{lot(name), Building::kitchen}));
  }
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(act(town, *pizza_rules(), Upgrade{lot("5")}));
  ASSERT_TRUE(act(town, *pizza_rules(), Upgrade{lot("6")}));
  ASSERT_EQ(code_of(act(town, *pizza_rules(), Upgrade{lot("7")})), "queue_full");
  for (int i = 9; i >= 0; --i) ASSERT_TRUE(act(town, *pizza_rules(), Cancel{Queue::construction, i}));
  EXPECT_TRUE(town.constructions.empty());
  EXPECT_TRUE(act(town, *pizza_rules(), Upgrade{lot("1")}));
  EXPECT_EQ(town.constructions[0].complete_at, town.at + 1'800'000);
}

TEST(PlannedLot, is_the_lot_after_all_queued_work) {
  auto town = small_town();
  town.constructions = {{{1'000'001}, lot("1"), Building::kitchen, 2},
                        {{1'000'002}, lot("1"), Building::kitchen, 2, true},
                        {{1'000'003}, lot("2"), Building::shop, 2},
                        {{1'000'004}, lot("1"), Building::house, 1}};
  for (auto const name : LotId::names) {
    auto const planned = planned_lot(town, lot(name));
    auto later = town;
    advance(later, *pizza_rules(), {1'000'004});
    EXPECT_EQ(planned, later.lot(lot(name))) << name;
  }
}

}  // namespace
}  // namespace larder::tribes
