#include "systems/tribes/town_document.hpp"

#include "systems/tribes/tribes_rules_test.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace larder::tribes {
namespace {

using test::lot;
using test::user;

// As the documentation of the original game prints them: a new town, and a town before an update.
constexpr std::string_view original_new_town =
    R"({"resources":{"coins":0,"pizzas":0},"lots":{},"population":{"uneducated":0,"chefs":0,"salesmice":0,)"
    R"("guards":0,"thieves":0},"timestamp":1620842714,"trainingQueue":[],"constructionQueue":[],"townX":50,)"
    R"("townY":50,"travelQueue":[]})";
constexpr std::string_view original_town =
    R"({"resources":{"coins":20,"pizzas":0},"lots":{"1":{"building":3},"2":{"building":0},"9":{"building":1},)"
    R"("10":{"building":2}},"population":{"uneducated":8,"chefs":1,"salesmice":1,"guards":0,"thieves":0},)"
    R"("timestamp":1620845911,"trainingQueue":[],"constructionQueue":[],"townX":51,"townY":58,)"
    R"("travelQueue":[]})";

// A town that has some of everything.
Town full_town() {
  auto town = test::small_town();
  town.coin_units = 20 * units_per_whole + 19'999;
  town.pizza_units = 7;
  town.lots = {};
  town.lots[0] = Lot{.building = Building::school};
  town.lots[9] = Lot{.building = Building::kitchen, .level = 3, .tapped_at = GameMs{999'000}};
  town.trainings = {{{1'200'000}, Education::guard, 2, 20'000}, {{1'100'000}, Education::chef, 1, 0}};
  town.constructions = {{{1'000'500}, lot("10"), Building::kitchen, 4, false, 85'000},
                        {{1'000'900}, lot("1"), Building::school, 1, true, 15'000}};
  town.travels = {{{3'000'000}, {.x = 51, .y = 52}, user("bob"), false, 3, 0, 18'446'744'073'709'551'615U},
                  {{2'000'000}, {.x = 50, .y = 50}, user("cat"), true, 1, 4'000, 5}};
  town.arrivals = {{{1'500'000}, user("bob")}, {{1'500'000}, user("c.d@e+f|g-h_i")}};
  town.ruin = true;
  return town;
}

std::string said_of_document(Result<Town> const& read) {
  return read ? "no problem" : read.error().field + " | " + read.error().detail;
}

TEST(TownDocument, has_the_members_of_the_original_and_one_of_our_own) {
  Town town{.user = user("ann"), .field = {.x = 50, .y = 50}};
  auto text = to_document(town, 1'620'842'714);
  std::string_view const own = R"(,"larder":{"at":0,"coinUnits":0,"pizzaUnits":0}})";
  ASSERT_TRUE(text.ends_with(own)) << text;
  text.resize(text.size() - own.size());
  EXPECT_EQ(text + '}', original_new_town);
}

TEST(TownDocument, has_all_of_a_town) {
  EXPECT_EQ(
      to_document(full_town(), 1'620'842'714),
      R"({"resources":{"coins":20,"pizzas":0},"lots":{"1":{"building":3,"level":1},)"
      R"("10":{"building":0,"level":3,"tappedAt":999000}},"population":{"uneducated":4,"chefs":1,"salesmice":1,)"
      R"("guards":2,"thieves":2},"timestamp":1620842714,"trainingQueue":[{"completeAt":1200000,"education":2,)"
      R"("amount":2,"cost":20000},{"completeAt":1100000,"education":0,"amount":1}],)"
      R"("constructionQueue":[{"completeAt":1000500,"lotId":"10","building":0,"level":4,"razing":false,)"
      R"("cost":85000},{"completeAt":1000900,"lotId":"1","building":3,"level":1,"razing":true,"cost":15000}],)"
      R"("townX":50,"townY":50,"travelQueue":[{"arrivalAt":3000000,"destinationX":51,"destinationY":52,)"
      R"("returning":false,"thieves":3,"coins":0,"target":"bob","seed":"18446744073709551615"},)"
      R"({"arrivalAt":2000000,"destinationX":50,"destinationY":50,"returning":true,"thieves":1,"coins":4000,)"
      R"("target":"cat","seed":"5"}],"larder":{"at":1000000,"coinUnits":19999,"pizzaUnits":7,)"
      R"("arrivals":[{"at":1500000,"attacker":"bob"},{"at":1500000,"attacker":"c.d@e+f|g-h_i"}],"ruin":true}})");
}

TEST(TownDocument, reads_what_the_original_prints) {
  auto const read = from_document(original_town, user("ann"), {5'000});
  ASSERT_TRUE(read) << said_of_document(read);
  Town expected{.user = user("ann"), .field = {.x = 51, .y = 58}, .at = {5'000}};
  expected.coin_units = 20 * units_per_whole;
  expected.lots[0] = Lot{.building = Building::school};
  expected.lots[1] = Lot{.building = Building::kitchen};
  expected.lots[8] = Lot{.building = Building::shop};
  expected.lots[9] = Lot{.building = Building::house};
  expected.population = {.uneducated = 8, .chefs = 1, .salesmice = 1};
  EXPECT_EQ(*read, expected);
  ASSERT_TRUE(from_document(original_new_town, user("ann")));
}

// The documentation of the original prints an update: from 1620845911 to 1620845921, 20 coins became 22, and
// there were no pizzas before and after. By our rules: the chef makes 0.2 pizzas per second, that is 2 in 10
// s. Ten inhabitants want 0.2 per second each, 20 in 10 s, or 75 in rush hour. The salesmouse can sell 5 in
// 10 s. So both pizzas are sold, for a coin each, whatever the time of the day.
TEST(TownDocument, the_update_that_the_original_prints) {
  for (std::int64_t hour = 0; hour < 24; ++hour) {
    auto town = from_document(original_town, user("ann"), {hour * 150'000}).value();
    advance(town, *pizza_rules(), town.at + 10'000);
    auto const document = json::parse(to_document(town, 1'620'845'921));
    auto expected = json::parse(original_town);
    expected.at("resources").at("coins") = 22;
    expected.at("timestamp") = 1'620'845'921;
    for (auto const name : {"resources", "population", "timestamp", "trainingQueue", "constructionQueue",
                            "townX", "townY", "travelQueue"}) {
      EXPECT_EQ(document.at(name), expected.at(name)) << name << " at " << hour;
    }
    for (auto const& [name, value] : expected.at("lots").as_object()) {
      EXPECT_EQ(document.at("lots").at(name).at("building"), value.at("building")) << name;
    }
    EXPECT_EQ(town.coin_units, 22 * units_per_whole) << "exactly";
  }
}

TEST(TownDocument, every_town_is_read_back_exactly) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  auto const rules = test::hasty_rules(random);
  std::vector<Town> towns = {full_town(), Town{.user = user("ann")}};
  Town limits{.user = user("ann"), .at = {game_ms_max}, .coin_units = stock_max, .pizza_units = stock_max};
  limits.population = {mice_max, mice_max, mice_max, mice_max, mice_max};
  limits.trainings = {{{game_ms_max}, Education::thief, mice_max, whole_max}};
  towns.push_back(limits);
  for (int i = 0; i < 500; ++i) towns.push_back(test::random_town(random, rules, 0));
  for (auto const& town : towns) {
    auto const read = from_document(to_document(town, 1'700'000'000), town.user);
    ASSERT_TRUE(read) << said_of_document(read);
    ASSERT_EQ(*read, town);
  }
}

// The document of the full town with the value at a JSON pointer replaced, or with a member added.
std::string document_with(std::string_view pointer, std::string_view replacement) {
  auto document = json::parse(to_document(full_town(), 1));
  auto const last = pointer.rfind('/');
  auto& parent = document.at_pointer(pointer.substr(0, last));
  auto const name = pointer.substr(last + 1);
  auto& value =
      parent.is_array() ? parent.as_array().at(std::stoul(std::string(name))) : parent.as_object()[name];
  value = json::parse(replacement);
  return json::serialize(document);
}

TEST(TownDocument, a_corrupt_document_is_refused_with_the_name_of_the_member) {
  struct Case {
    std::string text;
    std::string_view field;
    std::string_view detail;  // a part of the detail
  };
  std::vector<Case> const cases = {
      {"", "", "malformed JSON"},
      {"7", "", "JSON object"},
      {R"({"townX": 1, "townX": 2})", "townX", "twice"},
      {"{}", "resources", "is required"},
      {to_document(full_town(), 1).substr(0, 300), "", "malformed JSON"},
      {document_with("/resources", "null"), "resources", "is required"},
      {document_with("/resources/coins", "-1"), "resources.coins", "from 0"},
      {document_with("/resources/coins", "1.5"), "resources.coins", "whole number"},
      {document_with("/resources/coins", "400000000000000"), "resources.coins", "above the most"},
      {document_with("/resources/gold", "1"), "resources.gold", "not a known field"},
      {document_with("/lots/11", R"({"building": 1})"), "lots.11", "not a known field"},
      {document_with("/lots/1", "3"), "lots.1", "JSON object"},
      {document_with("/lots/1/building", "4"), "lots.1.building", "from 0 to 3"},
      {document_with("/lots/1/level", "0"), "lots.1.level", "from 1"},
      {document_with("/lots/10/tappedAt", "1000001"), "lots.10.tappedAt", "to 1000000"},
      {document_with("/population/chefs", "\"1\""), "population.chefs", "whole number"},
      {document_with("/population/chefs", "1000001"), "population.chefs", "to 1000000"},
      {document_with("/timestamp", "null"), "timestamp", "is required"},
      {document_with("/trainingQueue", "{}"), "trainingQueue", "array"},
      {document_with("/trainingQueue/1", "5"), "trainingQueue[1]", "JSON object"},
      {document_with("/trainingQueue/1/completeAt", "999999"), "trainingQueue[1].completeAt", "from 1000000"},
      {document_with("/trainingQueue/1/education", "4"), "trainingQueue[1].education", "from 0 to 3"},
      {document_with("/trainingQueue/1/amount", "-1"), "trainingQueue[1].amount", "from 0"},
      {document_with("/constructionQueue/0/lotId", "1"), "constructionQueue[0].lotId",
       R"(one of the strings "1", "2")"},
      {document_with("/constructionQueue/0/completeAt", "1000901"), "constructionQueue", "in the order"},
      {document_with("/constructionQueue/0/razing", "1"), "constructionQueue[0].razing", "true or false"},
      {document_with("/townX", "-1"), "townX", "from 0"},
      {document_with("/travelQueue/0/target", "\"a b\""), "travelQueue[0].target", "characters"},
      {document_with("/travelQueue/0/seed", "5"), "travelQueue[0].seed", "string"},
      {document_with("/travelQueue/0/seed", "\"18446744073709551616\""), "travelQueue[0].seed", "64 bits"},
      {document_with("/travelQueue/0/arrivalAt", "9007199254740992"), "travelQueue[0].arrivalAt", "whole"},
      {document_with("/travelQueue/0/wind", "5"), "travelQueue[0].wind", "not a known field"},
      {document_with("/larder", "null"), "larder", "is required"},
      {document_with("/larder/at", "-5"), "larder.at", "from 0"},
      {document_with("/larder/coinUnits", "20000"), "larder.coinUnits", "to 19999"},
      {document_with("/larder/arrivals/0/at", "999999"), "larder.arrivals[0].at", "from 1000000"},
      {document_with("/larder/arrivals/0/at", "1500001"), "larder.arrivals", "in the order"},
      {document_with("/larder/arrivals/0/attacker", "\"\""), "larder.arrivals[0].attacker", "characters"},
      {document_with("/larder/ruin", "1"), "larder.ruin", "true or false"},
      {document_with("/colour", "1"), "colour", "not a known field"},
  };
  for (auto const& test : cases) {
    auto const read = from_document(test.text, user("ann"));
    ASSERT_FALSE(read) << test.field << ' ' << test.detail;
    EXPECT_EQ(read.error().field, test.field) << said_of_document(read);
    EXPECT_NE(read.error().detail.find(test.detail), std::string::npos) << said_of_document(read);
  }
}

TEST(TownView, shows_the_members_of_the_original_in_real_time) {
  WorldClock const clock{.base_real = {1'700'000'000'000}, .base_game = {900'000}, .speed = 1'000};
  EXPECT_EQ(
      json::serialize(view(full_town(), clock, {1'700'000'000'100})),
      R"({"resources":{"coins":20,"pizzas":0},"lots":{"1":{"building":3,"level":1},)"
      R"("10":{"building":0,"level":3,"tappedAt":1700000000099}},"population":{"uneducated":4,"chefs":1,)"
      R"("salesmice":1,"guards":2,"thieves":2},"timestamp":1700000000,"trainingQueue":[{"completeAt":1700000000300,)"
      R"("education":2,"amount":2},{"completeAt":1700000000200,"education":0,"amount":1}],)"
      R"("constructionQueue":[{"completeAt":1700000000101,"lotId":"10","building":0,"level":4,"razing":false},)"
      R"({"completeAt":1700000000101,"lotId":"1","building":3,"level":1,"razing":true}],)"
      R"("townX":50,"townY":50,"travelQueue":[{"arrivalAt":1700000002100,"destinationX":51,"destinationY":52,)"
      R"("returning":false,"thieves":3,"coins":0},{"arrivalAt":1700000001100,"destinationX":50,"destinationY":50,)"
      R"("returning":true,"thieves":1,"coins":4000}]})");
}

}  // namespace
}  // namespace larder::tribes
