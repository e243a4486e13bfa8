#include "systems/tribes/rules.hpp"

#include "base/json.hpp"
#include "systems/tribes/tribes_rules_test.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace larder::tribes {
namespace {

// The shipped rules with the value at a JSON pointer replaced, or with a member added.
std::string pizza_with(std::string_view pointer, std::string_view replacement) {
  auto rules = to_json(*pizza_rules());
  auto const last = pointer.rfind('/');
  auto& parent = rules.at_pointer(pointer.substr(0, last));
  auto const name = pointer.substr(last + 1);
  auto& value =
      parent.is_array() ? parent.as_array().at(std::stoul(std::string(name))) : parent.as_object()[name];
  value = json::parse(replacement);
  return json::serialize(rules);
}

std::string pizza_without(std::string_view pointer) {
  auto rules = to_json(*pizza_rules());
  auto const last = pointer.rfind('/');
  rules.at_pointer(pointer.substr(0, last)).as_object().erase(pointer.substr(last + 1));
  return json::serialize(rules);
}

// The field and the detail of the problem, in one line.
std::string said_of(Result<Rules> const& parsed) {
  return parsed ? "no problem" : parsed.error().field + " | " + parsed.error().detail;
}

TEST(Rules, the_shipped_buildings_are_those_of_the_original_game) {
  auto const rules = pizza_rules();
  std::vector<Level> const kitchen = {
      {10'000, 900, 7}, {20'000, 1'800, 12}, {40'000, 2'700, 20}, {85'000, 4'800, 35}};
  std::vector<Level> const shop = {
      {12'500, 1'200, 5}, {25'000, 2'400, 9}, {48'000, 3'600, 15}, {99'000, 8'000, 25}};
  std::vector<Level> const house = {
      {17'000, 450, 10}, {35'000, 900, 18}, {60'000, 1'800, 30}, {135'000, 4'000, 50}, {250'000, 7'200, 90}};
  EXPECT_TRUE(rules->of(Building::kitchen) == (BuildingRules{.first = {0, 8}, .levels = kitchen}));
  EXPECT_TRUE(rules->of(Building::shop) == (BuildingRules{.first = {0, 12}, .levels = shop}));
  EXPECT_TRUE(rules->of(Building::house) == (BuildingRules{.first = {100, 10}, .levels = house}));
  EXPECT_TRUE(rules->of(Building::school) ==
              (BuildingRules{.first = {200, 15}, .levels = {{30'000, 3'600}}}));
}

TEST(Rules, the_shipped_numbers_are_those_of_the_original_game) {
  auto const rules = pizza_rules();
  EXPECT_EQ(rules->goal_coins, 10'000'000);
  EXPECT_EQ(rules->start_coins, 300);
  EXPECT_TRUE(rules->of(Education::chef) == (EducationRules{0, 200, Building::kitchen}));
  EXPECT_TRUE(rules->of(Education::salesmouse) == (EducationRules{0, 100, Building::shop}));
  EXPECT_TRUE(rules->of(Education::guard) == (EducationRules{10'000, 1'000}));
  EXPECT_TRUE(rules->of(Education::thief) == (EducationRules{20'000, 1'800}));
  EXPECT_TRUE(rules->razing == (Razing{.cost_percent = 50, .time_percent = 200}));
  EXPECT_EQ(rules->queues.constructions_max, 10);
  EXPECT_EQ(rules->queues.begun_refund_percent, 50);
  EXPECT_TRUE(rules->production == (Production{.chef_rate = 4,  // 0.2 per second
                                               .salesmouse_rate = 10,
                                               .demand_rate = 4,
                                               .rush_demand_rate = 15,
                                               .pizza_price = 1}));
  EXPECT_TRUE(rules->mouse_clock == (MouseClock{.speed = 24, .rush_hours = {{11, 13}, {18, 21}}}));
  EXPECT_EQ(rules->mouse_clock.day_ms(), 3'600'000);
  EXPECT_TRUE(rules->taps == (Taps{.pizzas = 100, .coins = 50, .every_s = 900}));
  EXPECT_TRUE(rules->world == (WorldMap{.size = 110, .zone_size = 10, .towns_per_zone_max = 8}));
  EXPECT_TRUE(rules->heists ==
              (Heists{.travel_ms_per_field = 300'000, .thief_strength = 2, .loot_per_thief = 4'000}));
  EXPECT_TRUE(rules->updates == (Updates{.every_s = 900, .watched_every_s = 10}));
  EXPECT_EQ(pizza_rules(), rules) << "they are parsed once";
}

TEST(Rules, can_be_written_and_read_back) {
  auto const written = to_json(*pizza_rules());
  auto const again = parse_rules(json::serialize(written));
  ASSERT_TRUE(again) << said_of(again);
  EXPECT_TRUE(*again == *pizza_rules());
  std::ifstream file(LARDER_SOURCE_DIR "/src/systems/tribes/pizza.json");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(json::serialize(json::parse(text.str())), json::serialize(written))
      << "the file has all members, in the same order";
}

TEST(Rules, a_level_above_the_highest_counts_as_the_highest) {
  auto const& house = pizza_rules()->of(Building::house);
  EXPECT_EQ(house.level_max(), 5);
  EXPECT_EQ(house.at_level(1).capacity, 10);
  EXPECT_EQ(house.at_level(5).capacity, 90);
  EXPECT_EQ(house.at_level(6).capacity, 90);
}

TEST(Rules, may_go_to_their_limits) {
  struct Case {
    std::string_view pointer;
    std::string_view value;
  };
  std::vector<Case> const cases = {
      {"/goal_coins", "1000000000000"},
      {"/start_coins", "0"},
      {"/goal_coins", "301"},
      {"/buildings/kitchen/levels", R"([{"cost": 0, "seconds": 1, "capacity": 0}])"},
      {"/buildings/kitchen/levels/1/capacity", "7"},
      {"/buildings/house/levels/4", R"({"cost": 1000000000000, "seconds": 31536000, "capacity": 10000})"},
      {"/educations/chef/workplace", R"("shop")"},
      {"/razing/cost_percent", "0"},
      {"/queues/constructions_max", "1"},
      {"/queues/arrivals_max", "1000"},
      {"/production/chef_rate", "1000000"},
      {"/mouse_clock/speed", "3600"},
      {"/mouse_clock/rush_hours", "[]"},
      {"/mouse_clock/rush_hours", R"([{"from": 0, "to": 5}, {"from": 5, "to": 24}])"},
      {"/world", R"({"size": 1000, "zone_size": 10, "towns_per_zone_max": 100})"},
      {"/heists/travel_ms_per_field", "1"},
  };
  for (auto const& [pointer, value] : cases) {
    auto const parsed = parse_rules(pizza_with(pointer, value));
    EXPECT_TRUE(parsed) << pointer << ' ' << value << ": " << said_of(parsed);
  }
}

// A rules file with a mistake, and the refusal that it gets.
struct WrongRules {
  std::string text;
  std::string_view field;
  std::string_view detail;  // a part of the detail
};

std::vector<WrongRules> wrong_buildings() {
  std::string const level = R"({"cost": 1, "seconds": 1, "capacity": 1})";
  std::string many = "[" + level;
  for (int i = 0; i < 20; ++i) many += "," + level;
  return {
      {pizza_without("/buildings"), "buildings", "is required"},
      {pizza_without("/buildings/shop"), "buildings.shop", "is required"},
      {pizza_without("/buildings/shop/first"), "buildings.shop.first", "is required"},
      {pizza_without("/buildings/shop/first/cost"), "buildings.shop.first.cost", "is required"},
      {pizza_with("/buildings/tower", "{}"), "buildings.tower", "not a known field"},
      {pizza_with("/buildings/shop/needs", R"("kitchen")"), "buildings.shop.needs", "not a known field"},
      {pizza_with("/buildings/shop/first/seconds", "0"), "buildings.shop.first.seconds", "from 1"},
      {pizza_with("/buildings/shop/first/cost", "-1"), "buildings.shop.first.cost", "from 0"},
      {pizza_with("/buildings/shop/levels", "[]"), "buildings.shop.levels", "1 to 20 elements"},
      {pizza_with("/buildings/shop/levels", many + "]"), "buildings.shop.levels", "1 to 20 elements"},
      {pizza_with("/buildings/shop/levels", "{}"), "buildings.shop.levels", "array"},
      {pizza_with("/buildings/shop/levels/1", "null"), "buildings.shop.levels[1]", "JSON object"},
      {pizza_with("/buildings/kitchen/levels/2/cost", "-1"), "buildings.kitchen.levels[2].cost", "from 0"},
      {pizza_with("/buildings/kitchen/levels/2/cost", "1.5"), "buildings.kitchen.levels[2].cost", "whole"},
      {pizza_with("/buildings/kitchen/levels/2/cost", "\"1\""), "buildings.kitchen.levels[2].cost", "whole"},
      {pizza_with("/buildings/kitchen/levels/2/cost", "1000000000001"), "buildings.kitchen.levels[2].cost",
       "to 1000000000000"},
      {pizza_with("/buildings/kitchen/levels/0/seconds", "31536001"), "buildings.kitchen.levels[0].seconds",
       "to 31536000"},
      {pizza_without("/buildings/kitchen/levels/3/capacity"), "buildings.kitchen.levels[3].capacity",
       "is required"},
      {pizza_with("/buildings/kitchen/levels/3/capacity", "10001"), "buildings.kitchen.levels[3].capacity",
       "to 10000"},
      {pizza_with("/buildings/house/levels/1/capacity", "9"), "buildings.house.levels[1].capacity",
       "below that of the level before"},
      {pizza_with("/buildings/school/levels/0/capacity", "9"), "buildings.school.levels[0].capacity",
       "not a known field"},
  };
}

std::vector<WrongRules> wrong_sections() {
  return {
      {"", "", "malformed JSON"},
      {"[]", "", "JSON object"},
      {R"({"goal_coins": 1, "goal_coins": 1})", "goal_coins", "twice"},
      {pizza_with("/colour", "1"), "colour", "not a known field"},
      {pizza_without("/goal_coins"), "goal_coins", "is required"},
      {pizza_with("/goal_coins", "300"), "goal_coins", "above start_coins"},
      {pizza_with("/goal_coins", "9007199254740992"), "goal_coins", "to 1000000000000"},
      {pizza_with("/start_coins", "-1"), "start_coins", "from 0"},
      {pizza_with("/educations/baker", "{}"), "educations.baker", "not a known field"},
      {pizza_without("/educations/thief"), "educations.thief", "is required"},
      {pizza_with("/educations/thief/cost", "-1"), "educations.thief.cost", "from 0"},
      {pizza_with("/educations/thief/seconds", "0"), "educations.thief.seconds", "from 1"},
      {pizza_with("/educations/thief/workplace", R"("shop")"), "educations.thief.workplace", "not a known"},
      {pizza_without("/educations/chef/workplace"), "educations.chef.workplace", "is required"},
      {pizza_with("/educations/chef/workplace", R"("house")"), "educations.chef.workplace", "one of kitchen"},
      {pizza_with("/razing/cost_percent", "1001"), "razing.cost_percent", "to 1000"},
      {pizza_with("/razing/time_percent", "0"), "razing.time_percent", "from 1"},
      {pizza_with("/queues/constructions_max", "0"), "queues.constructions_max", "from 1"},
      {pizza_with("/queues/trainings_max", "1001"), "queues.trainings_max", "to 1000"},
      {pizza_with("/queues/travels_max", "1001"), "queues.travels_max", "to 1000"},
      {pizza_with("/queues/begun_refund_percent", "101"), "queues.begun_refund_percent", "to 100"},
      {pizza_with("/production/chef_rate", "-1"), "production.chef_rate", "from 0"},
      {pizza_with("/production/rush_demand_rate", "0.75"), "production.rush_demand_rate", "whole"},
      {pizza_with("/production/pizza_price", "1000001"), "production.pizza_price", "to 1000000"},
      {pizza_with("/mouse_clock/speed", "0"), "mouse_clock.speed", "from 1"},
      {pizza_with("/mouse_clock/speed", "7"), "mouse_clock.speed", "must divide 3600000"},
      {pizza_with("/mouse_clock/rush_hours/0/from", "24"), "mouse_clock.rush_hours[0].from", "to 23"},
      {pizza_with("/mouse_clock/rush_hours/0/to", "11"), "mouse_clock.rush_hours[0].to", "above from"},
      {pizza_with("/mouse_clock/rush_hours/1/from", "12"), "mouse_clock.rush_hours[1].from", "before"},
      {pizza_with("/mouse_clock/rush_hours/1/to", "25"), "mouse_clock.rush_hours[1].to", "to 24"},
      {pizza_with("/taps/every_s", "0"), "taps.every_s", "from 1"},
      {pizza_with("/taps/coins", "-5"), "taps.coins", "from 0"},
      {pizza_with("/world/size", "105"), "world.size", "multiple of zone_size"},
      {pizza_with("/world/size", "1010"), "world.size", "to 1000"},
      {pizza_with("/world", R"({"size": 1000, "zone_size": 5, "towns_per_zone_max": 8})"), "world.zone_size",
       "more than 100 zones"},
      {pizza_with("/world/towns_per_zone_max", "101"), "world.towns_per_zone_max", "fields of a zone"},
      {pizza_with("/heists/travel_ms_per_field", "0"), "heists.travel_ms_per_field", "from 1"},
      {pizza_with("/heists/thief_strength", "0"), "heists.thief_strength", "from 1"},
      {pizza_with("/heists/luck", "7"), "heists.luck", "not a known field"},
      {pizza_with("/updates", "7"), "updates", "JSON object"},
      {pizza_without("/updates/watched_every_s"), "updates.watched_every_s", "is required"},
  };
}

TEST(Rules, name_the_field_that_is_wrong) {
  for (auto const& cases : {wrong_buildings(), wrong_sections()}) {
    for (auto const& test : cases) {
      auto const parsed = parse_rules(test.text);
      ASSERT_FALSE(parsed) << test.field << ' ' << test.detail;
      EXPECT_EQ(parsed.error().field, test.field) << said_of(parsed);
      EXPECT_NE(parsed.error().detail.find(test.detail), std::string::npos) << said_of(parsed);
    }
  }
}

}  // namespace
}  // namespace larder::tribes
