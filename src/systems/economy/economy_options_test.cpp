// What a game can have beyond the original one: a cooldown of farms, a bank, and rewards at midnight.
#include "systems/economy/economy_test.hpp"
#include "systems/economy/small_game_test.hpp"

namespace larder::economy {
namespace {

class Options : public EconomyTest {
 protected:
  void load_with_cooldown() {
    load(parsed(small_game(R"("drop_faces": 1)", R"("drop_faces": 1, "cooldown_s": 30)")));
  }
  void load_with_bank() { load(parsed(small_game(R"("max_stack": 50,)", R"("max_stack": 50, "sell": 3,)"))); }
  void load_with_midnight(std::string_view zone, std::int64_t days = 1) {
    load(parsed(small_game(R"("every_s": 60)",
                           fmt::format(R"("every_s": {}, "time_zone": "{}")", days * 86'400, zone))));
  }
  std::string farm(Move move) { return told(economy.farm(std::move(move), "n")); }
  std::string sell(std::string item, std::int64_t quantity) {
    return told(economy.sell(move("111"), std::move(item), quantity));
  }
  void set_clock(std::string_view time) { clock.advance(parse_rfc3339(time).value() - clock.now()); }
};

TEST_F(Options, a_farm_has_to_wait_for_its_cooldown) {
  load_with_cooldown();
  EXPECT_TRUE(farm(move("111")).starts_with("+2 =2"));
  EXPECT_TRUE(lives("111:farm_lock", 30));
  auto const before = digest();
  EXPECT_EQ(farm(move("111")), R"(on_cooldown {"seconds_left":30})");
  EXPECT_EQ(digest(), before);
  EXPECT_EQ(run(economy.player(realm(), user("111"))).value().cooldowns.at("farm"), 30);
  EXPECT_TRUE(farm(move("222")).starts_with("+2 =2"));  // others need not wait
  cli({"DEL", "111:farm_lock"});
  EXPECT_TRUE(farm(move("111")).starts_with("+2 =4"));
}

TEST_F(Options, a_farm_that_a_bomb_spoils_also_has_its_cooldown) {
  load_with_cooldown();
  cli({"SET", "bomb", "999"});
  EXPECT_EQ(farm(move("111")), "+0 =0, bomb of 999 -0");
  EXPECT_EQ(farm(move("111")), R"(on_cooldown {"seconds_left":30})");
}

TEST_F(Options, a_lock_without_an_expiry_gets_one) {
  load_with_cooldown();
  cli({"SET", "111:farm_lock", "1"});
  EXPECT_EQ(farm(move("111")), R"(on_cooldown {"seconds_left":30})");
  EXPECT_TRUE(lives("111:farm_lock", 30));
  EXPECT_EQ(states().back(), "111 .:farm_lock=1 30000");
}

TEST_F(Options, without_a_cooldown_nothing_tells_of_it) {
  EXPECT_TRUE(farm(move("111", 7)).starts_with("+1 =1"));
  EXPECT_TRUE(farm(move("111", 7)).starts_with("+1 =2"));
  EXPECT_FALSE(keys().contains("111:farm_lock"));
  EXPECT_FALSE(run(economy.player(realm(), user("111"))).value().cooldowns.contains("farm"));
}

TEST_F(Options, the_key_of_a_farm_outlives_its_cooldown) {
  load_with_cooldown();
  auto const first = farm(with_key(move("111"), "k"));
  EXPECT_EQ(farm(with_key(move("111"), "k")), first + ", again");
  EXPECT_EQ(farm(with_key(move("111"), "l")), R"(on_cooldown {"seconds_left":30})");
  cli({"DEL", "111:farm_lock"});
  EXPECT_EQ(farm(with_key(move("111"), "l")), R"(on_cooldown {"seconds_left":30}, again)");
}

TEST_F(Options, the_bank_buys_items) {
  give("111", "fish", 5);
  give("111", 10);
  load_with_bank();
  EXPECT_EQ(sell("F", 2), "fish =3 +6 =16");
  EXPECT_EQ(events("ajobus"), (Lines{"version=1 type=sale user_id=111 guild_id=0 amount=6 item=fish"}));
  EXPECT_EQ(events("ajobus-inventory"),
            (Lines{"version=1 type=item_sold user_id=111 guild_id=0 item=fish quantity=-2"}));
  EXPECT_EQ(sell("fish", 3), "fish =0 +9 =25");
  EXPECT_EQ(cli({"EXISTS", "111:inventory"}), "0");
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(Options, a_sale_that_is_refused_leaves_no_trace) {
  give("111", "fish", 5);
  give("111", "sushi", 1);
  give("111", most - 10);
  load_with_bank();
  open();
  auto const before = digest();
  EXPECT_EQ(sell("sword", 1), "unknown_item");
  EXPECT_EQ(sell("sushi", 1), "not_sellable");
  EXPECT_EQ(sell("fish", 6), R"(not_enough_items {"owned":5})");
  EXPECT_EQ(sell("fish", most), R"(not_enough_items {"owned":5})");
  EXPECT_EQ(sell("fish", 4), "balance_limit");
  EXPECT_EQ(sell("fish", 0), "invalid_request quantity");
  EXPECT_EQ(digest(), before);
  EXPECT_EQ(sell("fish", 3), fmt::format("fish =2 +9 ={}", most - 1));
}

TEST_F(Options, a_price_and_a_stack_of_any_size_are_counted_exactly) {
  give("111", "fish", most);
  load(parsed(small_game(R"("max_stack": 50,)", fmt::format(R"("max_stack": 50, "sell": {},)", most))));
  EXPECT_EQ(sell("fish", most), "balance_limit");
  EXPECT_EQ(sell("fish", 2), "balance_limit");
  EXPECT_EQ(sell("fish", 1), fmt::format("fish ={} +{} ={}", most - 1, most, most));
}

TEST_F(Options, the_bank_of_the_shipped_game_buys_nothing) {
  give("111", ":herb:", 5);
  EXPECT_EQ(sell("herb", 1), "not_sellable");
}

TEST_F(Options, a_reward_at_midnight_can_be_claimed_when_the_day_begins_there) {
  load_with_midnight("Europe/Berlin");
  set_clock("2026-01-15T22:00:00Z");
  EXPECT_EQ(told(economy.claim(move("111"), "tide")), "+10 =10");
  EXPECT_TRUE(lives("111:tide", 3600));
  EXPECT_EQ(states().back(), "111 .:tide=1 3600000");
  EXPECT_TRUE(told(economy.claim(move("111"), "tide")).starts_with("reward_not_ready"));
  cli({"DEL", "111:tide"});
  set_clock("2026-01-15T23:00:00Z");
  EXPECT_EQ(told(economy.claim(move("111"), "tide")), "+10 =20");
  EXPECT_TRUE(lives("111:tide", 24 * 3600));
}

TEST_F(Options, a_day_of_23_or_25_hours_is_as_long_as_it_is) {
  load_with_midnight("Europe/Berlin");
  set_clock("2026-03-28T23:00:00Z");
  EXPECT_EQ(told(economy.claim(move("111"), "tide")), "+10 =10");
  EXPECT_TRUE(lives("111:tide", 23 * 3600));
  set_clock("2026-10-24T22:00:00Z");
  EXPECT_EQ(told(economy.claim(move("222"), "tide")), "+10 =10");
  EXPECT_TRUE(lives("222:tide", 25 * 3600));
}

TEST_F(Options, a_weekly_reward_comes_at_the_seventh_midnight) {
  load_with_midnight("America/New_York", 7);
  set_clock("2026-01-15T04:59:59Z");  // still the 14th
  EXPECT_EQ(told(economy.claim(move("111"), "tide")), "+10 =10");
  EXPECT_TRUE(lives("111:tide", 6 * 86'400 + 1));
}

TEST_F(Options, a_rewards_key_without_an_expiry_ends_at_midnight) {
  load_with_midnight("UTC");
  set_clock("2026-01-15T23:00:00Z");
  cli({"SET", "111:tide", "1"});
  EXPECT_EQ(told(economy.claim(move("111"), "tide")), R"(reward_not_ready {"seconds_left":3600})");
  EXPECT_TRUE(lives("111:tide", 3600));
}

}  // namespace
}  // namespace larder::economy
