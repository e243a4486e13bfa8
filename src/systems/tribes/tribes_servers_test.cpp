// Worlds that another server deletes, a Redis that loses changes, and towns that cannot be read.
#include "systems/tribes/tribes_test.hpp"

namespace larder::tribes {

namespace {

class TribesServersTest : public TribesTest {
 protected:
  std::string seen_by(TribesServer& server, std::string_view who = "ann") {
    auto const state = run(server.tribes.state(world(), user(who)));
    return state ? "ok" : std::string(state.error().code.name);
  }
  WorldPtr opened() { return run(larder->tribes.open(world())).value(); }
  // Removes the keys of the world, and leaves the job in the due set, as if the server had died then.
  void remove_and_die() {
    EXPECT_TRUE(run(larder->worlds.remove(world())));
    drain();
    restart();
    cli({"ZADD", "{tribes:w}:jobs", "1", std::string(job::remove)});
  }
  // The journal gets all events, and the jobs are done.
  void drain() {
    run(larder->background.start());
    EXPECT_TRUE(test::eventually(io, [&] { return cli({"ZCARD", "{tribes:w}:jobs"}) == "0"; }));
    run(larder->background.stop());
  }
  WorldState world_state() {
    run(larder->tribes.towns().refresh(*opened()));
    return opened()->info()->state;
  }
};

TEST_F(TribesServersTest, a_world_that_another_server_has_deleted_is_gone_here_too) {
  make_world();
  join("ann");
  TribesServer other(io, server.url(), sql_url, clock);
  EXPECT_EQ(seen_by(other), "ok");
  EXPECT_TRUE(run(larder->worlds.remove(world())));
  drain();
  EXPECT_EQ(cli({"EXISTS", "{tribes:w}:world"}), "0");
  EXPECT_EQ(seen_by(other), "world_not_found");
  EXPECT_EQ(brief(run(other.tribes.act(world(), user("ann"), action(R"({"type":"tap","lot":"1"})"), {}))),
            "world_not_found");
  EXPECT_EQ(run(other.worlds.change(world(), {.speed = 2})).error().code, errors::world_not_found);
  EXPECT_EQ(run(other.worlds.remove(world())).error().code, errors::world_not_found);
  for (auto const& line : run(other.tribes.worlds())) EXPECT_NE(line.id, world());
  EXPECT_TRUE(run(other.worlds.create(world(), 1, pizza_rules())));
  EXPECT_EQ(seen_by(other), "not_joined");
}

TEST_F(TribesServersTest, a_removal_that_comes_again_leaves_a_new_world_alone) {
  make_world();
  join("ann");
  remove_and_die();
  make_world();
  join("bob");
  drain();
  EXPECT_EQ(seen_by(*larder, "bob"), "ok");
  EXPECT_EQ(cli({"SISMEMBER", std::string(worlds_key), "w"}), "1");
}

// The removal of the first world is still under way when somebody makes a second one.
TEST_F(TribesServersTest, a_slow_removal_leaves_a_new_world_alone) {
  make_world();
  join("ann");
  EXPECT_TRUE(run(larder->worlds.remove(world())));
  World const before(world());
  auto const revision = std::stoll(cli({"GET", "{tribes:w}:world:revision"}));
  drain();
  make_world();
  join("bob");
  std::vector<std::string> const keys{before.keys.town(user("bob"))};
  EXPECT_EQ(run(larder->redis.run(redis::Use::write, scripts::remove_keys(before, revision, keys))).integer(),
            0);
  EXPECT_EQ(seen_by(*larder, "bob"), "ok");
}

TEST_F(TribesServersTest, a_world_that_is_missing_in_the_list_is_listed_again) {
  make_world();
  join("ann");
  cli({"SREM", std::string(worlds_key), "w"});
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"SISMEMBER", std::string(worlds_key), "w"}) == "1"; }));
  run(larder->background.stop());
}

TEST_F(TribesServersTest, a_redis_that_has_lost_the_last_change_of_a_world_counts) {
  make_world();
  join("ann");
  auto const text = cli({"GET", "{tribes:w}:world"});
  auto const revision = cli({"GET", "{tribes:w}:world:revision"});
  EXPECT_TRUE(run(larder->worlds.change(world(), {.speed = 5})));
  EXPECT_EQ(seen_by(*larder), "ok");
  cli({"SET", "{tribes:w}:world", text});
  cli({"SET", "{tribes:w}:world:revision", revision});
  EXPECT_EQ(seen_by(*larder), "ok");
  EXPECT_EQ(opened()->info()->clock.speed, 1);
}

