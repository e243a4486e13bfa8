// The other moves with points: their answers, and the keys and events that they leave.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

std::uint32_t win_seed(std::int64_t r) {
  return seed_where([r](Dice& dice) { return dice.draw(1, 4) == 1 && dice.draw(1, 100) == r; });
}
std::uint32_t loss_seed() {
  return seed_where([](Dice& dice) { return dice.draw(1, 4) != 1; });
}
std::uint32_t percent_seed(std::int64_t percent) {
  return seed_where([percent](Dice& dice) { return dice.draw(69, 200) == percent; });
}

class Moves : public EconomyTest {
 protected:
  std::string pay(std::string_view from, std::string_view to, std::int64_t points) {
    return told(economy.pay(move(from), user(to), amount(points)));
  }
  std::string gamble(std::string_view player, std::optional<std::int64_t> points, std::uint32_t seed) {
    return told(economy.gamble(move(player, seed), points ? std::optional(amount(*points)) : std::nullopt));
  }
  std::string discombobulate(std::string_view player, std::string_view target, std::int64_t offer,
                             std::int64_t percent) {
    return told(economy.discombobulate(move(player, percent_seed(percent)), user(target), amount(offer)));
  }
};

TEST_F(Moves, paying_moves_points) {
  give("222", 5);
  EXPECT_EQ(pay("222", "111", 4), "=1 to =4");
  EXPECT_EQ(balance("222"), "1");
  EXPECT_EQ(balance("111"), "4");
  EXPECT_EQ(events("ajobus"), (Lines{"version=1 type=payer user_id=222 guild_id=0 amount=-4 payee_id=111",
                                     "version=1 type=payee user_id=111 guild_id=0 amount=4 payer_id=222"}));
  EXPECT_EQ(pay("222", "111", 1), "=0 to =5");
  EXPECT_EQ(balance("222"), "0");  // and still on the leaderboard
}

TEST_F(Moves, paying_is_exact_up_to_the_largest_amount) {
  give("111", most);
  EXPECT_EQ(pay("111", "222", most), fmt::format("=0 to ={}", most));
  EXPECT_EQ(balance("222"), "9007199254740991");
  EXPECT_EQ(pay("222", "111", 1), fmt::format("={} to =1", most - 1));
  EXPECT_EQ(pay("222", "111", most - 1), fmt::format("=0 to ={}", most));
  EXPECT_EQ(events("ajobus").back(),
            "version=1 type=payee user_id=111 guild_id=0 amount=9007199254740990 payer_id=222");
}

// Redis writes some whole scores with an exponent.
TEST_F(Moves, a_score_may_have_an_exponent) {
  for (std::string const score : {"1e+15", "1000000000000000"}) {
    cli({"FLUSHALL"});
    cli({"ZADD", "lb", score, "111"});
    EXPECT_EQ(pay("111", "222", 1), "=999999999999999 to =1");
  }
}

TEST_F(Moves, a_reward_comes_once_in_its_time) {
  for (auto const& [reward, points, seconds] :
       {std::tuple{"daily", 32, 86'400}, std::tuple{"weekly", 256, 604'800}}) {
    cli({"FLUSHALL"});
    auto const key = fmt::format("111:{}", reward);
    EXPECT_EQ(told(economy.claim(move("111"), reward)), fmt::format("+{0} ={0}", points));
    EXPECT_EQ(cli({"TYPE", key}), "string");
    EXPECT_EQ(cli({"GET", key}), "1");
    EXPECT_TRUE(lives(key, seconds));
    EXPECT_EQ(events("ajobus"),
              Lines{fmt::format("version=1 type=timely_reward user_id=111 guild_id=0 amount={} reward={}",
                                points, reward)});
    cli({"PEXPIRE", key, "5000"});
    EXPECT_EQ(told(economy.claim(move("111"), reward)), R"(reward_not_ready {"seconds_left":5})");
    cli({"PERSIST", key});  // by hand, without an expiry
    EXPECT_EQ(told(economy.claim(move("111"), reward)),
              fmt::format(R"(reward_not_ready {{"seconds_left":{}}})", seconds));
    EXPECT_TRUE(lives(key, seconds));  // from now on it ends
    EXPECT_EQ(balance("111"), fmt::to_string(points));
    cli({"DEL", key});  // the interval is over
    EXPECT_EQ(told(economy.claim(move("111"), reward)), fmt::format("+{} ={}", points, 2 * points));
  }
}

