// Operators adjust, export and delete players.
#include "systems/economy/economy_test.hpp"
#include "systems/economy/small_game_test.hpp"

namespace larder::economy {
namespace {

class Care : public EconomyTest {
 protected:
  std::string adjust(Adjustment what, std::string_view player = "111") {
    return adjust(move(player), std::move(what));
  }
  std::string adjust(Move move, Adjustment what) {
    if (what.reason.empty()) what.reason = "why";
    return told(economy.adjust(std::move(move), std::move(what)));
  }
  std::string remove(Move move) { return told(economy.delete_player(std::move(move))); }
};

TEST_F(Care, points_are_given_and_taken) {
  EXPECT_EQ(adjust({.points = 50, .reason = "won the contest"}), "- =50 #1");
  EXPECT_EQ(adjust({.points = -20, .reason = "a mistake"}), "- =30 #1");
  EXPECT_EQ(balance("111"), "30");
  EXPECT_EQ(events("ajobus"),
            (Lines{"version=1 type=adjust user_id=111 guild_id=0 amount=50 reason=won the contest",
                   "version=1 type=adjust user_id=111 guild_id=0 amount=-20 reason=a mistake"}));
  EXPECT_EQ(events("ajobus-inventory"), Lines{});
  EXPECT_EQ(adjust({.points = -30}), "- =0 #1");
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(Care, everything_is_done_at_once) {
  give("111", 100);
  give("111", ":bone:", 7);
  auto here = move("111");
  here.guild_id = user("77");
  EXPECT_EQ(adjust(here, {.points = -60,
                          .items = {{"herb", 2}, {":bone:", -7}},
                          .name = "Änn 🧄",
                          .effects = {{"gain", {{.value = 5, .seconds = 600}}}, {"vampire", {}}},
                          .reason = "all"}),
            "Änn 🧄 =40 #1 :herb: 2, gain 5 for 600");
  EXPECT_EQ(events("ajobus"), (Lines{"version=1 type=adjust user_id=111 guild_id=77 amount=-60 reason=all"}));
  EXPECT_EQ(events("ajobus-inventory"),
            (Lines{"version=1 type=adjust user_id=111 guild_id=77 item=:bone: quantity=-7 reason=all",
                   "version=1 type=adjust user_id=111 guild_id=77 item=:herb: quantity=2 reason=all"}));
  EXPECT_EQ(states(), (Lines{"111 .=Änn 🧄 .:gain=5 600000 .:vampire-curse="}));
  EXPECT_EQ(cli({"HGETALL", "111:inventory"}), ":herb:\n2");
  EXPECT_TRUE(lives("111:gain", 600));
  EXPECT_TRUE(told(economy.farm(move("111", 7), "n")).starts_with("+5 =45"));
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(Care, effects_are_set_in_place_of_active_ones_and_ended) {
  open();
  for (auto const* const key : {"111:gain", "111:discombobulate-buff", "111:vampire-curse"})
    cli({"SET", key, "3", "EX", "100"});
  EXPECT_EQ(adjust({.effects = {{"gain", {{.value = 9, .seconds = 50}}}, {"discombobulate", {}}}}),
            "- =0 #0, gain 9 for 50, vampire 3 for 100");
  EXPECT_EQ(cli({"EXISTS", "111:discombobulate-buff"}), "0");
  EXPECT_EQ(adjust({.effects = {{"gain", {}}, {"vampire", {}}}}), "- =0 #0");
}

TEST_F(Care, who_gets_no_points_does_not_come_on_the_leaderboard) {
  EXPECT_EQ(adjust({.name = "Ann", .reason = "rude"}), "Ann =0 #0");
  EXPECT_EQ(adjust({.items = {{"herb", 1}}}), "Ann =0 #0 :herb: 1");
  EXPECT_EQ(cli({"EXISTS", "lb"}), "0");
  EXPECT_EQ(events("ajobus"), (Lines{"version=1 type=adjust user_id=111 guild_id=0 amount=0 reason=rude"}));
}

TEST_F(Care, a_new_name_is_on_the_leaderboard_at_once_and_the_next_farm_may_change_it) {
  give("111", 5);
  adjust({.name = "First\nsecond line"});
  EXPECT_EQ(run(economy.leaderboard(realm(), 1, {})).value()[0].name, "First\nsecond line");
  EXPECT_EQ(adjust({.points = 1}), "First\nsecond line =6 #1");
  EXPECT_EQ(run(economy.player(realm(), user("111"))).value().name, "First\nsecond line");
  run(economy.farm(move("111"), "Bo"));
  EXPECT_EQ(run(economy.leaderboard(realm(), 1, {})).value()[0].name, "Bo");
}

TEST_F(Care, the_answer_is_what_the_player_then_looks_like) {
  give("111", 500);
  give("222", 900);
  give("111", ":bone:", 3);
  run(economy.claim(move("111"), "daily"));
  cli({"SET", "111:vampire", "4", "EX", "60"});
  EXPECT_EQ(adjust({.points = 1, .items = {{"bone", 1}}}), "- =533 #2 :bone: 4, daily in 86400, vampire 4");
  EXPECT_EQ(
      brief(Result<Done<PlayerView>>(Done<PlayerView>{run(economy.player(realm(), user("111"))).value()})),
      "- =533 #2 :bone: 4, daily in 86400, vampire 4");
}

TEST_F(Care, an_adjustment_that_is_refused_leaves_no_trace) {
  std::vector<Lines> const some = {{"ZADD", "lb", "10", "111"}, {"HSET", "111:inventory", ":herb:", "19"}};
  auto const most_points = fmt::to_string(most);
  refuse_without_a_trace({
      {some, [&] { return adjust({.points = -11}); },
       R"(insufficient_balance {"balance":10,"needs":{":garlic:":11}})"},
      {{{"ZADD", "lb", most_points, "111"}}, [&] { return adjust({.points = 1}); }, "balance_limit"},
      {some, [&] { return adjust({.points = 1, .items = {{"herb", -20}, {"bone", -1}, {"gear", 1}}}); },
       R"(not_enough_items {"needs":{":bone:":1,":herb:":20}})"},
      {some, [&] { return adjust({.points = 1, .items = {{"herb", 2}}}); },
       R"(stack_full {"owned":19,"max_stack":20,"item":":herb:"})"},
      {some, [&] { return adjust({.points = 1, .items = {{"bone", 1}, {"herb", most}}, .name = "x"}); },
       R"(stack_full {"owned":19,"max_stack":20,"item":":herb:"})"},
      {some, [&] { return adjust({.points = 1, .items = {{"sword", 1}}}); }, "unknown_item"},
      {some, [&] { return adjust({.items = {{"herb", 1}, {":Herb:", 1}}}); }, "invalid_request items"},
      {some, [&] { return adjust({.effects = {{"luck", {}}}}); }, "unknown_effect"},
      {some, [&] { return adjust({.effects = {{"vampire", {{.value = 101, .seconds = 1}}}}}); },
       "invalid_request effects.vampire.value"},
      {some, [&] { return adjust({.effects = {{"gain", {{.value = 0, .seconds = 1}}}}}); },
       "invalid_request effects.gain.value"},
      {some, [&] { return adjust({.effects = {{"gain", {{.value = 1, .seconds = 315'360'001}}}}}); },
       "invalid_request effects.gain.seconds"},
      {some, [&] { return adjust({}); }, "invalid_request points"},
      {some, [&] { return adjust({.points = 1}, "lb"); }, "invalid_request id"},
      {{{"HSET", "111:inventory", ":herb:", "1.5"}}, [&] { return adjust({.points = 1}); }, "foreign_record"},
      {{{"ZADD", "lb", "1.5", "111"}}, [&] { return adjust({.name = "x"}); }, "foreign_record"},
      {{{"SET", "111:gain", "x"}}, [&] { return adjust({.points = 1}); }, "foreign_record"},
      {{{"SET", "111:vampire", "x"}}, [&] { return adjust({.points = 1}); }, "foreign_record"},
  });
}

TEST_F(Care, an_inventory_of_another_type_is_not_touched) {
  open();
  cli({"SET", "111:inventory", "x"});
  auto const before = digest();
  EXPECT_EQ(adjust({.points = 1}), "foreign_record");
  EXPECT_EQ(adjust({.items = {{"herb", 1}}}), "foreign_record");
  EXPECT_EQ(remove(move("111")), "foreign_record");
  EXPECT_EQ(digest(), before);
}

TEST_F(Care, an_adjustment_with_a_key_happens_once) {
  auto const first =
      adjust(with_key(move("111"), "k"), {.points = 5, .items = {{"herb", 1}}, .name = "a\nb"});
  EXPECT_EQ(first, "a\nb =5 #1 :herb: 1");
  run(economy.pay(move("111"), user("222"), amount(5)));
  EXPECT_EQ(adjust(with_key(move("111"), "k"), {.points = 5}), first + ", again");
  EXPECT_EQ(adjust(with_key(move("111"), "k", "other"), {.points = 6}), "idempotency_conflict");
  EXPECT_EQ(adjust(with_key(move("111"), "l"), {.points = -9}),
            R"(insufficient_balance {"balance":0,"needs":{":garlic:":9}})");
  EXPECT_EQ(adjust(with_key(move("111"), "l"), {.points = -9}),
            R"(insufficient_balance {"balance":0,"needs":{":garlic:":9}}, again)");
  EXPECT_EQ(balance("111"), "0");
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(Care, an_adjustment_begins_a_realm_and_a_refused_one_does_not) {
  EXPECT_EQ(adjust({.points = -1}), R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})");
  EXPECT_EQ(keys(), (std::set<std::string>{}));
  EXPECT_EQ(adjust({.points = 1}), "- =1 #1");
  EXPECT_EQ(cli({"SMEMBERS", std::string(realms_key)}), "default");
}

TEST_F(Care, a_deleted_player_is_gone) {
  give("111", 100);
  for (auto const* const item : {":bomb:", ":herb:"}) give("111", item, 1);
  give("222", 70);
  give("222", ":herb:", 2);
  run(economy.farm(move("111", 7), "Ann"));
  run(economy.farm(move("222", 7), "Bob"));
  auto const others = [&] {
    auto found = keys();
    std::erase_if(found, [](std::string const& key) {
      return key.starts_with("111") || key == "bombs" || key == "bombs-schedule";
    });
    return found;
  };
  auto const before = others();
  run(economy.claim(move("111"), "daily"));
  run(economy.plant_bomb(move("111"), 3000));
  adjust({.effects = {{"gain", {{.value = 5, .seconds = 600}}}}});
  cli({"SET", "111:vampire", "4", "EX", "60"});
  EXPECT_EQ(remove(move("111")), "deleted");
  EXPECT_EQ(keys(), before);
  EXPECT_EQ(cli({"ZRANGE", "lb", "0", "-1"}), "222");
  auto const told_events = all_events("ajobus");
  EXPECT_TRUE(told_events.back().starts_with("version=1 type=deleted user_id=111 guild_id=0 amount=-"));
  EXPECT_EQ(all_events("ajobus-inventory").back(),
            "version=1 type=deleted user_id=111 guild_id=0 item=:herb: quantity=-1");
  EXPECT_EQ(differences(), Lines{});
  EXPECT_EQ(
      brief(Result<Done<PlayerView>>(Done<PlayerView>{run(economy.player(realm(), user("111"))).value()})),
      "- =0 #0");
  EXPECT_EQ(remove(move("111")), "player_not_found");
  EXPECT_EQ(told(economy.farm(move("111", 7), "Ann")), "+1 =1");
}

TEST_F(Care, the_pending_bomb_of_a_deleted_player_is_gone_but_not_that_of_another) {
  give("111", 1);
  open();
  cli({"SET", "bomb", "999"});
  EXPECT_EQ(remove(move("111")), "deleted");
  EXPECT_EQ(cli({"GET", "bomb"}), "999");
  give("999", ":herb:", 1);
  EXPECT_EQ(remove(move("999")), "deleted");
  EXPECT_EQ(cli({"EXISTS", "bomb"}), "0");
}

TEST_F(Care, a_deletion_with_a_key_happens_once) {
  give("111", 5);
  EXPECT_EQ(remove(with_key(move("111"), "k")), "deleted");
  adjust({.points = 3});
  EXPECT_EQ(remove(with_key(move("111"), "k")), "deleted, again");
  EXPECT_EQ(balance("111"), "3");
}

TEST_F(Care, deleting_nobody_leaves_no_trace) {
  EXPECT_EQ(remove(move("111")), "player_not_found");
  EXPECT_EQ(keys(), (std::set<std::string>{}));
  refuse_without_a_trace({
      {{}, [&] { return remove(move("111")); }, "player_not_found"},
      {{}, [&] { return remove(move("lb")); }, "invalid_request id"},
      {{{"HSET", "111:inventory", ":herb:", "x"}}, [&] { return remove(move("111")); }, "foreign_record"},
      {{{"SET", "bombs", "x"}}, [&] { return remove(move("111")); }, "foreign_record"},
      {{{"ZADD", "lb", "0.5", "111"}}, [&] { return remove(move("111")); }, "foreign_record"},
  });
}

TEST_F(Care, an_export_has_what_no_view_has) {
  give("111", ":bomb:", 1);
  auto const planted = run(economy.plant_bomb(move("111"), 3000)).value().what;
  cli({"SET", "bomb", "111"});
  auto const exported = run(economy.export_player(realm(), user("111"))).value();
  EXPECT_EQ(exported.bomb_due, planted.due);
  EXPECT_TRUE(exported.bomb_pending);
  EXPECT_FALSE(exported.imported);
  auto const nobody = run(economy.export_player(realm(), user("222"))).value();
  EXPECT_FALSE(nobody.bomb_due || nobody.bomb_pending || nobody.imported);
  cli({"DEL", "bombs"});
  cli({"SET", "bombs", "x"});
  EXPECT_EQ(run(economy.export_player(realm(), user("111"))).error().code, errors::foreign_record);
}

}  // namespace
}  // namespace larder::economy
