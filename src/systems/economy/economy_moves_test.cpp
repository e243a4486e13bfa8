// The moves with points: what they answer, and the keys and events they leave.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

// Seeds for somebody who farms with at least 50 points: what is found, and whether a vampire comes.
constexpr std::int64_t faces = 100'000;
bool nothing_found(Dice& dice) { return dice.draw(1, faces) > 11'351; }
bool no_vampire(Dice& dice) { return dice.draw(0, 99) > 60; }
std::uint32_t quiet_seed() {
  return seed_where([](Dice& dice) { return nothing_found(dice) && no_vampire(dice); });
}
// For the poor, who find nothing: the first roll is the vampire's.
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
std::uint32_t win_seed(std::int64_t r) {
  return seed_where([r](Dice& dice) { return dice.draw(1, 4) == 1 && dice.draw(1, 100) == r; });
}
std::uint32_t loss_seed() {
  return seed_where([](Dice& dice) { return dice.draw(1, 4) != 1; });
}
std::uint32_t percent_seed(std::int64_t percent) {
  return seed_where([percent](Dice& dice) { return dice.draw(69, 200) == percent; });
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
  EXPECT_EQ(cli({"EXISTS", "111:vampire", "111:inventory", "ajobus-inventory"}), "0");
}

TEST_F(Farming, refreshes_the_name_when_it_differs) {
  run(economy.farm(move("111", poor_quiet_seed()), "Zymna#0001"));
  cli({"EXPIRE", "111", "1000"});
  run(economy.farm(move("111", poor_quiet_seed()), "Zymna#0001"));
  EXPECT_TRUE(lives("111", 1000));  // not written again
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
  // The faces at which each begins and ends, in the order of the catalogue.
  std::int64_t sum = 0;
  for (auto const& item : ajo_catalogue()->items) {
    if (item.drop == 0) continue;
    for (auto const roll : {sum + 1, sum + item.drop}) {
      cli({"FLUSHALL"});
      give("111", 49);
      EXPECT_EQ(farm("111", drop_seed(roll, roll)), fmt::format("+1 =50, found {} =1", item.id)) << roll;
      EXPECT_EQ(count("111", item.id), "1");
      EXPECT_EQ(
          events("ajobus-inventory"),
          Lines{fmt::format(
              "version=1 type=item_earned user_id=111 guild_id=0 item={} quantity=1 trigger=farm", item.id)});
    }
    sum += item.drop;
  }
  EXPECT_EQ(sum, 11'351);
  EXPECT_EQ(farm("111", drop_seed(sum + 1, sum + 1)), "+1 =51");
  EXPECT_EQ(cli({"TYPE", "111:inventory"}), "hash");
}

TEST_F(Farming, finds_nothing_below_50_points) {
  give("111", 48);
  // One roll only: it is the vampire's.
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
  cli({"HSET", "111:inventory", ":herb:", "25"});  // more than there may be, by hand
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
        Case{25, 30, 40, 30, 300'001, 7200},     // both at their ends
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
  EXPECT_EQ(cli({"GET", "bomb"}), "222");  // it waits for somebody who farms
  EXPECT_EQ(cli({"GET", "111"}), "n");
  EXPECT_EQ(events("ajobus"), Lines{});
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
  EXPECT_EQ(farm("333", poor_quiet_seed()), "+1 =1");  // once
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
  for (std::string const id : {"lb", "ajobus", "ajobus-inventory", "drop-rate", "bomb", "bomb-due", "bombs",
                               "bombs-schedule", "catalogue", "catalogue-data", "catalogue-source", "items",
                               "craft", "once", "roulette", "events", "score_outbox"}) {
    EXPECT_TRUE(problem_of_player(user(id))) << id;
    EXPECT_EQ(farm(id, 1), "invalid_request id") << id;
  }
  EXPECT_EQ(digest(), before);
  for (std::string const id : {"111", "lb2", "LB", "Bomb", "score", "default"}) {
    EXPECT_FALSE(problem_of_player(user(id))) << id;
  }
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
    cli({"PERSIST", key});  // by hand, without an end
    EXPECT_EQ(told(economy.claim(move("111"), reward)),
              fmt::format(R"(reward_not_ready {{"seconds_left":{}}})", seconds));
    EXPECT_EQ(balance("111"), fmt::to_string(points));
    cli({"DEL", key});  // its time is over
    EXPECT_EQ(told(economy.claim(move("111"), reward)), fmt::format("+{} ={}", points, 2 * points));
  }
}

TEST_F(Moves, a_gamble_wins_r_fortieths_rounded_up_or_loses_all) {
  struct Case {
    std::int64_t owned, amount, r, change;  // r 0: lost
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
        Case{100, 100, 50, 200, 0, 100},  // all of it
        Case{100, 100, 51, 200, 0, 100},  // no more than the target owns
        Case{100, 100, 36, 69, 31, 36},   //
        Case{100, 100, 36, 200, 31, 83},  // 83.16
        Case{100, 1, 1, 69, 0, 0},        // 0.69: nothing to lose
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
    EXPECT_TRUE(lives(key, 600));  // shots do not make it live longer
    auto const last = run(economy.shoot(move("111"), id)).value().what;
    EXPECT_EQ(brief(last), "shot -70 =0");
    EXPECT_EQ(last.roll->seed, seed);
    EXPECT_EQ(last.roll->values, std::vector{number});
    EXPECT_EQ(cli({"EXISTS", key}), "0");
    EXPECT_EQ(balance("111"), "0");
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

TEST_F(Moves, refusals_leave_no_trace) {
  struct Case {
    std::vector<Lines> by_hand;
    std::function<std::string()> move;
    std::string told;
  };
  auto const claim = [&] { return told(economy.claim(move("111"), "daily")); };
  auto const roulette = RouletteId::from("0123456789abcdef").value();
  auto const large = fmt::to_string(most);
  std::vector<Case> const cases = {
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
  };
  for (auto const& [by_hand, make_move, expected] : cases) {
    cli({"FLUSHALL"});
    for (auto const& command : by_hand) cli(command);
    open();
    auto const before = digest();
    EXPECT_EQ(make_move(), expected);
    EXPECT_EQ(digest(), before) << expected;
  }
}

TEST_F(Moves, the_player_view_shows_everything_at_once) {
  give("222", 50);
  give("111", 7);
  give("111", ":herb:", 3);
  cli({"SET", "111", "Zymna#0001"});
  cli({"SET", "111:vampire", "4", "EX", "500"});
  cli({"SET", "111:gain", "2", "EX", "600"});
  cli({"SET", "111:vampire-curse", "12", "EX", "7200"});
  cli({"SET", "111:daily", "1", "EX", "86400"});
  cli({"SET", "111:discombobulate", "1", "EX", "1800"});
  for (bool const opened : {false, true}) {  // also of a Redis that is filled by hand, before the first move
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

TEST_F(Moves, a_look_leaves_nothing) {
  auto const before = digest();
  run(economy.player(realm(), user("111"))).value();
  run(economy.leaderboard(realm(), 10, {})).value();
  run(economy.catalogue(realm())).value();
  EXPECT_EQ(digest(), before);
}

TEST_F(Moves, the_leaderboard_shows_the_top_or_who_is_around) {
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
