#include "systems/tribes/tribes_worlds_test.hpp"

namespace larder::tribes {

namespace {

TEST_F(TribesWorldsTest, a_server_makes_the_default_world_on_the_bare_keys_once) {
  run(larder->background.start());
  run(larder->background.stop());
  restart();
  run(larder->background.start());
  EXPECT_TRUE(run(larder->tribes.join(world("default"), user("ann"), "Ann", {})));
  EXPECT_EQ(cli({"ZSCORE", "leaderboard", "ann"}), "300");
  EXPECT_NE(cli({"ZSCORE", "user_updates", "ann"}), "");
  EXPECT_NE(cli({"GET", "user:ann:gamestate"}), "");
  EXPECT_EQ(run(larder->tribes.worlds()).size(), 1u);
  run(larder->background.stop());
}

TEST_F(TribesWorldsTest, a_faster_world_is_the_same_game) {
  make_world("w", 500);
  join("ann");
  act("ann", R"({"type":"construct","lot":"1","building":"house"})");
  EXPECT_EQ(due("ann"), double(test_start_ms + 20));  // 10 s of game time
  clock.advance(20);
  EXPECT_EQ(state("ann").at("population").at("uneducated"), 10);
  EXPECT_EQ(act("ann", R"({"type":"construct","lot":"2","building":"kitchen"})"), "ok");
  clock.advance(16);
  EXPECT_EQ(act("ann", R"({"type":"tap","lot":"2"})"), "ok");
  EXPECT_EQ(act("ann", R"({"type":"tap","lot":"2"})"), R"(tapped_too_soon {"seconds_left":2})");
}

TEST_F(TribesWorldsTest, a_change_of_speed_keeps_the_time_that_has_passed) {
  make_world();
  join("ann");
  act("ann", R"({"type":"construct","lot":"1","building":"house"})");
  clock.advance(5'000);
  EXPECT_EQ(change({.speed = 1000}), "running");
  clock.advance(4);
  EXPECT_EQ(state("ann").at("population").at("uneducated"), 0);
  clock.advance(1);
  EXPECT_EQ(state("ann").at("population").at("uneducated"), 10);
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return stored("ann").population.uneducated == 10; }));
  run(larder->background.stop());
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesWorldsTest, new_rules_count_from_now_on) {
  make_world();
  join("ann");
  act("ann", R"({"type":"construct","lot":"1","building":"house"})");
  clock.advance(10'000);
  auto rules = *pizza_rules();
  rules.buildings[0].first.cost = 7;
  EXPECT_EQ(change({.rules = std::make_shared<Rules const>(rules)}), "running");
  EXPECT_EQ(act("ann", R"({"type":"construct","lot":"2","building":"kitchen"})"), "ok");
  EXPECT_EQ(stored("ann").coins(), 300 - 100 - 7);
  run(larder->background.start());
  run(larder->background.stop());
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesWorldsTest, a_heist_that_arrives_at_the_moment_of_new_rules_has_the_old_ones) {
  make_world();
  join("ann");
  join("bob");
  auto ann = stored("ann");
  ann.population.thieves = 1;
  put_town(ann);
  auto const bob = stored("bob");
  act("ann", fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":1}})", bob.field.x, bob.field.y));
  clock.advance(travel_ms(ann.field, bob.field, *pizza_rules()));
  auto rules = *pizza_rules();
  rules.heists.loot_per_thief = 7;
  EXPECT_EQ(change({.rules = std::make_shared<Rules const>(rules)}), "running");
  EXPECT_EQ(state("bob").at("resources").at("coins"), 0);
}

