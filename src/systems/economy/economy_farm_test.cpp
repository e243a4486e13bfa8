// Farming: its answers, finds and vampires, and the keys and events that it leaves.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

// Seeds for a player who farms with at least 50 points: what is found, and whether a vampire comes.
constexpr std::int64_t faces = 100'000;
bool nothing_found(Dice& dice) { return dice.draw(1, faces) > 11'351; }
bool no_vampire(Dice& dice) { return dice.draw(0, 99) > 60; }
std::uint32_t quiet_seed() {
  return seed_where([](Dice& dice) { return nothing_found(dice) && no_vampire(dice); });
}
// For poor players, who find nothing, the first roll is the vampire's.
std::uint32_t poor_quiet_seed() { return seed_where(no_vampire); }
std::uint32_t poor_vampire_seed(std::int64_t roll = 0) {
  return seed_where([roll](Dice& dice) { return dice.draw(0, 99) == roll; });
}
// A vampire comes, nothing is found, and this percentage is drawn.
std::uint32_t bite_seed(std::int64_t low, std::int64_t high, std::int64_t percent) {
  return seed_where([&](Dice& dice) {
    return nothing_found(dice) && dice.draw(0, 99) == 0 && dice.draw(low, high) == percent;
  });
}
std::uint32_t drop_seed(std::int64_t from, std::int64_t to) {
  return seed_where([&](Dice& dice) {
    auto const roll = dice.draw(1, faces);
    return roll >= from && roll <= to && no_vampire(dice);
  });
}

class Farming : public EconomyTest {
 protected:
  std::string farm(std::string_view player, std::uint32_t seed) {
    return told(economy.farm(move(player, seed), std::string(player) + "#1"));
  }
};

TEST_F(Farming, gives_a_point_and_keeps_the_name) {
  auto with_guild = move("111", poor_quiet_seed());
  with_guild.guild_id = user("900");
  EXPECT_EQ(told(economy.farm(with_guild, "Zymna#0001")), "+1 =1");
  EXPECT_EQ(cli({"TYPE", "lb"}), "zset");
  EXPECT_EQ(balance("111"), "1");
  EXPECT_EQ(cli({"TYPE", "111"}), "string");
  EXPECT_EQ(cli({"GET", "111"}), "Zymna#0001");
  EXPECT_EQ(cli({"TTL", "111"}), "-1");
  EXPECT_EQ(cli({"TYPE", "ajobus"}), "stream");
  EXPECT_EQ(events("ajobus"), Lines{"version=1 type=farm user_id=111 guild_id=900 amount=1"});
  EXPECT_EQ(cli({"EXISTS", "111:vampire", "111:inventory"}), "0");
}

TEST_F(Farming, refreshes_the_name_when_it_differs) {
  run(economy.farm(move("111", poor_quiet_seed()), "Zymna#0001"));
  cli({"EXPIRE", "111", "1000"});
  run(economy.farm(move("111", poor_quiet_seed()), "Zymna#0001"));
  EXPECT_TRUE(lives("111", 1000));  // the key was not written again
  run(economy.farm(move("111", poor_quiet_seed()), "Axl 🧄\n\"x\""));
  EXPECT_EQ(cli({"GET", "111"}), "Axl 🧄\n\"x\"");
  EXPECT_EQ(cli({"TTL", "111"}), "-1");
  EXPECT_EQ(run(economy.player(realm(), user("111")))->name, "Axl 🧄\n\"x\"");
}

TEST_F(Farming, gives_the_value_of_the_gain_effect) {
  cli({"SET", "111:gain", "3", "EX", "600"});
  EXPECT_EQ(farm("111", poor_quiet_seed()), "+3 =3");
  EXPECT_EQ(events("ajobus"), Lines{"version=1 type=farm user_id=111 guild_id=0 amount=3"});
}

TEST_F(Farming, finds_items_by_walking_the_drop_table) {
  // The first and the last face of each item, in the order of the catalogue.
  std::int64_t sum = 0;
  for (auto const& item : ajo_catalogue()->items) {
    if (item.drop == 0) continue;
    for (auto const roll : {sum + 1, sum + item.drop}) {
      cli({"FLUSHALL"});
      give("111", 49);
      EXPECT_EQ(farm("111", drop_seed(roll, roll)), fmt::format("+1 =50, found {} =1", item.id)) << roll;
      EXPECT_EQ(count("111", item.id), "1");
      auto const cause = run(events::read_events(redis, "ajobus", "-", "+", 10)).back();
      EXPECT_EQ(*cause.find("type"), "farm");
      EXPECT_EQ(events("ajobus-inventory"),
                Lines{fmt::format("version=1 type=item_earned user_id=111 guild_id=0 item={} quantity=1 "
                                  "trigger=farm trigger_id={}",
                                  item.id, cause.id)});
    }
    sum += item.drop;
  }
  EXPECT_EQ(sum, 11'351);
  EXPECT_EQ(farm("111", drop_seed(sum + 1, sum + 1)), "+1 =51");
  EXPECT_EQ(cli({"TYPE", "111:inventory"}), "hash");
}

TEST_F(Farming, finds_nothing_below_50_points) {
  give("111", 48);
  // There is only one roll, for the vampire.
  auto const farmed = run(economy.farm(move("111", poor_quiet_seed()), "n")).value().what;
  EXPECT_EQ(brief(farmed), "+1 =49");
  EXPECT_EQ(farmed.roll.values.size(), 1U);
}

TEST_F(Farming, finds_nothing_of_which_there_is_a_full_stack) {
  give("111", 100);
  give("111", ":herb:", 19);
  auto const herb = drop_seed(1652, 5651);
  EXPECT_EQ(farm("111", herb), "+1 =101, found :herb: =20");
  EXPECT_EQ(farm("111", herb), "+1 =102");
  EXPECT_EQ(count("111", ":herb:"), "20");
  cli({"HSET", "111:inventory", ":herb:", "25"});  // by hand, more than the largest stack
  EXPECT_EQ(farm("111", herb), "+1 =103");
  EXPECT_EQ(events("ajobus-inventory").size(), 1U);
}

TEST_F(Farming, meets_vampires_whose_level_rises) {
  struct Case {
    std::int64_t level, low, high, percent, damage, ttl;
  };
  for (auto const& [level, low, high, percent, damage, ttl] :
       {Case{1, 2, 2, 2, 20'001, 1200},          // 1.2 % to 2 %
        Case{2, 3, 4, 3, 30'001, 1800},          // 2.4 % to 4 %
        Case{2, 3, 4, 4, 40'001, 1800},          //
        Case{10, 12, 20, 12, 120'001, 6600},     //
        Case{11, 14, 22, 22, 220'001, 7200},     // 13.2 %; 12 x 600 s is the longest
        Case{25, 30, 40, 30, 300'001, 7200},     // both at their limits
        Case{69, 30, 40, 40, 400'001, 7200}}) {  //
    cli({"FLUSHALL"});
    give("111", 1'000'000);
    if (level > 1) cli({"SET", "111:vampire", fmt::to_string(level), "EX", "50"});
    auto const farmed = run(economy.farm(move("111", bite_seed(low, high, percent)), "n")).value().what;
    EXPECT_EQ(brief(farmed), fmt::format("+1 ={}, vampire {} -{}", 1'000'001 - damage, level, damage));
    EXPECT_EQ(farmed.roll.values, (std::vector{farmed.roll.values.at(0), std::int64_t(0), percent}));
    EXPECT_EQ(cli({"TYPE", "111:vampire"}), "string");
    EXPECT_EQ(cli({"GET", "111:vampire"}), fmt::to_string(level + 1));
    EXPECT_TRUE(lives("111:vampire", ttl));
    EXPECT_EQ(events("ajobus"),
              (Lines{"version=1 type=farm user_id=111 guild_id=0 amount=1",
                     fmt::format("version=1 type=vampire user_id=111 guild_id=0 amount=-{} level={}", damage,
                                 level)}));
  }
}

TEST_F(Farming, meets_a_vampire_when_the_chance_is_not_below_the_roll) {
  struct Case {
    std::int64_t level, curse, last_roll;
  };
  for (auto const& [level, curse, last_roll] :
       {Case{1, 0, 1}, Case{1, 12, 13}, Case{2, 0, 6}, Case{2, 12, 18}, Case{10, 0, 20}, Case{10, 12, 32},
        Case{69, 0, 36}, Case{69, 12, 48}}) {
    for (auto const roll : {last_roll, last_roll + 1}) {
      cli({"FLUSHALL"});
      cli({"SET", "111:vampire", fmt::to_string(level), "EX", "50"});
      if (curse > 0) cli({"SET", "111:vampire-curse", fmt::to_string(curse), "EX", "50"});
      auto const farmed = run(economy.farm(move("111", poor_vampire_seed(roll)), "n")).value().what;
      EXPECT_EQ(farmed.vampire.has_value(), roll == last_roll) << level << " " << curse << " " << roll;
    }
  }
}

TEST_F(Farming, a_vampire_takes_the_last_point) {
  EXPECT_EQ(farm("111", poor_vampire_seed()), "+1 =0, vampire 1 -1");
  EXPECT_EQ(balance("111"), "0");
  EXPECT_EQ(cli({"GET", "111:vampire"}), "2");
}

TEST_F(Farming, a_vampire_only_refreshes_its_time_for_a_player_without_points) {
  cli({"SET", "111:gain", "0"});
  cli({"SET", "111:vampire", "2", "EX", "50"});
  EXPECT_EQ(farm("111", poor_vampire_seed()), "+0 =0, vampire 2 -0");
  EXPECT_EQ(cli({"GET", "111:vampire"}), "2");
  EXPECT_TRUE(lives("111:vampire", 1200));
  EXPECT_EQ(events("ajobus"), Lines{});
}

TEST_F(Farming, a_necklace_is_used_up_in_place_of_points) {
  give("111", 10);
  give("111", ":reminder_ribbon:", 1);
  auto const farmed = run(economy.farm(move("111", poor_vampire_seed()), "n")).value().what;
  EXPECT_EQ(brief(farmed), "+1 =11, vampire 1 -0 guarded");
  EXPECT_EQ(farmed.roll.values, std::vector<std::int64_t>{0});
  EXPECT_EQ(cli({"EXISTS", "111:inventory"}), "0");
  EXPECT_EQ(cli({"GET", "111:vampire"}), "2");
  EXPECT_TRUE(lives("111:vampire", 1200));
  EXPECT_EQ(events("ajobus-inventory"), Lines{"version=1 type=item_used user_id=111 guild_id=0 "
                                              "item=:reminder_ribbon: quantity=-1 trigger=vampire"});
  EXPECT_EQ(events("ajobus"), Lines{"version=1 type=farm user_id=111 guild_id=0 amount=1"});
}

TEST_F(Farming, gives_nothing_above_vampire_level_69) {
  give("111", 100);
  cli({"SET", "111:vampire", "70", "EX", "7200"});
  cli({"SET", "bomb", "222"});
  open();
  auto const farmed = run(economy.farm(move("111", quiet_seed()), "n")).value().what;
  EXPECT_EQ(brief(farmed), "+0 =100");
  EXPECT_EQ(farmed.roll.values.size(), 0U);
  EXPECT_EQ(cli({"GET", "bomb"}), "222");  // it waits for a player who can farm
  EXPECT_EQ(cli({"GET", "111"}), "n");
  EXPECT_EQ(events("ajobus"), Lines{});
  cli({"SET", "111:vampire", "70"});  // by hand, without an expiry
  EXPECT_EQ(farm("111", quiet_seed()), "+0 =100");
  EXPECT_TRUE(lives("111:vampire", 7200));
  cli({"SET", "111:vampire", "69", "EX", "7200"});
  EXPECT_EQ(farm("111", quiet_seed()), "+0 =82, bomb of 222 -18");
}

TEST_F(Farming, a_pending_bomb_goes_off_on_whoever_farms_next) {
  for (auto const& [owned, damage] : {std::pair<std::int64_t, std::int64_t>{100, 18},
                                      {5, 0},
                                      {6, 1},
                                      {0, 0},
                                      {most, 1'621'295'865'853'378}}) {
    cli({"FLUSHALL"});
    if (owned > 0) give("111", owned);
    cli({"SET", "bomb", "222"});
    EXPECT_EQ(farm("111", quiet_seed()), fmt::format("+0 ={}, bomb of 222 -{}", owned - damage, damage));
    EXPECT_EQ(cli({"EXISTS", "bomb"}), "0");
    EXPECT_EQ(cli({"GET", "111"}), "111#1");
    EXPECT_EQ(events("ajobus"),
              damage == 0
                  ? Lines{}
                  : Lines{fmt::format("version=1 type=bomb user_id=111 guild_id=0 amount=-{} owner_id=222",
                                      damage)});
  }
  EXPECT_EQ(farm("333", poor_quiet_seed()), "+1 =1");  // the bomb goes off once
}

TEST_F(Farming, a_bomb_goes_off_on_its_owner_as_well) {
  give("222", 100);
  cli({"SET", "bomb", "222"});
  EXPECT_EQ(farm("222", quiet_seed()), "+0 =82, bomb of 222 -18");
}

TEST_F(Farming, is_refused_at_the_largest_balance) {
  give("111", most);
  open();
  auto const before = digest();
  EXPECT_EQ(farm("111", quiet_seed()), "balance_limit");
  EXPECT_EQ(digest(), before);
}

TEST_F(Farming, reaches_the_largest_balance_and_is_bitten_exactly) {
  give("111", most - 1);
  // 2 % rounded up
  EXPECT_EQ(farm("111", bite_seed(2, 2, 2)),
            fmt::format("+1 ={}, vampire 1 -180143985094820", most - 180'143'985'094'820));
  EXPECT_EQ(balance("111"), "8827055269646171");
}

TEST_F(Farming, is_refused_for_an_id_under_which_something_else_lies) {
  open();
  auto const before = digest();
  for (std::string const id : {"lb",
                               "ajobus",
                               "ajobus-inventory",
                               "drop-rate",
                               "bomb",
                               "bomb-due",
                               "bombs",
                               "bombs-schedule",
                               "catalogue",
                               "catalogue-data",
                               "catalogue-source",
                               "items",
                               "craft",
                               "once",
                               "roulette",
                               "events",
                               "score_outbox",
                               "line",
                               "waiting",
                               "index",
                               "caught_up"}) {
    EXPECT_TRUE(problem_of_player(user(id))) << id;
    EXPECT_EQ(farm(id, 1), "invalid_request id") << id;
  }
  EXPECT_EQ(digest(), before);
  for (std::string const id : {"111", "lb2", "LB", "Bomb", "score", "default"}) {
    EXPECT_FALSE(problem_of_player(user(id))) << id;
  }
}

}  // namespace
}  // namespace larder::economy
