// What happens when Redis has lost something.
#include "systems/tribes/tribes_worlds_test.hpp"

namespace larder::tribes {

namespace {

class TribesLossesTest : public TribesWorldsTest {};

TEST_F(TribesLossesTest, a_lost_redis_is_rebuilt_from_the_journal) {
  make_world();
  for (auto const* const name : {"ann", "bob"}) join(name);
  act("ann", R"({"type":"construct","lot":"1","building":"house"})");
  act("ann", R"({"type":"construct","lot":"2","building":"school"})");
  clock.advance(30'000);
  change({.speed = 7});
  act("bob", R"({"type":"construct","lot":"3","building":"kitchen"})");
  act("ann", R"({"type":"train","education":"chef","amount":4})");
  clock.advance(5'000);
  auto const ann = state("ann");
  auto const bob = state("bob");
  auto const info = *line().info;
  run(larder->background.start());
  run(larder->background.stop());
  TribesJournal journal(larder->sql);
  auto const rebuild_now = [&] { return run(rebuild(larder->redis, journal, clock, {})); };
  EXPECT_THROW(rebuild_now(), SetupError);
  cli({"FLUSHALL"});
  EXPECT_FALSE(differences().empty());
  auto const report = rebuild_now();
  EXPECT_EQ(report.problems, 0);
  EXPECT_EQ(report.towns, 2);
  restart();
  EXPECT_EQ(state("ann"), ann);
  EXPECT_EQ(state("bob"), bob);
  EXPECT_EQ(line().info->clock, info.clock);
  EXPECT_EQ(run(larder->tribes.leaderboard(world(), 20, {})).value().size(), 2u);
  EXPECT_EQ(join("ann"), "already_joined");
  EXPECT_EQ(join("eve"), "ok");
  EXPECT_EQ(act("ann", R"({"type":"construct","lot":"5","building":"shop"})"), "ok");
  run(larder->background.start());
  run(larder->background.stop());
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesLossesTest, verify_misses_lost_worlds_but_not_deleted_ones) {
  make_world("gone");
  make_world();
  run(larder->background.start());
  EXPECT_TRUE(run(larder->worlds.remove(world("gone"))));
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"EXISTS", "{tribes:gone}:world"}) == "0"; }));
  run(larder->background.stop());
  TribesJournal journal(larder->sql);
  cli({"FLUSHALL"});
  auto const lost = differences();
  ASSERT_EQ(lost.size(), 2u);
  EXPECT_TRUE(lost[0].starts_with("world default: SQL has events up to"));
  EXPECT_TRUE(lost[1].starts_with("world w: SQL has events up to"));
  EXPECT_EQ(run(rebuild(larder->redis, journal, clock, {})).problems, 0);
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesLossesTest, a_server_refuses_a_redis_that_has_lost_a_world) {
  run(larder->background.start());
  make_world();
  join("ann");
  EXPECT_TRUE(run(larder->worlds.remove(world())));
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"EXISTS", "{tribes:w}:world"}) == "0"; }));
  run(larder->background.stop());
  restart();
  run(larder->background.start());  // a deleted world is not lost
  run(larder->background.stop());
  cli({"FLUSHALL"});
  restart();
  run(larder->background.start());  // and nothing was in the default world
  EXPECT_TRUE(run(larder->tribes.join(world("default"), user("ann"), "Ann", {})));
  run(larder->background.stop());
  cli({"FLUSHALL"});
  restart();
  EXPECT_THROW(run(larder->background.start()), SetupError);
  EXPECT_EQ(cli({"DBSIZE"}), "0");
}

TEST_F(TribesLossesTest, a_lost_world_is_not_replaced_by_an_empty_one) {
  make_world();
  make_world("empty");
  join("ann");
  auto const create = [&](std::string_view name) {
    auto const made = run(larder->worlds.create(world(name), 1, pizza_rules()));
    return made ? "ok" : std::string(made.error().code.name);
  };
  cli({"DEL", "{tribes:w}:world"});
  EXPECT_EQ(create("w"), "world_lost") << "only the outbox has its events";
  run(larder->background.start());
  run(larder->background.stop());
  cli({"FLUSHALL"});
  EXPECT_EQ(create("w"), "world_lost");
  EXPECT_EQ(create("empty"), "ok");
  EXPECT_EQ(create("empty"), "world_exists");
}

}  // namespace

}  // namespace larder::tribes