TEST_F(TribesWorldsTest, a_change_comes_at_a_moment_that_no_town_is_past) {
  make_world("w", 500);
  join("ann");
  TestClock ahead{clock.now() + 700};
  TribesServer other(io, server.url(), sql_url, ahead);
  EXPECT_EQ(run(other.tribes.towns().update(*run(other.tribes.open(world())).value(), {user("ann")})),
            std::vector<std::exception_ptr>(1));
  EXPECT_EQ(stored("ann").at, GameMs{350'000});
  auto rules = *pizza_rules();
  rules.production.chef_rate = 7;
  EXPECT_EQ(change({.speed = 3, .rules = std::make_shared<Rules const>(rules)}), "running");
  EXPECT_EQ(line().info->eras.back().from, GameMs{350'000});
  EXPECT_EQ(line().info->clock, (WorldClock{.base_real = ahead.now(), .base_game = {350'000}, .speed = 3}));
}

TEST_F(TribesWorldsTest, a_change_by_a_server_whose_clock_is_behind_creates_no_game_time) {
  make_world("w", 100);
  clock.advance(10'000);
  change({.speed = 99});
  auto const before = line().info->game_at(clock.now());
  TestClock behind{clock.now() + -60'000};
  TribesServer other(io, server.url(), sql_url, behind);
  for (std::int64_t const speed : {100, 101, 102}) {
    ASSERT_TRUE(run(other.worlds.change(world(), {.speed = speed})));
    EXPECT_EQ(line().info->game_at(clock.now()), before);
  }
  for (auto const state : {WorldState::closed, WorldState::running}) {
    ASSERT_TRUE(run(other.worlds.change(world(), {.state = state})));
    EXPECT_EQ(line().info->game_at(clock.now()), before);
  }
}

TEST_F(TribesWorldsTest, a_closed_world_stands_still_until_it_is_opened) {
  make_world();
  join("ann");
  act("ann", R"({"type":"construct","lot":"1","building":"house"})");
  clock.advance(4'000);
  EXPECT_EQ(change({.state = WorldState::closed}), "closed");
  clock.advance(day_ms);
  EXPECT_EQ(act("ann", R"({"type":"tap","lot":"1"})"), "world_over");
  EXPECT_EQ(join("bob"), "world_over");
  EXPECT_EQ(state("ann").at("population").at("uneducated"), 0);
  EXPECT_EQ(due("ann"), -1);
  EXPECT_EQ(change({.state = WorldState::running}), "running");
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return due("ann") > 0; }));
  clock.advance(6'000);
  EXPECT_TRUE(test::eventually(io, [&] { return stored("ann").population.uneducated == 10; }));
  run(larder->background.stop());
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesWorldsTest, a_town_of_a_world_that_was_opened_meanwhile_stays_due) {
  make_world();
  join("ann");
  auto const opened = run(larder->tribes.open(world())).value();
  auto const end_updates = [&](std::int64_t world_revision, std::optional<std::int64_t> revision) {
    run(larder->redis.run(redis::Use::write,
                          scripts::end_updates(*opened, user("ann"), world_revision, revision)));
    return due("ann");
  };
  auto const revision = opened->info()->revision;
  EXPECT_GT(end_updates(revision - 1, 1), 0);
  EXPECT_GT(end_updates(revision, 2), 0);
  EXPECT_GT(end_updates(revision, std::nullopt), 0);
  EXPECT_EQ(end_updates(revision, 1), -1);
}

TEST_F(TribesWorldsTest, a_job_that_was_asked_for_again_is_done_again) {
  make_world();
  auto const opened = run(larder->tribes.open(world())).value();
  cli({"ZADD", "{tribes:w}:jobs", "1800000000000", "reschedule"});
  auto const finish = [&](std::string_view due) {
    run(larder->redis.run(redis::Use::write, scripts::finish_job(*opened, "reschedule", due)));
    return cli({"ZCARD", "{tribes:w}:jobs"});
  };
  EXPECT_EQ(finish("1800000000001"), "1");
  EXPECT_EQ(finish("1800000000000"), "0");
}

TEST_F(TribesWorldsTest, a_world_that_was_closed_before_it_was_judged_is_judged_when_it_is_opened) {
  auto rules = *pizza_rules();
  rules.goal_coins = 301;
  make_world("w", 1, std::make_shared<Rules const>(rules));
  join("ann");
  auto town = stored("ann");
  town.coin_units = 0;
  put_town(town);
  for (int i = 0; i < 3; ++i) town.lot(LotId::at(std::size_t(i))) = Lot{.building = Building(i)};
  town.population = {.chefs = 5, .salesmice = 5};
  put_town(town);
  clock.advance(day_ms);
  EXPECT_EQ(run(larder->tribes.towns().update(*run(larder->tribes.open(world())).value(), {user("ann")})),
            std::vector<std::exception_ptr>(1));
  EXPECT_EQ(cli({"ZCARD", "{tribes:w}:goals"}), "1");
  change({.state = WorldState::closed});
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"ZCARD", "{tribes:w}:jobs"}) == "0"; }));
  EXPECT_EQ(line().info->state, WorldState::closed);
  change({.state = WorldState::running});
  EXPECT_TRUE(test::eventually(io, [&] { return line().info->state == WorldState::won; }));
  run(larder->background.stop());
}

TEST_F(TribesWorldsTest, verify_knows_that_the_towns_of_an_opened_world_are_about_to_become_due) {
  make_world();
  join("ann");
  run(larder->background.start());
  run(larder->background.stop());
  change({.state = WorldState::closed});
  EXPECT_EQ(differences(), Lines());
  change({.state = WorldState::running});
  EXPECT_EQ(due("ann"), -1);
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesWorldsTest, the_first_to_own_the_goal_wins_and_not_the_first_to_be_updated) {
  auto rules = *pizza_rules();
  rules.goal_coins = 1'000;
  make_world("w", 1, std::make_shared<Rules const>(rules));
  for (auto const* const name : {"ann", "bob", "eve"}) {
    join(name);
    auto town = stored(name);
    town.lot(LotId::at(0)) = Lot{.building = Building::kitchen};
    town.lot(LotId::at(1)) = Lot{.building = Building::shop};
    town.lot(LotId::at(2)) = Lot{.building = Building::house};
    auto const workers = name == std::string_view("bob") ? 5 : name == std::string_view("eve") ? 4 : 3;
    town.population = {.uneducated = 2, .chefs = workers, .salesmice = workers};
    put_town(town);
  }
  clock.advance(3 * day_ms);
  // Ann's town is updated first, although Bob's owned the goal first.
  auto const opened = run(larder->tribes.open(world())).value();
  EXPECT_EQ(run(larder->tribes.towns().update(*opened, {user("ann")})), std::vector<std::exception_ptr>(1));
  EXPECT_EQ(cli({"ZCARD", "{tribes:w}:goals"}), "1");
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return line().info->state == WorldState::won; }));
  EXPECT_EQ(line().info->winner, user("bob"));
  EXPECT_EQ(act("ann", R"({"type":"tap","lot":"1"})"), "world_over");
  EXPECT_EQ(change({.speed = 3}), "world_over");
  EXPECT_EQ(due("ann"), -1);
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"ZCARD", "{tribes:w}:jobs"}) == "0"; }));
  run(larder->background.stop());
  auto const fame = run(larder->tribes.hall_of_fame({}, 10));
  ASSERT_EQ(fame.size(), 1u);
  EXPECT_EQ(fame[0].user_id, user("bob"));
  EXPECT_EQ(fame[0].username, "bob-name");
  EXPECT_EQ(fame[0].players, 3);
  TribesJournal journal(larder->sql);
  auto const standings = run(journal.standings(world(), fame[0].won_at, 0, 10));
  ASSERT_EQ(standings.size(), 3u);
  EXPECT_GE(standings[0].coins, standings[1].coins);
}

