// Moves with items: their answers, and the keys and events that they leave.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class Items : public EconomyTest {
 protected:
  std::string trade(std::string_view from, std::string_view to, std::string item, std::int64_t quantity) {
    return told(economy.trade(move(from), user(to), std::move(item), quantity));
  }
  std::string craft(std::string_view player, std::string item) {
    return told(economy.craft(move(player), std::move(item)));
  }
  std::string use(std::string_view player, std::string item, std::optional<std::string_view> target = {}) {
    return told(
        economy.use(move(player), std::move(item), target ? std::optional(user(*target)) : std::nullopt));
  }
  std::string inspect(std::string_view player, std::string_view target) {
    return told(economy.inspect(move(player), user(target)));
  }
  std::string plant(std::string_view player, std::int64_t seconds, std::optional<std::uint32_t> seed = {}) {
    return told(economy.plant_bomb(move(player, seed), seconds));
  }
};

TEST_F(Items, trading_moves_items) {
  give("111", ":cross:", 3);
  EXPECT_EQ(trade("111", "222", ":cross:", 1), ":cross: =2 to =1");
  EXPECT_EQ(cli({"TYPE", "222:inventory"}), "hash");
  EXPECT_EQ(cli({"HGETALL", "222:inventory"}), ":cross:\n1");
  EXPECT_EQ(events("ajobus-inventory"),
            (Lines{"version=1 type=trader user_id=111 guild_id=0 item=:cross: quantity=-1 tradee_id=222",
                   "version=1 type=tradee user_id=222 guild_id=0 item=:cross: quantity=1 trader_id=111"}));
  EXPECT_EQ(trade("111", "222", ":cross:", 2), ":cross: =0 to =3");
  EXPECT_EQ(cli({"EXISTS", "111:inventory"}), "0");  // a count of 0 is removed
}

TEST_F(Items, an_item_may_be_named_in_many_ways) {
  give("111", ":reminder_ribbon:", 1);
  std::string from = "111";
  std::string to = "222";
  for (std::string const name : {":reminder_ribbon:", "reminder_ribbon", "necklace", "ribbon", "NECKLACE",
                                 ":Necklace:", "ajo_necklace"}) {
    EXPECT_EQ(trade(from, to, name, 1), ":reminder_ribbon: =0 to =1") << name;
    std::swap(from, to);
  }
}

TEST_F(Items, a_trade_fills_a_stack_and_never_overfills_it) {
  give("111", ":herb:", 20);
  give("222", ":herb:", 12);
  EXPECT_EQ(trade("111", "222", "herb", 9), R"(stack_full {"owned":12,"max_stack":20})");
  EXPECT_EQ(trade("111", "222", "herb", 8), ":herb: =12 to =20");
  EXPECT_EQ(trade("111", "222", "herb", 1), R"(stack_full {"owned":20,"max_stack":20})");
  EXPECT_EQ(count("111", ":herb:"), "12");
}

TEST_F(Items, crafting_takes_all_costs_at_once) {
  struct Case {
    std::string item;
    std::int64_t points;
    Inventory owned;
    std::string told;
    Lines points_told, items_told;
  };
  std::string const by = " user_id=111 guild_id=0 ";
  for (auto const& [item, points, owned, expected, points_told, items_told] : {
           Case{"cross",
                0,
                {{":herb:", 4}},
                ":cross: =1 balance 0",
                {},
                {"version=1 type=craft_fee" + by + "item=:herb: quantity=-4 crafted=:cross:",
                 "version=1 type=item_crafted" + by + "item=:cross: quantity=1"}},
           Case{"necklace",
                50,
                {},
                ":reminder_ribbon: =1 balance 0",
                {"version=1 type=craft_fee" + by + "amount=-50 item=:reminder_ribbon:"},
                {"version=1 type=item_crafted" + by + "item=:reminder_ribbon: quantity=1"}},
           Case{"wand",
                7,
                {{":bone:", 6}, {":tooth:", 2}},
                ":magic_wand: =1 balance 7",
                {},
                {"version=1 type=craft_fee" + by + "item=:bone: quantity=-5 crafted=:magic_wand:",
                 "version=1 type=craft_fee" + by + "item=:tooth: quantity=-2 crafted=:magic_wand:",
                 "version=1 type=item_crafted" + by + "item=:magic_wand: quantity=1"}},
           Case{"satellite",
                0,
                {{":gear:", 3}, {":satellite:", 3}},
                ":satellite: =4 balance 0",
                {},
                {"version=1 type=craft_fee" + by + "item=:gear: quantity=-3 crafted=:satellite:",
                 "version=1 type=item_crafted" + by + "item=:satellite: quantity=1"}},
           Case{"gear",
                16,
                {{":gear:", 19}},
                ":gear: =20 balance 1",
                {"version=1 type=craft_fee" + by + "amount=-15 item=:gear:"},
                {"version=1 type=item_crafted" + by + "item=:gear: quantity=1"}},
       }) {
    cli({"FLUSHALL"});
    if (points > 0) give("111", points);
    for (auto const& [id, number] : owned) give("111", id, number);
    EXPECT_EQ(craft("111", item), expected);
    EXPECT_EQ(events("ajobus"), points_told);
    EXPECT_EQ(events("ajobus-inventory"), items_told);
  }
}