// A server that crowns a winner looks at a moment that it chose while the world was still running.
TEST_F(TribesServersTest, no_heist_comes_after_the_end_of_a_world_that_another_server_has_stopped) {
  make_world();
  for (auto const* const name : {"ann", "bob"}) join(name);
  auto ann = stored("ann");
  ann.population.thieves = 1;
  put_town(ann);
  auto const bob = stored("bob");
  act("ann", fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":1}})", bob.field.x, bob.field.y));
  auto const arrival = stored("ann").travels.at(0).arrival_at;
  TribesServer other(io, server.url(), sql_url, clock);
  auto const seen_there = run(other.tribes.open(world())).value();
  EXPECT_TRUE(run(larder->worlds.change(world(), {.state = WorldState::closed})));
  ASSERT_TRUE(seen_there->info()->is_running()) << "the other server has already noticed";
  auto const read = run(other.tribes.towns().read_at(*seen_there, {user("ann")}, arrival + 1));
  EXPECT_LT(read.towns.at(0)->town.at, arrival);
  EXPECT_FALSE(stored("ann").travels.at(0).returning);
}

TEST_F(TribesServersTest, a_town_that_cannot_be_read_does_not_keep_the_others_from_winning) {
  auto rules = *pizza_rules();
  rules.goal_coins = 1'000;
  make_world("w", 1, std::make_shared<Rules const>(rules));
  join("ann");
  join("bob");
  cli({"SET", "{tribes:w}:user:ann:gamestate", "{}"});
  auto town = stored("bob");
  town.coin_units = 999 * units_per_whole;
  for (int i = 0; i < 3; ++i) town.lot(LotId::at(std::size_t(i))) = Lot{.building = Building(i)};
  town.population = {.chefs = 5, .salesmice = 5};
  put_town(town);
  clock.advance(600'000);
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return world_state() == WorldState::won; }));
  run(larder->background.stop());
}

// One script writes all three towns.
TEST_F(TribesServersTest, a_history_that_cannot_be_read_does_not_hold_up_the_other_towns) {
  make_world();
  for (auto const* const name : {"ann", "bob", "eve"}) join(name);
  cli({"SET", "{tribes:w}:user:bob:ts_coins", "x"});
  clock.advance(900'000);
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] {
    clock.advance(100);
    return cli({"ZRANGE", "{tribes:w}:user_updates:dead", "0", "-1"}) == "bob";
  }));
  EXPECT_GE(stored("ann").at.value, 900'000);
  EXPECT_GE(stored("eve").at.value, 900'000);
  EXPECT_EQ(stored("bob").at.value, 0);
  run(larder->background.stop());
}

TEST_F(TribesServersTest, a_world_that_cannot_be_read_does_not_hide_the_others) {
  make_world();
  make_world("x");
  join("ann");
  restart();
  cli({"SET", "{tribes:x}:world", "{}"});
  auto const lines = run(larder->tribes.worlds());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].id, world());
  EXPECT_THROW(run(larder->worlds.make_ruins(user("ann"))), CorruptDocument);
  EXPECT_EQ(seen_by(*larder), "not_joined") << "the town is a ruin";
}

TEST_F(TribesServersTest, a_ruin_keeps_no_history_and_no_reports) {
  make_world();
  join("ann");
  EXPECT_EQ(cli({"EXISTS", "{tribes:w}:user:ann:ts_coins"}), "1");
  run(larder->worlds.make_ruins(user("ann")));
  EXPECT_EQ(cli({"KEYS", "{tribes:w}:user:ann:ts_*"}), "");
  auto const history = run(larder->tribes.history(world(), user("ann"), Resource::coins, {}));
  EXPECT_EQ(history.error().code, errors::not_joined);
}

TEST_F(TribesServersTest, verify_compares_the_coins_of_the_leaderboard) {
  make_world();
  for (auto const* const name : {"ann", "bob"}) join(name);
  run(larder->worlds.make_ruins(user("bob")));
  drain();
  ASSERT_EQ(differences(), Lines());
  cli({"ZADD", "{tribes:w}:leaderboard", "301", "ann"});
  cli({"ZADD", "{tribes:w}:leaderboard", "300", "bob"});
  EXPECT_EQ(differences(), (Lines{"world w: town of ann: it owns 300 coins, but the leaderboard says 301",
                                  "world w: town of bob: it is a ruin, but on the leaderboard"}));
}

}  // namespace

}  // namespace larder::tribes