TEST_F(TribesWorldsTest, a_world_that_stands_still_shows_one_moment_everywhere) {
  for (bool const won : {false, true}) {
    auto const name = won ? "won" : "closed";
    SCOPED_TRACE(name);
    restart();
    auto rules = *pizza_rules();
    rules.goal_coins = won ? 1'000 : 1'000'000;
    make_world(name, 1, std::make_shared<Rules const>(rules));
    for (auto const* const who : {"ann", "bob"}) {
      ASSERT_TRUE(run(larder->tribes.join(world(name), user(who), who, {})));
      auto town = stored(who, name);
      for (int i = 0; i < 3; ++i) town.lot(LotId::at(std::size_t(i))) = Lot{.building = Building(i)};
      auto const workers = who == std::string_view("bob") ? 5 : 1;
      town.population = {.uneducated = 2, .chefs = workers, .salesmice = workers};
      put_town(town, name);
    }
    auto const opened = run(larder->tribes.open(world(name))).value();
    auto const started = clock.now();
    clock.advance(day_ms);
    EXPECT_EQ(run(larder->tribes.towns().update(*opened, {user("bob")})), std::vector<std::exception_ptr>(1));
    clock.advance(60'000);
    if (!won) ASSERT_TRUE(run(larder->worlds.change(world(name), {.state = WorldState::closed})));
    run(larder->background.start());
    auto const done = [&] {
      return !run(info_of(name))->is_running() && cli({"ZCARD", opened->keys.jobs()}) == "0";
    };
    EXPECT_TRUE(test::eventually(io, done));
    run(larder->background.stop());
    auto const stopped = clock.now();
    clock.advance(day_ms);
    auto const ranked = run(larder->tribes.leaderboard(world(name), 20, {})).value();
    ASSERT_EQ(ranked.size(), 2u);
    for (auto const& each : ranked) {
      auto const seen = state(each.user.str(), name);
      EXPECT_EQ(seen.at("resources").at("coins"), each.coins) << each.user.str();
      EXPECT_EQ(seen.at("timestamp"), stopped.value / 1000);
      EXPECT_EQ(cli({"ZSCORE", opened->keys.updates(), each.user.str()}), "");
    }
    if (!won) continue;
    auto const fame = run(larder->tribes.hall_of_fame({}, 10));
    ASSERT_EQ(fame.size(), 1u);
    EXPECT_EQ(fame[0].coins, ranked[0].coins);
    EXPECT_GT(fame[0].won_at, started);
    EXPECT_LT(fame[0].won_at, stopped + -day_ms / 2);  // when Bob reached the goal, not when he was judged
    TribesJournal journal(larder->sql);
    auto const standings = run(journal.standings(world(name), fame[0].won_at, 0, 10));
    ASSERT_EQ(standings.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(standings[i].coins, ranked[i].coins);
  }
  EXPECT_EQ(run(info_of("won"))->won_at, run(larder->tribes.hall_of_fame({}, 1))[0].won_at);
}

TEST_F(TribesWorldsTest, whoever_owns_the_coins_of_a_lowered_goal_has_reached_it) {
  make_world();
  join("ann");
  join("bob");
  auto town = stored("bob");
  town.coin_units = 5'000 * units_per_whole;
  put_town(town);
  clock.advance(60'000);
  auto rules = *pizza_rules();
  rules.goal_coins = 5'000;
  change({.rules = std::make_shared<Rules const>(rules)});
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return line().info->state == WorldState::won; }));
  EXPECT_EQ(line().info->winner, user("bob"));
  EXPECT_EQ(cli({"ZSCORE", "{tribes:w}:goals", "bob"}), "60000");
  run(larder->background.stop());
}