TEST_F(Items, what_was_crafted_is_in_the_inventory) {
  give("111", ":bone:", 6);
  give("111", ":tooth:", 2);
  craft("111", "wand");
  EXPECT_EQ(run(economy.player(realm(), user("111")))->inventory,
            (Inventory{{":bone:", 1}, {":magic_wand:", 1}}));
}

TEST_F(Items, chopsticks_remove_the_vampire_level) {
  give("111", ":chopsticks:", 2);
  cli({"SET", "111:vampire", "9", "EX", "5400"});
  EXPECT_EQ(use("111", "chopsticks"), ":chopsticks: =1, vampire 1");
  EXPECT_EQ(cli({"EXISTS", "111:vampire"}), "0");
  EXPECT_EQ(use("111", "chopsticks"), ":chopsticks: =0, vampire 1");  // also works without a level
  EXPECT_EQ(events("ajobus-inventory"),
            Lines(2, "version=1 type=item_used user_id=111 guild_id=0 item=:chopsticks: quantity=-1"));
  EXPECT_EQ(cli({"EXISTS", "111:inventory"}), "0");
}

TEST_F(Items, a_cross_lowers_the_vampire_level_and_refreshes_its_time) {
  give("111", ":cross:", 4);
  struct Case {
    std::int64_t before, after, ttl;
  };
  for (auto const& [before, after, ttl] : {Case{70, 69, 7200}, Case{13, 12, 7200}, Case{3, 2, 1200}}) {
    cli({"SET", "111:vampire", fmt::to_string(before), "EX", "5"});
    EXPECT_EQ(use("111", "cross").substr(10), fmt::format(", vampire {}", after));
    EXPECT_EQ(cli({"GET", "111:vampire"}), fmt::to_string(after));
    EXPECT_TRUE(lives("111:vampire", ttl));
  }
  cli({"SET", "111:vampire", "2", "EX", "5"});
  EXPECT_EQ(use("111", "cross"), ":cross: =0, vampire 1");
  EXPECT_TRUE(lives("111:vampire", 600));
  EXPECT_EQ(events("ajobus-inventory").back(),
            "version=1 type=item_used user_id=111 guild_id=0 item=:cross: quantity=-1");
}

TEST_F(Items, shoes_add_to_the_gain_that_is_there) {
  give("111", ":athletic_shoe:", 1);
  EXPECT_EQ(use("111", "shoe"), ":athletic_shoe: =0, gain 2 for 600");
  EXPECT_EQ(cli({"TYPE", "111:gain"}), "string");
  EXPECT_EQ(cli({"GET", "111:gain"}), "2");
  EXPECT_TRUE(lives("111:gain", 600));
  cli({"EXPIRE", "111:gain", "5"});
  give("111", ":athletic_shoe:", 1);
  EXPECT_EQ(use("111", "shoe"), ":athletic_shoe: =0, gain 3 for 600");
  EXPECT_TRUE(lives("111:gain", 600));
  EXPECT_EQ(events("ajobus-inventory"),
            Lines(2, "version=1 type=item_used user_id=111 guild_id=0 item=:athletic_shoe: quantity=-1"));
}

