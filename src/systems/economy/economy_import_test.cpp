// Operators import players.
#include "systems/economy/economy_test.hpp"
#include "systems/economy/small_game_test.hpp"

namespace larder::economy {
namespace {

class Imports : public EconomyTest {
 protected:
  explicit Imports(bool check_keys = true) : EconomyTest(check_keys) {}

  // One word for each player.
  std::string import(std::vector<NewPlayer> players, std::string_view into = default_realm) {
    auto const done = run(economy.import_players(realm(into), std::move(players)));
    if (!done) return std::string(done.error().code.name);
    std::string words;
    for (auto const& outcome : *done) {
      words += words.empty() ? "" : " ";
      words += !outcome                       ? outcome.error().code.name
               : *outcome == Import::imported ? std::string_view("imported")
                                              : "unchanged";
    }
    return words;
  }
  NewPlayer ann() {
    return {.id = user("111"), .points = 250, .items = {{"herb", 3}, {":bone:", 1}}, .name = "Ann"};
  }
};

TEST_F(Imports, players_get_what_they_had) {
  EXPECT_EQ(import({ann(), {.id = user("222"), .points = 7}, {.id = user("333"), .name = "C\nc"}}),
            "imported imported imported");
  EXPECT_EQ(cli({"ZRANGE", "lb", "0", "-1", "WITHSCORES"}), "222\n7\n111\n250");
  EXPECT_EQ(cli({"GET", "111"}), "Ann");
  EXPECT_EQ(cli({"GET", "333"}), "C\nc");
  EXPECT_EQ(count("111", ":herb:"), "3");
  EXPECT_EQ(all_events("ajobus"), (Lines{"version=1 type=opening user_id=111 guild_id=0 amount=250",
                                         "version=1 type=opening user_id=222 guild_id=0 amount=7"}));
  EXPECT_EQ(all_events("ajobus-inventory"),
            (Lines{"version=1 type=opening user_id=111 guild_id=0 item=:bone: quantity=1",
                   "version=1 type=opening user_id=111 guild_id=0 item=:herb: quantity=3"}));
  EXPECT_EQ(states(), (Lines{"111 .imported=1 .=Ann", "222 .imported=1", "333 .imported=1 .=C\nc"}));
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(Imports, a_repeated_import_changes_nothing_whatever_happened_since) {
  std::vector<NewPlayer> const all{ann(), {.id = user("222"), .points = 7}, {.id = user("333")}};
  EXPECT_EQ(import(all), "imported imported imported");
  auto const before = digest();
  EXPECT_EQ(import(all), "unchanged unchanged unchanged");
  EXPECT_EQ(digest(), before);
  // The last points of 222 go, and with them all that Redis has of this player.
  load(parsed(small_game()));
  auto const roulette = run(economy.start_roulette(move("x"))).value().what;
  EXPECT_EQ(told(economy.shoot(move("222"), roulette)), "shot -7 =0");
  EXPECT_EQ(import({{.id = user("222"), .points = 7}}), "unchanged");
  EXPECT_EQ(balance("222"), "");
}

TEST_F(Imports, an_import_that_was_cut_off_continues) {
  EXPECT_EQ(import({ann()}), "imported");
  run(economy.pay(move("111"), user("999"), amount(50)));
  EXPECT_EQ(import({ann(), {.id = user("222"), .points = 7}}), "unchanged imported");
  EXPECT_EQ(balance("111"), "200");
}

TEST_F(Imports, who_plays_already_is_not_imported) {
  give("1", 5);
  give("2", ":herb:", 1);
  open();
  run(economy.farm(move("3"), "n"));
  EXPECT_EQ(import({{.id = user("1"), .points = 9},
                    {.id = user("2"), .points = 9},
                    {.id = user("3"), .points = 9},
                    {.id = user("4"), .points = 9}}),
            "player_exists player_exists player_exists imported");
  EXPECT_EQ(import({{.id = user("1"), .points = 9}}), "player_exists");
  EXPECT_EQ(balance("1"), "5");
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(Imports, a_bad_player_fails_alone) {
  EXPECT_EQ(import({{.id = user("1"), .items = {{"sword", 1}}},
                    {.id = user("2"), .items = {{"herb", 21}}},
                    {.id = user("3"), .items = {{"herb", 20}}},
                    {.id = user("lb"), .points = 1},
                    {.id = user("5"), .items = {{"herb", 1}, {"HERB", 1}}}}),
            "unknown_item stack_full imported invalid_request invalid_request");
  EXPECT_EQ(count("3", ":herb:"), "20");
}

TEST_F(Imports, only_bad_players_leave_no_trace) {
  EXPECT_EQ(import({{.id = user("1"), .items = {{"sword", 1}}}}), "unknown_item");
  EXPECT_EQ(import({}), "");
  EXPECT_EQ(keys(), (std::set<std::string>{}));
}

TEST_F(Imports, who_was_deleted_can_be_imported_again) {
  import({ann()});
  EXPECT_EQ(told(economy.delete_player(move("111"))), "deleted");
  EXPECT_EQ(cli({"EXISTS", "ajobus:imported"}), "0");
  EXPECT_EQ(import({ann()}), "imported");
  EXPECT_EQ(balance("111"), "250");
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(Imports, an_import_follows_the_catalogue_of_the_realm) {
  load(parsed(small_game()));
  EXPECT_EQ(import({{.id = user("1"), .items = {{"fish", 50}}}, {.id = user("2"), .items = {{"herb", 1}}}}),
            "imported unknown_item");
  load(ajo_catalogue());
  EXPECT_EQ(import({{.id = user("2"), .items = {{"herb", 1}}}, {.id = user("3"), .items = {{"fish", 1}}}}),
            "imported unknown_item");
}

TEST_F(Imports, a_closed_realm_is_refused) {
  import({ann()}, "guild");
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  EXPECT_EQ(import({ann()}, "guild"), "realm_closed");
}

TEST_F(Imports, the_mark_of_another_program_is_refused) {
  open();
  cli({"SET", "ajobus:imported", "x"});
  auto const before = digest();
  EXPECT_EQ(import({ann()}), "foreign_record");
  EXPECT_EQ(digest(), before);
}

TEST_F(Imports, a_deleted_realm_keeps_no_marks) {
  import({ann()}, "guild");
  run(background.start());
  run(economy.remove(realm("guild")));
  while (!run(delete_closed_realm(redis, background.shared().journal, realm("guild")))) {}
  run(background.stop());
  for (auto const& key : keys()) EXPECT_FALSE(key.starts_with("{guild}")) << key;
  EXPECT_EQ(import({ann()}, "guild"), "imported");
}

// Without the watch over keys, because there are so many commands.
class ManyImports : public Imports {
 protected:
  ManyImports() : Imports(false) {}
};

TEST_F(ManyImports, no_call_keeps_redis_busy_for_long) {
  std::size_t imported = 0;
  for (int portion = 0; portion < 50; ++portion) {
    std::vector<NewPlayer> players;
    for (int i = 0; i < int(Economy::imported_at_once); ++i) {
      players.push_back({.id = user(fmt::format("p{}", portion * 1000 + i)),
                         .points = i + 1,
                         .items = {{"herb", 1}, {"bone", 2}},
                         .name = fmt::format("Player {}", i)});
    }
    for (auto const& outcome : run(economy.import_players(realm(), std::move(players))).value())
      imported += outcome && *outcome == Import::imported;
  }
  EXPECT_EQ(imported, 50 * Economy::imported_at_once);
  EXPECT_EQ(cli({"ZCARD", "lb"}), "5000");
  EXPECT_EQ(differences(), Lines{});
}

}  // namespace
}  // namespace larder::economy
