// When a realm begins.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class NewRealms : public EconomyTest {};

TEST_F(NewRealms, refused_moves_leave_no_realm) {
  auto const in = [](std::string_view player) {
    return Move{.realm = realm("unused"), .player = user(player)};
  };
  auto const roulette = RouletteId::from("0123456789abcdef").value();
  Lines told_all;
  for (int i = 0; i < 3; ++i) {
    told_all = {told(economy.pay(in("1"), user("222"), amount(1))),
                told(economy.claim(in("2"), "hourly")),
                told(economy.gamble(in("3"), {})),
                told(economy.discombobulate(in("4"), user("222"), amount(1))),
                told(economy.trade(in("5"), user("222"), "herb", 1)),
                told(economy.trade(in("6"), user("222"), "wand", 1)),
                told(economy.craft(in("7"), "necklace")),
                told(economy.craft(in("8"), "satellite")),
                told(economy.craft(in("9"), "bone")),
                told(economy.use(in("10"), "cross", {})),
                told(economy.plant_bomb(in("11"), 60)),
                told(economy.inspect(in("12"), user("222"))),
                told(economy.shoot(in("13"), roulette))};
  }
  EXPECT_EQ(told_all,
            (Lines{R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})", "reward_not_found",
                   R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})",
                   R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})",
                   R"(not_enough_items {"owned":0})", "not_tradable",
                   R"(insufficient_balance {"balance":0,"needs":{":garlic:":50}})",
                   R"(not_enough_items {"needs":{":gear:":3}})", "not_craftable",
                   R"(not_enough_items {"owned":0})", R"(not_enough_items {"owned":0})",
                   R"(insufficient_balance {"balance":0,"needs":{":garlic:":10}})", "roulette_not_found"}));
  EXPECT_EQ(keys(), std::set<std::string>{});
  EXPECT_EQ(background.shared().realms.find(realm("unused")), nullptr);
}

TEST_F(NewRealms, a_refusal_is_remembered_without_a_realm) {
  auto const in = [] { return with_key(Move{.realm = realm("unused"), .player = user("1")}, "key"); };
  auto const first = told(economy.pay(in(), user("222"), amount(1)));
  EXPECT_EQ(first, R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})");
  EXPECT_EQ(keys().size(), 1U);
  cli({"ZADD", "{unused}:lb", "5", "1"});
  EXPECT_EQ(told(economy.pay(in(), user("222"), amount(1))), first + ", again");
  EXPECT_EQ(background.shared().realms.find(realm("unused")), nullptr);
}

TEST_F(NewRealms, each_move_that_succeeds_creates_its_realm) {
  std::string const lb = "{new}:lb";
  auto const in = [](std::optional<std::uint32_t> seed = {}) {
    return Move{.realm = realm("new"), .player = user("111"), .seed = seed};
  };
  std::vector<std::function<std::string()>> const moves{
      [&] { return told(economy.farm(in(), "n")).substr(0, 2); },
      [&] { return told(economy.claim(in(), "daily")).substr(0, 2); },
      [&] { return told(economy.start_roulette(in())).substr(0, 2); },
      [&] { return told(economy.pay(in(), user("222"), amount(1))).substr(0, 2); }};
  Lines const expected{"+1", "+3", "lo", "=4"};
  for (std::size_t i = 0; i < moves.size(); ++i) {
    cli({"FLUSHALL"});  // the server believes that the realm exists
    if (i == 3) cli({"ZADD", lb, "5", "111"});
    EXPECT_EQ(moves[i](), expected[i]);
    EXPECT_EQ(cli({"SMEMBERS", std::string(realms_key)}), "new");
    EXPECT_EQ(cli({"EXISTS", "{new}:catalogue", "{new}:drop-rate"}), "2");
  }
}

TEST_F(NewRealms, an_operator_creates_one) {
  auto const first = run(economy.create(realm("new"))).value();
  EXPECT_TRUE(first.created);
  EXPECT_EQ(first.catalogue->version, ajo_catalogue()->version);
  EXPECT_FALSE(run(economy.create(realm("new"))).value().created);
  EXPECT_EQ(cli({"SMEMBERS", std::string(realms_key)}), "new");
}

}  // namespace
}  // namespace larder::economy