TEST_F(Items, an_eggplant_is_31_percent_and_no_more) {
  give("111", ":eggplant:", 1);
  EXPECT_EQ(use("111", "eggplant"), ":eggplant: =0, discombobulate 31 for 600");
  EXPECT_EQ(cli({"GET", "111:discombobulate-buff"}), "31");
  cli({"EXPIRE", "111:discombobulate-buff", "5"});
  give("111", ":eggplant:", 1);
  EXPECT_EQ(use("111", "eggplant"), ":eggplant: =0, discombobulate 31 for 600");
  EXPECT_TRUE(lives("111:discombobulate-buff", 600));
}

TEST_F(Items, a_wand_curses_somebody_else) {
  give("111", ":magic_wand:", 1);
  cli({"SET", "222:vampire-curse", "12", "EX", "5"});
  EXPECT_EQ(use("111", "wand", "222"), ":magic_wand: =0, vampire 12 for 7200");
  EXPECT_EQ(cli({"GET", "222:vampire-curse"}), "12");
  EXPECT_TRUE(lives("222:vampire-curse", 7200));
  EXPECT_EQ(cli({"EXISTS", "111:vampire-curse"}), "0");
  EXPECT_EQ(
      events("ajobus-inventory"),
      Lines{"version=1 type=item_used user_id=111 guild_id=0 item=:magic_wand: quantity=-1 target_id=222"});
}

TEST_F(Items, a_satellite_shows_the_next_five_bombs) {
  give("111", ":satellite:", 2);
  EXPECT_EQ(use("111", "satellite"), ":satellite: =1, bombs");
  for (int i = 1; i <= 7; ++i) {
    cli({"ZADD", "bombs", fmt::to_string(clock.now().value + i * 10'000 - 10'500), fmt::format("p{}", i)});
  }
  // The first bomb is due, but not pending yet.
  EXPECT_EQ(use("111", "satellite"), ":satellite: =0, bombs p1 in 0 p2 in 10 p3 in 20 p4 in 30 p5 in 40");
  EXPECT_EQ(events("ajobus-inventory"),
            Lines(2, "version=1 type=item_used user_id=111 guild_id=0 item=:satellite: quantity=-1"));
}

TEST_F(Items, inspecting_costs_10_points) {
  give("111", 25);
  give("222", ":herb:", 3);
  give("222", ":bone:", 206);
  EXPECT_EQ(inspect("111", "222"), "=15 :bone: 206 :herb: 3");
  EXPECT_EQ(inspect("111", "333"), "=5");
  EXPECT_EQ(balance("111"), "5");
  EXPECT_EQ(events("ajobus"),
            (Lines{"version=1 type=inventory_fee user_id=111 guild_id=0 amount=-10 target_id=222",
                   "version=1 type=inventory_fee user_id=111 guild_id=0 amount=-10 target_id=333"}));
  EXPECT_EQ(inspect("111", "222"), R"(insufficient_balance {"balance":5,"needs":{":garlic:":10}})");
}

TEST_F(Items, an_inventory_may_be_large) {
  give("111", 25);
  std::string expected = "=15";
  for (int i = 1000; i < 3000; ++i) {
    auto const item = fmt::format(":item{}:", i);
    cli({"HSET", "222:inventory", item, fmt::to_string(i)});
    expected += fmt::format(" {} {}", item, i);
  }
  EXPECT_EQ(inspect("111", "222"), expected);
}

TEST_F(Items, one_may_inspect_oneself_down_to_nothing) {
  give("111", 10);
  give("111", ":herb:", 1);
  EXPECT_EQ(inspect("111", "111"), "=0 :herb: 1");
  EXPECT_EQ(balance("111"), "0");
}

