#include "systems/tribes/town_document.hpp"
#include "systems/tribes/tribes_test.hpp"

namespace larder::tribes {

namespace {

class TribesTownsTest : public TribesTest {};

TEST_F(TribesTownsTest, a_player_joins_once_and_gets_a_town_near_the_centre) {
  make_world();
  EXPECT_EQ(act("ann", R"({"type":"tap","lot":"1"})"), "not_joined");
  EXPECT_EQ(join("ann"), "ok");
  EXPECT_EQ(join("ann"), "already_joined");
  auto const shown = state("ann");
  EXPECT_EQ(shown.at("resources"), json::parse(R"({"coins": 300, "pizzas": 0})"));
  EXPECT_EQ(shown.at("lots"), json::object());
  auto const town = stored("ann");
  EXPECT_GE(town.field.x, 50);
  EXPECT_LE(town.field.x, 59);
  EXPECT_GE(town.field.y, 50);
  EXPECT_LE(town.field.y, 59);
  EXPECT_EQ(cli({"ZSCORE", "{tribes:w}:leaderboard", "ann"}), "300");
  EXPECT_EQ(cli({"HGET", "{tribes:w}:names", "ann"}),
            fmt::format("{},{} ann-name", town.field.x, town.field.y));
  EXPECT_EQ(due("ann"), double(test_start_ms + 900'000));
}

TEST_F(TribesTownsTest, unknown_worlds_are_refused) {
  EXPECT_EQ(join("ann"), "world_not_found");
  EXPECT_EQ(act("ann", R"({"type":"tap","lot":"1"})"), "world_not_found");
  make_world();
  EXPECT_EQ(run(larder->worlds.create(world(), 1, pizza_rules())).error().code, errors::world_exists);
}

TEST_F(TribesTownsTest, a_construction_completes_at_its_time_and_is_paid_for) {
  make_world();
  join("ann");
  EXPECT_EQ(act("ann", R"({"type":"construct","lot":"1","building":"house"})"), "ok");
  EXPECT_EQ(act("ann", R"({"type":"construct","lot":"1","building":"kitchen"})"), "lot_taken");
  EXPECT_EQ(due("ann"), double(test_start_ms + 10'000));
  clock.advance(9'999);
  EXPECT_EQ(state("ann").at("population").at("uneducated"), 0);
  clock.advance(1);
  EXPECT_EQ(state("ann").at("population").at("uneducated"), 10);
  EXPECT_EQ(state("ann").at("resources").at("coins"), 200);
  EXPECT_EQ(act("ann", R"({"type":"construct","lot":"2","building":"house"})"),
            R"(not_enough_coins {"needs":17000})");
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesTownsTest, the_updater_completes_what_is_due_even_after_a_day_without_servers) {
  make_world();
  join("ann");
  for (auto const* const what : {R"({"type":"construct","lot":"1","building":"house"})",
                                 R"({"type":"construct","lot":"2","building":"kitchen"})",
                                 R"({"type":"construct","lot":"3","building":"shop"})",
                                 R"({"type":"construct","lot":"4","building":"school"})"}) {
    EXPECT_EQ(act("ann", what), "ok");
  }
  clock.advance(60'000);
  EXPECT_EQ(act("ann", R"({"type":"train","education":"chef","amount":3})"), "ok");
  EXPECT_EQ(act("ann", R"({"type":"train","education":"salesmouse","amount":7})"), "ok");
  restart();
  clock.advance(day_ms);
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return due("ann") == double(clock.now().value + 900'000); }));
  auto const town = stored("ann");
  EXPECT_EQ(town.population, (Population{.chefs = 3, .salesmice = 7}));
  EXPECT_GT(town.coins(), 1000);
  EXPECT_EQ(town.trainings, std::vector<Training>());
  run(larder->background.stop());
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesTownsTest, an_idempotency_key_gets_the_same_answer_again) {
  make_world();
  EXPECT_EQ(join("ann", key("j")), "ok");
  EXPECT_EQ(join("ann", key("j")), "ok, again");
  auto const* const house = R"({"type":"construct","lot":"1","building":"house"})";
  EXPECT_EQ(act("ann", house, key("a")), "ok");
  EXPECT_EQ(act("ann", house, key("a")), "ok, again");
  EXPECT_EQ(act("ann", house, key("a", "other body")), "idempotency_conflict");
  EXPECT_EQ(stored("ann").constructions.size(), 1u);
  // A refusal is kept, too, even if the action would be allowed by now.
  auto const* const tap = R"({"type":"tap","lot":"1"})";
  EXPECT_EQ(act("ann", tap, key("t")), "lot_empty");
  clock.advance(60'000);
  EXPECT_EQ(act("ann", tap, key("t")), "lot_empty, again");
  EXPECT_EQ(act("ann", tap, key("t2")), "not_tappable");
}

TEST_F(TribesTownsTest, a_heist_changes_both_towns_in_one_step_and_both_get_a_report) {
  make_world();
  join("ann");
  join("bob");
  auto ann = stored("ann");
  ann.population.thieves = 10;
  put_town(ann);
  auto const bob = stored("bob");
  auto const steal = fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":4}})", bob.field.x, bob.field.y);
  EXPECT_EQ(act("ann", steal), "ok");
  EXPECT_EQ(stored("bob").arrivals.size(), 1u);
  EXPECT_EQ(
      act("ann", fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":4}})", ann.field.x, ann.field.y)),
      "own_town");
  EXPECT_EQ(act("ann", R"({"type":"steal","x":0,"y":0,"thieves":1})"), "no_town_there");
  EXPECT_EQ(
      act("ann", fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":7}})", bob.field.x, bob.field.y)),
      "not_enough_thieves");
  auto const way = travel_ms(ann.field, bob.field, *pizza_rules());
  clock.advance(way);
  EXPECT_EQ(state("bob").at("resources").at("coins"), 0);  // reading resolves what is due
  EXPECT_EQ(stored("ann").travels.at(0).coins, 300);
  EXPECT_TRUE(stored("ann").travels.at(0).returning);
  clock.advance(way);
  EXPECT_EQ(state("ann").at("resources").at("coins"), 600);
  EXPECT_EQ(state("ann").at("population").at("thieves"), 10);
  for (auto const* const who : {"ann", "bob"}) {
    auto const reports = run(larder->tribes.reports(world(), user(who), "", 50)).value();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].data.at("loot"), 300);
    EXPECT_EQ(reports[0].data.at("at"), test_start_ms + way);
    EXPECT_FALSE(reports[0].read);
    EXPECT_TRUE(run(larder->tribes.mark_read(world(), user(who), reports[0].id)));
    EXPECT_TRUE(run(larder->tribes.reports(world(), user(who), "", 50)).value()[0].read);
  }
  EXPECT_EQ(run(larder->tribes.mark_read(world(), user("ann"), "1-1")).error().code,
            errors::report_not_found);
}

TEST_F(TribesTownsTest, heists_in_a_circle_are_resolved_in_their_order_however_late) {
  make_world();
  std::vector<std::string> const names{"a", "b", "c", "d"};
  for (auto const& name : names) {
    join(name);
    auto town = stored(name);
    town.population.thieves = 20;
    town.population.guards = 3;
    add_coins(town, 50'000);
    put_town(town);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const target = stored(names[(i + 1) % names.size()]).field;
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(act(names[i], fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":{}}})", target.x,
                                          target.y, 2 + k)),
                "ok");
      clock.advance(1'000);
    }
  }
  clock.advance(10 * day_ms);
  std::int64_t coins = 0;
  for (auto const& name : names) coins += state(name).at("resources").at("coins").as_int64();
  EXPECT_EQ(coins, 4 * 50'300);  // nobody has kitchens or shops
  for (auto const& name : names) {
    auto const town = stored(name);
    EXPECT_EQ(town.arrivals, std::vector<Arrival>());
    EXPECT_EQ(run(larder->tribes.reports(world(), user(name), "", 50)).value().size(), 6u);
  }
}

TEST_F(TribesTownsTest, a_town_is_read_at_a_moment_unless_it_is_past_it) {
  make_world();
  join("ann");
  clock.advance(5'000);
  join("bob");
  auto const opened = run(larder->tribes.open(world())).value();
  auto reading = larder->tribes.towns().read_at(*opened, {user("ann"), user("bob")}, GameMs{2'000});
  auto const read = run(std::move(reading));
  EXPECT_EQ(read.towns.at(0)->town.at, GameMs{2'000});
  EXPECT_EQ(read.towns.at(1)->town.at, GameMs{5'000});
}

TEST_F(TribesTownsTest, of_many_actions_at_once_each_happens_once) {
  make_world();
  join("ann");
  auto town = stored("ann");
  add_coins(town, 1'000'000);
  put_town(town);
  TribesServer other(io, server.url(), sql_url, clock);
  std::vector<Task<Result<Answered>>> tasks;
  for (int i = 0; i < 10; ++i) {
    auto& tribes = i % 2 == 0 ? larder->tribes : other.tribes;
    tasks.push_back(tribes.act(world(), user("ann"),
                               Construct{.lot = LotId::at(std::size_t(i)), .building = Building::house}, {}));
  }
  for (auto const& answered : run(when_all(std::move(tasks)))) EXPECT_TRUE(answered);
  auto const after = stored("ann");
  EXPECT_EQ(after.constructions.size(), 10u);
  EXPECT_EQ(after.coins(), 1'000'300 - 100 - 9 * 17'000);
}

TEST_F(TribesTownsTest, a_town_that_is_watched_is_updated_more_often) {
  make_world();
  join("ann");
  run(larder->background.start());
  auto const opened = run(larder->tribes.open(world())).value();
  run(larder->tribes.watch(*opened, {user("ann")}));
  EXPECT_TRUE(test::eventually(io, [&] { return due("ann") == double(test_start_ms + 10'000); }));
  run(larder->background.stop());
  restart();
  clock.advance(limits::watched_ms + 1);
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return due("ann") == double(clock.now().value + 900'000); }));
  run(larder->background.stop());
}

TEST_F(TribesTownsTest, history_and_leaderboard_and_map_show_what_the_towns_have) {
  make_world();
  join("ann");
  join("bob");
  auto town = stored("bob");
  add_coins(town, 700);
  put_town(town);
  auto const board = run(larder->tribes.leaderboard(world(), 20, {})).value();
  ASSERT_EQ(board.size(), 2u);
  EXPECT_EQ(board[0].username, "bob-name");
  EXPECT_EQ(board[0].coins, 1000);
  EXPECT_EQ(board[0].field, town.field);
  EXPECT_EQ(board[1].username, "ann-name");
  auto const points =
      run(larder->tribes.history(
              world(), user("bob"), Resource::coins,
              {.from = clock.now() + -day_ms, .to = clock.now() + 1, .stretch_ms = 3'600'000}))
          .value();
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].count, 2);
  EXPECT_EQ(points[0].min, 300);
  EXPECT_EQ(points[0].max, 1000);
  auto const around = run(larder->tribes.towns_around(world(), town.field, 0)).value();
  ASSERT_EQ(around.size(), 1u);
  EXPECT_EQ(around[0].user, user("bob"));
  EXPECT_EQ(run(larder->tribes.towns_around(world(), {55, 55}, 50)).value().size(), 2u);
  EXPECT_EQ(run(larder->tribes.history(world(), user("eve"), Resource::coins, {})).error().code,
            errors::not_joined);
}

TEST_F(TribesTownsTest, a_corrupt_map_refuses_joins_and_nothing_else) {
  make_world();
  EXPECT_EQ(join("ann"), "ok");
  for (auto const* const field : {"1,2", "-55,55", "x"}) {
    cli({"HSET", "{tribes:w}:zone:5,5", field, "bob"});
    EXPECT_THROW(join("eve"), CorruptDocument);
    cli({"HDEL", "{tribes:w}:zone:5,5", field});
  }
  EXPECT_EQ(join("eve"), "ok");
}

TEST_F(TribesTownsTest, a_corrupt_town_goes_to_the_dead_set_and_the_others_go_on) {
  make_world();
  join("ann");
  join("bob");
  cli({"SET", "{tribes:w}:user:ann:gamestate", R"({"resources": 7})"});
  clock.advance(900'000);
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] {
    clock.advance(1'000);
    return cli({"ZSCORE", "{tribes:w}:user_updates:dead", "ann"}) != "";
  }));
  EXPECT_NE(cli({"HGET", "{tribes:w}:user_updates:dead:why", "ann"}).find("gamestate is corrupt: lots"),
            std::string::npos);
  EXPECT_TRUE(test::eventually(io, [&] { return due("bob") > double(clock.now().value); }));
  EXPECT_THROW(state("ann"), CorruptDocument);
  run(larder->background.stop());
  auto const found = differences();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(found[0].find("town of ann: it is dead"), std::string::npos) << found[0];
  EXPECT_NE(found[1].find("town of ann: lots"), std::string::npos) << found[1];
}

TEST_F(TribesTownsTest, of_towns_that_are_due_together_each_one_is_updated_by_itself) {
  make_world();
  std::vector<UserId> users;
  for (auto const* const name : {"ann", "bob", "cat", "dan", "eve"}) {
    join(name);
    users.push_back(user(name));
  }
  auto const world = run(larder->tribes.open(this->world())).value();
  // Returns the users whose update fails. All others reach the present.
  auto const update = [&] {
    std::string failed;
    auto const failures = run(larder->tribes.towns().update(*world, users));
    for (std::size_t i = 0; i < users.size(); ++i) {
      auto const& name = users[i].str();
      if (failures[i]) {
        failed += name + " ";
      } else {
        EXPECT_EQ(stored(name).at, world->info()->game_at(clock.now())) << name;
      }
    }
    return failed;
  };
  clock.advance(900'000);
  EXPECT_EQ(update(), "");

  auto bob = stored("bob");
  bob.population.thieves = 3;
  put_town(bob);
  auto const cat = stored("cat").field;
  EXPECT_EQ(act("bob", fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":3}})", cat.x, cat.y)), "ok");
  auto const thieves_arrive = 24 * 60 * 60 * 1000;
  clock.advance(thieves_arrive);
  cli({"DEL", "{tribes:w}:user:ann:ts_coins"});
  cli({"SET", "{tribes:w}:user:ann:ts_coins", "not a series"});
  EXPECT_EQ(update(), "ann ");
  EXPECT_TRUE(stored("cat").arrivals.empty());
  EXPECT_TRUE(stored("bob").travels.empty() || stored("bob").travels[0].returning);

  cli({"DEL", "{tribes:w}:user:ann:ts_coins"});
  users.push_back(user("nobody"));
  clock.advance(900'000);
  auto const failures = run(larder->tribes.towns().update(*world, users));
  EXPECT_EQ(failures, std::vector<std::exception_ptr>(6));
  EXPECT_EQ(stored("ann").at, world->info()->game_at(clock.now()));
}

// A script that failed in the middle would keep its first half.
TEST_F(TribesTownsTest, a_key_of_another_type_stops_a_change_before_its_first_write) {
  make_world();
  join("ann");
  auto town = stored("ann");
  add_coins(town, 1'000'000);
  put_town(town);
  auto const before = stored("ann");
  IdempotencyKey const once{.key = "k", .fingerprint = "f"};
  auto const build = R"({"type":"construct","lot":"2","building":"house"})";
  for (auto const* const name : {"outbox", "leaderboard", "user_updates", "watched", "goals", "jobs"}) {
    auto const key = fmt::format("{{tribes:w}}:{}", name);
    cli({"RENAME", key, key + ":kept"});
    cli({"SET", key, "x"});
    EXPECT_ANY_THROW(act("ann", build, once)) << name;
    EXPECT_EQ(stored("ann"), before) << name;
    cli({"DEL", key});
    cli({"RENAME", key + ":kept", key});
  }
  EXPECT_EQ(act("ann", build, once), "ok");
  EXPECT_NE(stored("ann"), before);
}

TEST_F(TribesTownsTest, a_world_with_a_corrupt_key_is_reported_and_the_others_are_verified) {
  make_world();
  join("ann");
  run(larder->background.start());
  run(larder->background.stop());  // now SQL knows the world
  cli({"DEL", "{tribes:w}:leaderboard"});
  cli({"SET", "{tribes:w}:leaderboard", "x"});
  auto const found = differences();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("it cannot be verified"), std::string::npos) << found[0];
}

}  // namespace

}  // namespace larder::tribes