TEST_F(Moves, a_gamble_wins_r_fortieths_rounded_up_or_loses_all) {
  struct Case {
    std::int64_t owned, amount, r, change;  // r 0: the gamble is lost
  };
  for (auto const& [owned, amount, r, change] :
       {Case{100, 20, 40, 20}, Case{100, 20, 100, 50}, Case{100, 20, 1, 1}, Case{100, 1, 1, 1},
        Case{100, 100, 41, 103}, Case{100, 100, 0, -100}, Case{100, 1, 0, -1},
        Case{5'000'000'000'000'001, 4'000'000'000'000'001, 1, 100'000'000'000'001},
        Case{most, most, 0, -most}}) {
    cli({"FLUSHALL"});
    give("111", owned);
    EXPECT_EQ(gamble("111", amount, r == 0 ? loss_seed() : win_seed(r)),
              fmt::format("{:+} ={}", change, owned + change));
    EXPECT_EQ(balance("111"), fmt::to_string(owned + change));
    EXPECT_EQ(events("ajobus"),
              Lines{fmt::format("version=1 type=gamble user_id=111 guild_id=0 amount={}", change)});
  }
}

TEST_F(Moves, a_gamble_for_all_takes_the_balance) {
  give("111", 80);
  EXPECT_EQ(gamble("111", {}, win_seed(1)), "+2 =82");
  EXPECT_EQ(gamble("111", {}, loss_seed()), "-82 =0");
  EXPECT_EQ(gamble("111", {}, loss_seed()), R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})");
}