TEST_F(Items, refusals_leave_no_trace) {
  auto const own = [](std::string const& item, int count) {
    return Lines{"HSET", "111:inventory", item, fmt::to_string(count)};
  };
  auto const points = [](int count) { return Lines{"ZADD", "lb", fmt::to_string(count), "111"}; };
  refuse_without_a_trace({
      {{own(":herb:", 3)}, [&] { return trade("111", "222", "hreb", 1); }, "unknown_item"},
      {{own(":herb:", 3)}, [&] { return trade("111", "222", ":garlic:", 1); }, "unknown_item"},
      {{own(":herb:", 3)}, [&] { return trade("111", "111", "herb", 1); }, "self_target"},
      {{own(":herb:", 3)}, [&] { return trade("111", "222", "herb", 0); }, "invalid_request quantity"},
      {{own(":herb:", 3)}, [&] { return trade("111", "222", "herb", -2); }, "invalid_request quantity"},
      {{own(":herb:", 3)}, [&] { return trade("111", "222", "herb", 4); }, R"(not_enough_items {"owned":3})"},
      {{}, [&] { return trade("111", "222", "herb", most); }, R"(not_enough_items {"owned":0})"},
      {{own(":magic_wand:", 1)}, [&] { return trade("111", "222", "wand", 1); }, "not_tradable"},
      {{own(":herb:", 1), {"HSET", "222:inventory", ":herb:", "20"}},
       [&] { return trade("111", "222", "herb", 1); },
       R"(stack_full {"owned":20,"max_stack":20})"},
      {{}, [&] { return craft("111", "nothing"); }, "unknown_item"},
      {{own(":bone:", 206)}, [&] { return craft("111", "tooth"); }, "not_craftable"},
      {{points(49)},
       [&] { return craft("111", "necklace"); },
       R"(insufficient_balance {"balance":49,"needs":{":garlic:":50}})"},
      {{points(100), own(":reminder_ribbon:", 1)},
       [&] { return craft("111", "necklace"); },
       R"(stack_full {"owned":1,"max_stack":1})"},
      {{own(":herb:", 3)},
       [&] { return craft("111", "cross"); },
       R"(not_enough_items {"needs":{":herb:":4}})"},
      {{own(":bone:", 5), own(":tooth:", 1)},
       [&] { return craft("111", "wand"); },
       R"(not_enough_items {"needs":{":bone:":5,":tooth:":2}})"},
      {{own(":bone:", 4), own(":tooth:", 2)},
       [&] { return craft("111", "wand"); },
       R"(not_enough_items {"needs":{":bone:":5,":tooth:":2}})"},
      {{}, [&] { return use("111", "nothing"); }, "unknown_item"},
      {{own(":herb:", 1)}, [&] { return use("111", "herb"); }, "not_usable"},
      {{own(":bomb:", 1)}, [&] { return use("111", "bomb"); }, "not_usable"},
      {{own(":reminder_ribbon:", 1)}, [&] { return use("111", "necklace"); }, "not_usable"},
      {{own(":cross:", 1)}, [&] { return use("111", "cross"); }, "not_usable"},
      {{own(":cross:", 1), {"SET", "111:vampire", "1", "EX", "9"}},
       [&] { return use("111", "cross"); },
       "not_usable"},
      {{{"SET", "111:vampire", "5", "EX", "900"}},
       [&] { return use("111", "cross"); },
       R"(not_enough_items {"owned":0})"},
      {{}, [&] { return use("111", "chopsticks"); }, R"(not_enough_items {"owned":0})"},
      {{}, [&] { return use("111", "shoe"); }, R"(not_enough_items {"owned":0})"},
      {{}, [&] { return use("111", "satellite"); }, R"(not_enough_items {"owned":0})"},
      {{own(":athletic_shoe:", 1), {"SET", "111:gain", "9007199254740991"}},
       [&] { return use("111", "shoe"); },
       "not_usable"},
      {{}, [&] { return use("111", "wand", "222"); }, R"(not_enough_items {"owned":0})"},
      {{own(":magic_wand:", 1)}, [&] { return use("111", "wand", "111"); }, "self_target"},
      {{own(":magic_wand:", 1)}, [&] { return use("111", "wand"); }, "invalid_request target"},
      {{own(":athletic_shoe:", 1)}, [&] { return use("111", "shoe", "222"); }, "invalid_request target"},
      {{}, [&] { return plant("111", 60); }, R"(not_enough_items {"owned":0})"},
      {{own(":bomb:", 1)}, [&] { return plant("111", -1); }, "invalid_request seconds"},
      {{own(":bomb:", 1)}, [&] { return plant("111", 28'801); }, "invalid_request seconds"},
      {{points(9)},
       [&] { return inspect("111", "222"); },
       R"(insufficient_balance {"balance":9,"needs":{":garlic:":10}})"},
  });
}

}  // namespace
}  // namespace larder::economy
