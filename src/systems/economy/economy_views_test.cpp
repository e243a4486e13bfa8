// The views of players.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class Views : public EconomyTest {};

TEST_F(Views, the_player_view_shows_everything_at_once) {
  give("222", 50);
  give("111", 7);
  give("111", ":herb:", 3);
  cli({"HSET", "111:inventory", ":bone:", "0"});  // by hand: nobody sees it
  cli({"SET", "111", "Zymna#0001"});
  cli({"SET", "111:vampire", "4", "EX", "500"});
  cli({"SET", "111:gain", "2", "EX", "600"});
  cli({"SET", "111:vampire-curse", "12", "EX", "7200"});
  cli({"SET", "111:daily", "1", "EX", "86400"});
  cli({"SET", "111:discombobulate", "1", "EX", "1800"});
  for (bool const opened : {false, true}) {  // also a Redis filled by hand, before the first move
    if (opened) open();
    auto const view = run(economy.player(realm(), user("111"))).value();
    EXPECT_EQ(view.name, "Zymna#0001");
    EXPECT_EQ(view.balance, 7);
    EXPECT_EQ(view.rank, 2);
    EXPECT_EQ(view.inventory, (Inventory{{":herb:", 3}}));
    EXPECT_EQ(view.vampire_level, 4);
    ASSERT_EQ(view.effects.size(), 2U);
    EXPECT_EQ(view.effects[0].kind, EffectKind::gain);
    EXPECT_EQ(view.effects[0].value, 2);
    EXPECT_NEAR(double(view.effects[0].seconds_left), 590, 10);
    EXPECT_EQ(view.effects[1].kind, EffectKind::vampire);
    EXPECT_EQ(view.effects[1].value, 12);
    EXPECT_NEAR(double(view.cooldowns.at("daily")), 86'390, 10);
    EXPECT_NEAR(double(view.cooldowns.at("discombobulate")), 1'790, 10);
    EXPECT_EQ(view.cooldowns.at("weekly"), 0);
  }
  auto const stranger = run(economy.player(realm(), user("999"))).value();
  EXPECT_EQ(stranger.balance, 0);
  EXPECT_FALSE(stranger.rank);
  EXPECT_FALSE(stranger.name);
  EXPECT_EQ(stranger.vampire_level, 1);
}

TEST_F(Views, a_look_leaves_nothing) {
  auto const before = digest();
  run(economy.player(realm(), user("111"))).value();
  run(economy.leaderboard(realm(), 10, {})).value();
  run(economy.catalogue(realm())).value();
  EXPECT_EQ(digest(), before);
}

TEST_F(Views, the_leaderboard_shows_the_top_or_who_is_around) {
  for (int i = 1; i <= 12; ++i) give(fmt::format("p{}", i), i * 10);
  cli({"SET", "p12", "Best"});
  auto const board = [&](std::int64_t limit, std::optional<UserId> around) {
    Lines lines;
    for (auto const& standing : run(economy.leaderboard(realm(), limit, std::move(around))).value()) {
      lines.push_back(fmt::format("{} {} {} {}", standing.rank, standing.id, standing.name.value_or("-"),
                                  standing.balance));
    }
    return lines;
  };
  EXPECT_EQ(board(3, {}), (Lines{"1 p12 Best 120", "2 p11 - 110", "3 p10 - 100"}));
  EXPECT_EQ(board(10, {}).size(), 10U);
  EXPECT_EQ(board(3, user("p6")), (Lines{"6 p7 - 70", "7 p6 - 60", "8 p5 - 50"}));
  EXPECT_EQ(board(3, user("p12")), (Lines{"1 p12 Best 120", "2 p11 - 110", "3 p10 - 100"}));
  EXPECT_EQ(board(3, user("p1")), (Lines{"11 p2 - 20", "12 p1 - 10"}));
  EXPECT_EQ(board(3, user("nobody")), Lines{});
}

}  // namespace
}  // namespace larder::economy
