// Bombs: planted, due, and pending until somebody farms.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class Bombs : public EconomyTest {
 protected:
  TimeMs plant_in(std::string_view player, std::int64_t seconds) {
    give(player, ":bomb:", 1);
    return run(economy.plant_bomb(move(player), seconds)).value().what.due;
  }
  void arm(std::string_view player) {
    run(economy.arm_bomb(run(economy.open(realm())).value(), user(player)));
  }
  void advance_to(TimeMs time) { clock.advance(time - clock.now()); }
  std::string pending() { return cli({"GET", "bomb"}); }
  std::string farm(std::string_view player) { return told(economy.farm(move(player), "n")); }
};

TEST_F(Bombs, a_planted_one_is_used_up_and_due_around_its_time) {
  for (auto const& [seconds, spread_ms] : {std::pair<std::int64_t, std::int64_t>{1000, -210'000},
                                           {1000, 210'000},
                                           {28'800, 5},
                                           {210, -210'000},
                                           {209, -210'000},
                                           {0, -1},
                                           {0, 210'000}}) {
    cli({"FLUSHALL"});
    give("111", ":bomb:", 1);
    auto const seed = seed_where(
        [&, spread = spread_ms](Dice& dice) { return std::abs(dice.draw(-210'000, 210'000) - spread) < 20; });
    auto const drawn = Dice(seed).draw(-210'000, 210'000);
    auto const planted = run(economy.plant_bomb(move("111", seed), seconds)).value().what;
    EXPECT_EQ(planted.left, 0);
    EXPECT_EQ(planted.about - clock.now(), seconds * 1000);
    EXPECT_EQ(planted.within_s, 210);
    EXPECT_EQ(planted.roll.values, std::vector{drawn});
    // Close to the requested time, but never before it was planted.
    EXPECT_EQ(planted.due - clock.now(), std::max<std::int64_t>(seconds * 1000 + drawn, 0));
    EXPECT_EQ(cli({"ZRANGE", "bombs", "0", "-1", "WITHSCORES"}), fmt::format("111\n{}", planted.due.value));
    EXPECT_EQ(cli({"ZSCORE", "bombs-schedule", "111"}), fmt::to_string(planted.due.value));
    EXPECT_EQ(cli({"EXISTS", "111:inventory", "bomb"}), "0");
    EXPECT_EQ(events("ajobus-inventory"),
              Lines{"version=1 type=item_used user_id=111 guild_id=0 item=:bomb: quantity=-1 trigger=bomb"});
  }
}

TEST_F(Bombs, the_schedule_makes_it_pending_when_it_is_due) {
  run(background.start());
  give("222", 50);
  auto const due = plant_in("111", 3600);
  advance_to(due + -1);
  arm("111");  // too early: changes nothing
  EXPECT_EQ(pending(), "");
  EXPECT_EQ(cli({"ZSCORE", "bombs-schedule", "111"}), fmt::to_string(due.value));
  EXPECT_EQ(farm("222").substr(0, 2), "+1");
  advance_to(due);
  EXPECT_TRUE(test::eventually(io, [&] { return pending() == "111"; }));
  EXPECT_EQ(cli({"EXISTS", "bombs", "bombs-schedule"}), "0");
  EXPECT_EQ(cli({"GET", "bomb-due"}), fmt::to_string(due.value));
  EXPECT_TRUE(farm("222").starts_with("+0 ="));
  EXPECT_EQ(pending(), "");
  run(background.stop());
}

TEST_F(Bombs, one_that_a_dead_server_had_claimed_comes_when_the_lease_is_over) {
  auto const due = plant_in("111", 3600);
  advance_to(due);
  schedule::DueSet set(redis, "bombs-schedule");
  EXPECT_EQ(run(set.claim(clock.now(), 30'000ms, 10)).members.size(), 1U);
  run(background.start());
  clock.advance(29'999);
  io.restart();
  io.run_for(50ms);
  EXPECT_EQ(pending(), "");
  EXPECT_EQ(cli({"ZCARD", "bombs"}), "1");
  clock.advance(1);
  EXPECT_TRUE(test::eventually(io, [&] { return pending() == "111"; }));
  run(background.stop());
}

TEST_F(Bombs, a_new_one_takes_the_place_of_the_player_s_old_one) {
  plant_in("111", 20'000);
  auto const due = plant_in("111", 4'000);
  EXPECT_EQ(cli({"ZRANGE", "bombs", "0", "-1", "WITHSCORES"}), fmt::format("111\n{}", due.value));
  EXPECT_EQ(cli({"ZRANGE", "bombs-schedule", "0", "-1", "WITHSCORES"}), fmt::format("111\n{}", due.value));
}

TEST_F(Bombs, one_that_is_replaced_while_it_is_in_hand_does_not_come) {
  auto const first = plant_in("111", 3'600);
  advance_to(first);
  schedule::DueSet set(redis, "bombs-schedule");
  run(set.claim(clock.now(), 30'000ms, 10));
  auto const second = plant_in("111", 3'600);
  arm("111");
  EXPECT_EQ(pending(), "");
  EXPECT_EQ(cli({"ZSCORE", "bombs-schedule", "111"}), fmt::to_string(second.value));
  advance_to(second);
  arm("111");
  arm("111");  // the second call changes nothing
  EXPECT_EQ(pending(), "111");
}

TEST_F(Bombs, of_several_the_one_due_last_is_pending_in_whatever_order_they_come) {
  for (auto const& order :
       {Lines{"111", "222", "333"}, Lines{"333", "222", "111"}, Lines{"222", "333", "111"}}) {
    cli({"FLUSHALL"});
    auto const first = plant_in("111", 1'000);
    auto const second = plant_in("222", 2'000);
    auto const third = plant_in("333", 3'000);
    ASSERT_TRUE(first < second && second < third);
    advance_to(third);
    for (auto const& player : order) arm(player);
    EXPECT_EQ(pending(), "333");
    EXPECT_EQ(cli({"EXISTS", "bombs", "bombs-schedule"}), "0");
  }
}

TEST_F(Bombs, one_that_comes_late_is_not_lost_because_a_later_one_has_gone_off) {
  auto const first = plant_in("111", 1'000);
  auto const second = plant_in("222", 2'000);
  advance_to(second);
  arm("222");
  EXPECT_TRUE(farm("444").ends_with("bomb of 222 -0"));
  arm("111");
  EXPECT_EQ(pending(), "111");
  EXPECT_LT(first, second);
}

}  // namespace
}  // namespace larder::economy