TEST_F(TribesWorldsTest, the_towns_of_a_deleted_account_become_ruins) {
  make_world();
  make_world("w2");
  join("ann");
  join("bob");
  auto town = stored("ann");
  town.population = {.uneducated = 5, .guards = 5};
  put_town(town);
  run(larder->worlds.make_ruins(user("ann")));
  run(larder->worlds.make_ruins(user("ann")));
  EXPECT_TRUE(stored("ann").ruin);
  EXPECT_EQ(stored("ann").population, Population());
  // A request that was on its way when the account was deleted comes too late.
  EXPECT_EQ(act("ann", R"({"type":"construct","lot":"1","building":"house"})"), "not_joined");
  EXPECT_EQ(due("ann"), -1);
  EXPECT_EQ(run(larder->tribes.leaderboard(world(), 20, {})).value().size(), 1u);
  auto const around = run(larder->tribes.towns_around(world(), town.field, 0)).value();
  ASSERT_EQ(around.size(), 1u);
  EXPECT_EQ(around[0].username, "");
  // Thieves can still come.
  auto bob = stored("bob");
  bob.population.thieves = 1;
  put_town(bob);
  EXPECT_EQ(
      act("bob", fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":1}})", town.field.x, town.field.y)),
      "ok");
  clock.advance(day_ms);
  EXPECT_EQ(state("bob").at("resources").at("coins"), 600);
}

TEST_F(TribesWorldsTest, a_deleted_world_is_gone_and_its_name_is_free) {
  make_world();
  join("ann");
  run(larder->background.start());
  EXPECT_TRUE(run(larder->worlds.remove(world())));
  EXPECT_EQ(join("bob"), "world_not_found");
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"EXISTS", "{tribes:w}:world"}) == "0"; }));
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"KEYS", "{tribes:w}:user*"}).empty(); }));
  make_world();
  EXPECT_EQ(join("ann"), "ok");
  run(larder->background.stop());
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesWorldsTest, the_map_of_a_world_cannot_change) {
  make_world();
  auto rules = *pizza_rules();
  rules.world.zone_size = 11;
  auto const changed = run(larder->worlds.change(world(), {.rules = std::make_shared<Rules const>(rules)}));
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().field, "rules.world");
}

TEST_F(TribesWorldsTest, verify_finds_towns_that_are_lost_changed_or_forgotten) {
  make_world();
  for (auto const* const name : {"ann", "bob", "eve", "joe"}) join(name);
  run(larder->background.start());
  run(larder->background.stop());
  ASSERT_EQ(differences(), Lines());
  auto town = stored("ann");
  add_coins(town, 1);
  put_town(town);
  cli({"DEL", "{tribes:w}:user:bob:gamestate"});
  cli({"ZREM", "{tribes:w}:user_updates", "eve"});
  cli({"ZREM", "{tribes:w}:leaderboard", "joe"});
  auto const found = differences();
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NE(found[0].find("town of ann: Redis has"), std::string::npos);
  EXPECT_NE(found[1].find("town of bob: Redis does not have it"), std::string::npos);
  EXPECT_NE(found[2].find("town of eve: it is never updated"), std::string::npos);
  EXPECT_NE(found[3].find("town of joe: it is not on the leaderboard"), std::string::npos);
}

TEST_F(TribesWorldsTest, a_new_world_waits_until_the_old_one_with_its_id_is_removed) {
  make_world();
  join("ann");
  run(larder->background.start());
  ASSERT_TRUE(run(larder->worlds.remove(world())));
  auto const made = run(larder->worlds.create(world(), 7, pizza_rules()));
  ASSERT_TRUE(made) << made.error().detail;
  EXPECT_EQ(made->info->clock.speed, 7);
  EXPECT_EQ(join("ann"), "ok");
  run(larder->background.stop());
}

}  // namespace

}  // namespace larder::tribes