TEST_F(Moves, discombobulating_burns_points_on_both_sides) {
  give("111", 1000);
  give("222", 100);
  EXPECT_EQ(discombobulate("111", "222", 35, 120), "-42 =965 target =58 locked 216000");
  EXPECT_EQ(balance("111"), "965");
  EXPECT_EQ(balance("222"), "58");
  EXPECT_EQ(cli({"TYPE", "111:discombobulate"}), "string");
  EXPECT_TRUE(lives("111:discombobulate", 216'000));
  EXPECT_EQ(events("ajobus"),
            (Lines{"version=1 type=discombobulator user_id=111 guild_id=0 amount=-35 target_id=222",
                   "version=1 type=discombobulatee user_id=222 guild_id=0 amount=-42 source_id=111"}));
  cli({"PEXPIRE", "111:discombobulate", "9500"});
  EXPECT_EQ(discombobulate("111", "222", 35, 120), R"(on_cooldown {"seconds_left":10})");
}

TEST_F(Moves, discombobulating_does_what_the_percentage_says) {
  struct Case {
    std::int64_t mine, theirs, offer, percent, buff, damage;
  };
  for (auto const& [mine, theirs, offer, percent, buff, damage] :
       {Case{100, 100, 36, 69, 0, 24},    // 24.84
        Case{100, 100, 36, 200, 0, 72},   //
        Case{100, 100, 50, 200, 0, 100},  // all points of the target
        Case{100, 100, 51, 200, 0, 100},  // no more than the target owns
        Case{100, 100, 36, 69, 31, 36},   //
        Case{100, 100, 36, 200, 31, 83},  // 83.16
        Case{100, 1, 1, 69, 0, 0},        // 0.69 is rounded down
        Case{100, 0, 1, 100, 0, 0},       //
        Case{most, most, most, 69, 0, 6'214'967'485'771'283}, Case{most, most, most, 200, 31, most}}) {
    cli({"FLUSHALL"});
    give("111", mine);
    if (theirs > 0) give("222", theirs);
    if (buff > 0) cli({"SET", "111:discombobulate-buff", fmt::to_string(buff), "EX", "600"});
    EXPECT_EQ(
        discombobulate("111", "222", offer, percent),
        fmt::format("-{} ={} target ={} locked {}", damage, mine - offer, theirs - damage, percent * 1800));
    EXPECT_EQ(balance("111"), fmt::to_string(mine - offer));
    if (theirs > 0) EXPECT_EQ(balance("222"), fmt::to_string(theirs - damage));
    EXPECT_EQ(events("ajobus").size(), damage > 0 ? 2U : 1U);
  }
}

TEST_F(Moves, the_least_offer_is_35_percent_rounded_up) {
  for (auto const& [theirs, minimum] : {std::pair<std::int64_t, std::int64_t>{100, 35},
                                        {101, 36},
                                        {3, 2},
                                        {1, 1},
                                        {most, 3'152'519'739'159'347}}) {
    cli({"FLUSHALL"});
    give("111", most);
    give("222", theirs);
    open();
    auto const before = digest();
    if (minimum > 1) {
      EXPECT_EQ(discombobulate("111", "222", minimum - 1, 100),
                fmt::format(R"(offer_too_low {{"minimum":{}}})", minimum));
    }
    EXPECT_EQ(digest(), before);
    EXPECT_TRUE(discombobulate("111", "222", minimum, 100).starts_with("-"));
  }
}

TEST_F(Moves, a_roulette_takes_everything_at_its_hidden_number) {
  for (std::int64_t number = 1; number <= 6; ++number) {
    cli({"FLUSHALL"});
    give("111", 70);
    auto const seed = seed_where([&](Dice& dice) { return dice.draw(1, 6) == number; });
    auto const id = run(economy.start_roulette(move("x", seed))).value().what;
    auto const key = "roulette:" + id.str();
    EXPECT_EQ(cli({"TYPE", key}), "hash");
    EXPECT_TRUE(lives(key, 600));
    for (std::int64_t shot = 1; shot < number; ++shot) {
      EXPECT_EQ(told(economy.shoot(move(shot % 2 ? "111" : "222"), id)),
                shot % 2 ? "survived -0 =70" : "survived -0 =0");
    }
    EXPECT_TRUE(lives(key, 600));  // shots do not extend its life
    auto const last = run(economy.shoot(move("111"), id)).value().what;
    EXPECT_EQ(brief(last), "shot -70 =0");
    EXPECT_EQ(last.roll->seed, seed);
    EXPECT_EQ(last.roll->values, std::vector{number});
    EXPECT_EQ(cli({"EXISTS", key}), "0");
    EXPECT_EQ(balance("111"), "");  // no longer on the leaderboard
    EXPECT_EQ(
        events("ajobus"),
        Lines{fmt::format("version=1 type=ded user_id=111 guild_id=0 amount=-70 roulette_id={}", id.str())});
    EXPECT_EQ(told(economy.shoot(move("111"), id)), "roulette_not_found");
  }
}

TEST_F(Moves, who_owns_nothing_is_shot_without_an_event) {
  auto const id =
      run(economy.start_roulette(move("x", seed_where([](Dice& dice) { return dice.draw(1, 6) == 1; }))));
  EXPECT_EQ(told(economy.shoot(move("111"), id->what)), "shot -0 =0");
  EXPECT_EQ(events("ajobus"), Lines{});
}

TEST_F(Moves, a_lock_without_an_expiry_ends) {
  give("111", 50);
  cli({"SET", "111:discombobulate", "1"});  // by hand
  EXPECT_EQ(discombobulate("111", "222", 5, 100), R"(on_cooldown {"seconds_left":360000})");
  EXPECT_TRUE(lives("111:discombobulate", 360'000));
}

TEST_F(Moves, refusals_leave_no_trace) {
  auto const claim = [&] { return told(economy.claim(move("111"), "daily")); };
  auto const roulette = RouletteId::from("0123456789abcdef").value();
  auto const large = fmt::to_string(most);
  refuse_without_a_trace({
      {{},
       [&] { return pay("111", "222", 1); },
       R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})"},
      {{{"ZADD", "lb", "3", "111"}},
       [&] { return pay("111", "222", 4); },
       R"(insufficient_balance {"balance":3,"needs":{":garlic:":4}})"},
      {{{"ZADD", "lb", "3", "111"}}, [&] { return pay("111", "111", 1); }, "self_target"},
      {{{"ZADD", "lb", "3", "111"}}, [&] { return pay("111", "222", 0); }, "invalid_request amount"},
      {{{"ZADD", "lb", "1", "111", large, "222"}}, [&] { return pay("111", "222", 1); }, "balance_limit"},
      {{{"SET", "111:daily", "1", "EX", "100"}}, claim, R"(reward_not_ready {"seconds_left":100})"},
      {{{"ZADD", "lb", "9007199254740960", "111"}}, claim, "balance_limit"},
      {{}, [&] { return told(economy.claim(move("111"), "hourly")); }, "reward_not_found"},
      {{}, [&] { return told(economy.claim(move("111"), "inventory")); }, "reward_not_found"},
      {{},
       [&] { return gamble("111", {}, 1); },
       R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})"},
      {{{"ZADD", "lb", "5", "111"}},
       [&] { return gamble("111", 6, 1); },
       R"(insufficient_balance {"balance":5,"needs":{":garlic:":6}})"},
      {{{"ZADD", "lb", "5", "111"}}, [&] { return gamble("111", 0, 1); }, "invalid_request amount"},
      {{{"ZADD", "lb", large, "111"}}, [&] { return gamble("111", 1, win_seed(1)); }, "balance_limit"},
      {{{"ZADD", "lb", large, "111"}}, [&] { return gamble("111", {}, win_seed(100)); }, "balance_limit"},
      {{{"ZADD", "lb", "5", "111", "5", "222"}, {"SET", "111:discombobulate", "1", "EX", "77"}},
       [&] { return discombobulate("111", "222", 5, 100); },
       R"(on_cooldown {"seconds_left":77})"},
      {{{"ZADD", "lb", "5", "111", "5", "222"}},
       [&] { return discombobulate("111", "222", 6, 100); },
       R"(insufficient_balance {"balance":5,"needs":{":garlic:":6}})"},
      {{{"ZADD", "lb", "5", "111"}}, [&] { return discombobulate("111", "111", 5, 100); }, "self_target"},
      {{{"ZADD", "lb", "5", "111"}},
       [&] { return discombobulate("111", "222", 0, 100); },
       "invalid_request amount"},
      {{}, [&] { return told(economy.shoot(move("111"), roulette)); }, "roulette_not_found"},
      {{{"ZADD", "lb", "5", "111"}, {"HSET", "roulette:" + roulette.str(), "left", "1"}},
       [&] { return told(economy.shoot(move("111"), roulette)); },
       "roulette_not_found"},
  });
}

TEST_F(Moves, a_value_of_another_program_is_refused_without_a_trace) {
  auto const roulette = RouletteId::from("0123456789abcdef").value();
  auto const shoot = [&] { return told(economy.shoot(move("111"), roulette)); };
  auto const claim = [&] { return told(economy.claim(move("111"), "daily")); };
  auto const farm = [&] { return told(economy.farm(move("111"), "n")); };
  auto const trade = [&] { return told(economy.trade(move("111"), user("222"), "herb", 1)); };
  std::string const key = "roulette:" + roulette.str();
  refuse_without_a_trace({
      {{{"SET", key, "3"}}, shoot, "foreign_record"},
      {{{"HSET", key, "left", "x", "drawn", "1", "seed", "1"}}, shoot, "foreign_record"},
      {{{"ZADD", "lb", "1.5", "111"}}, claim, "foreign_record"},
      {{{"ZADD", "lb", "inf", "111"}}, claim, "foreign_record"},
      {{{"SET", "111:vampire", "high"}}, farm, "foreign_record"},
      {{{"SET", "111:gain", "1e"}}, farm, "foreign_record"},
      {{{"HSET", "222:inventory", ":herb:", "1"}, {"HSET", "111:inventory", ":herb:", "many"}},
       trade,
       "foreign_record"},
  });
  cli({"FLUSHALL"});
  open();
  cli({"SET", "lb", "text"});
  EXPECT_EQ(claim(), "foreign_record");
  EXPECT_EQ(run(economy.player(realm(), user("111"))).error().code.name, "foreign_record");
  EXPECT_EQ(run(economy.leaderboard(realm(), 10, {})).error().code.name, "foreign_record");
  auto const refused = run(economy.claim(move("111"), "daily"));
  EXPECT_EQ(refused.error().detail,
            "the key lb has a value that Larder did not write; look at it, then delete it or set it right");
}

// What Lua reads as a whole number, but HINCRBY does not; and what is beyond the largest amount.
TEST_F(Moves, a_number_in_another_form_is_refused_without_a_trace) {
  auto const roulette = RouletteId::from("0123456789abcdef").value();
  auto const shoot = [&] { return told(economy.shoot(move("111"), roulette)); };
  auto const farm = [&] { return told(economy.farm(move("111"), "n")); };
  auto const trade = [&] { return told(economy.trade(move("111"), user("222"), "herb", 1)); };
  auto const craft = [&] { return told(economy.craft(move("111"), "cross")); };
  auto const find_herb = seed_where([](Dice& dice) {
    auto const roll = dice.draw(1, 100'000);
    return roll > 1651 && roll <= 5651;
  });
  for (std::string const text : {"3.0", "1e3", "0x10", " 5 ", "+5", "05", "-0", "", "9007199254740992",
                                 "9223372036854775807", "-9007199254740992", "1e300"}) {
    SCOPED_TRACE("'" + text + "'");
    auto const owned = [&](std::string_view player, std::string const& item) {
      return Lines{"HSET", fmt::format("{}:inventory", player), item, text};
    };
    Lines const rich{"ZADD", "lb", "100", "111"};
    Lines const herbs{"HSET", "111:inventory", ":herb:", "9"};
    auto const farm_herb = [&] { return told(economy.farm(move("111", find_herb), "n")); };
    auto const roulette_of = [&](std::string const& left, std::string const& drawn, std::string const& seed) {
      return Lines{"HSET", "roulette:" + roulette.str(), "left", left, "drawn", drawn, "seed", seed};
    };
    refuse_without_a_trace({
        {{rich, owned("111", ":herb:")}, farm_herb, "foreign_record"},
        {{owned("111", ":herb:")}, trade, "foreign_record"},
        {{herbs, owned("222", ":herb:")}, trade, "foreign_record"},
        {{owned("111", ":herb:")}, craft, "foreign_record"},
        {{herbs, owned("111", ":cross:")}, craft, "foreign_record"},
        {{owned("111", ":athletic_shoe:")},
         [&] { return told(economy.use(move("111"), "shoe", {})); },
         "foreign_record"},
        {{owned("111", ":bomb:")},
         [&] { return told(economy.plant_bomb(move("111"), 60)); },
         "foreign_record"},
        {{rich, owned("222", ":herb:")},
         [&] { return told(economy.inspect(move("111"), user("222"))); },
         "foreign_record"},
        {{roulette_of(text, "3", "1")}, shoot, "foreign_record"},
        {{roulette_of("1", text, "1")}, shoot, "foreign_record"},
        {{roulette_of("1", "3", text)}, shoot, "foreign_record"},
        {{{"SET", "111:vampire", text}}, farm, "foreign_record"},
        {{{"SET", "111:gain", text}}, farm, "foreign_record"},
    });
  }
}

TEST_F(Moves, a_number_that_no_move_can_have_written_is_refused_without_a_trace) {
  auto const farm = [&] { return told(economy.farm(move("111"), "n")); };
  refuse_without_a_trace({
      {{{"SET", "111:vampire", "-3"}}, farm, "foreign_record"},
      {{{"SET", "111:vampire", "0"}}, farm, "foreign_record"},
      {{{"ZADD", "lb", "1e20", "111"}},
       [&] { return told(economy.pay(move("111"), user("222"), amount(1))); },
       "foreign_record"},
      {{{"ZADD", "lb", "9007199254740992", "111"}}, [&] { return gamble("111", 5, 1); }, "foreign_record"},
  });
}

}  // namespace
}  // namespace larder::economy
