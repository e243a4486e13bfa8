// What `larder tribes verify` notices: each change by hand, and an older copy of Redis.
#include "systems/tribes/tribes_test.hpp"

namespace larder::tribes {

namespace {

using Command = std::vector<std::string>;

class TribesVerifyTest : public TribesTest {
 protected:
  TribesVerifyTest() : TribesTest(false) {}  // this test uses scripts of its own

  // Ann, Bob and Joe play in the world w. Eve's town is a ruin, and the journal has all events.
  void play() {
    make_world("w", 10);
    for (auto const* const name : {"ann", "bob", "eve", "joe"}) ASSERT_EQ(join(name), "ok");
    ASSERT_EQ(act("ann", R"({"type":"construct","lot":"1","building":"house"})"), "ok");
    run(larder->worlds.make_ruins(user("eve")));
    clock.advance(5'000);
    ASSERT_EQ(act("ann", R"({"type":"construct","lot":"2","building":"kitchen"})"), "ok");
    journal_events();
    bob = stored("bob").field;
  }
  void journal_events() {
    run(larder->background.start());
    run(larder->background.stop());
    restart();
  }
  // Database 1 has a copy of everything.
  void keep_copy() {
    cli({"EVAL",
         "for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', 1, 'REPLACE') "
         "end",
         "0"});
  }
  void bring_copy_back() {
    cli({"EVAL",
         "redis.call('FLUSHDB') redis.call('SELECT', 1) for _, key in ipairs(redis.call('KEYS', '*')) do "
         "redis.call('COPY', key, key, 'DB', 0) end",
         "0"});
    restart();
  }
  static std::string in_world(std::string_view key) { return fmt::format("{{tribes:w}}:{}", key); }
  Command edited(std::string_view key, std::string const& from, std::string const& to) {
    auto text = cli({"GET", in_world(key)});
    auto const place = text.find(from);
    EXPECT_NE(place, std::string::npos) << key << from << text;
    if (place != std::string::npos) text.replace(place, from.size(), to);
    return {"SET", in_world(key), text};
  }
  std::string zone() const { return in_world(fmt::format("zone:{},{}", bob.x / 10, bob.y / 10)); }
  std::string field() const { return fmt::format("{},{}", bob.x, bob.y); }

  Field bob;
};

TEST_F(TribesVerifyTest, notices_every_change_by_hand) {
  play();
  ASSERT_EQ(differences(), Lines());
  keep_copy();
  auto const* const town = "user:bob:gamestate";
  struct Case {
    Command change;
    std::string_view expected;
  };
  Case const cases[] = {
      {edited(town, R"("coins":300)", R"("coins":301)"), "town of bob: Redis has"},
      {{"DEL", in_world(town)}, "town of bob: Redis does not have it"},
      {{"DEL", in_world("user:bob:gamestate:revision")}, "town of bob: its revision is"},
      {{"SET", in_world("user:bob:gamestate:revision"), "abc"}, "town of bob: its revision is"},
      {{"SET", in_world("user:bob:ts_coins"), "abc"}, "town of bob: its history is a string"},
      {{"ZREM", in_world("user_updates"), "bob"}, "town of bob: it is never updated"},
      {{"ZADD", in_world("user_updates"), "253370764800000", "bob"}, "town of bob: it is updated at"},
      {{"ZADD", in_world("user_updates:dead"), "1", "bob"}, "town of bob: it is dead"},
      {{"ZREM", in_world("leaderboard"), "bob"}, "town of bob: it is not on the leaderboard"},
      {{"ZADD", in_world("leaderboard"), "7", "bob"}, "town of bob: it owns 300 coins"},
      {{"ZADD", in_world("leaderboard"), "7", "stranger"}, "stranger is on the leaderboard, but has no town"},
      {{"ZADD", in_world("leaderboard"), "7", "eve"}, "town of eve: it is a ruin, but on the leaderboard"},
      {{"HDEL", in_world("names"), "bob"}, "town of bob: the names say"},
      {{"HSET", in_world("names"), "bob", field() + " Mallory"}, "town of bob: the names say"},
      {{"HSET", in_world("names"), "mallory", "1,1 Mallory"}, "town of mallory: the names have its player"},
      {{"DEL", in_world("names")}, "town of ann: the names say"},
      {{"HDEL", zone(), field()}, "town of bob: it is not on the map"},
      {{"HSET", zone(), field(), "ann"}, "town of bob: the map has ann on its field"},
      {{"HSET", zone(), "1,1", "bob"}, "bob is on the map at 1,1, but has a town on another field"},
      {{"HSET", zone(), "1,1", "mallory"}, "mallory is on the map at 1,1, but has no town"},
      {{"DEL", zone()}, "it is not on the map"},
      {{"DEL", in_world("world")}, "world w: Redis does not have its document"},
      {{"SET", in_world("world"), "{}"}, "world w: its document is corrupt"},
      {edited("world", R"("speed":10,)", R"("speed":10000,)"),
       "its document says speed 10000, its events make 10"},
      {edited("world", R"("running")", R"("closed")"), R"(its document says state "closed")"},
      {edited("world", R"({)", R"({"winner":"bob",)"),
       R"(its document says winner "bob", its events make nothing)"},
      {edited("world", R"({)", R"({"deleted":true,)"), "its document says deleted true"},
      {edited("world", R"("baseReal":17)", R"("baseReal":16)"), "its document says baseReal 16"},
      {edited("world", R"("pizza_price":1)", R"("pizza_price":1000000)"), "its document says eras"},
      {{"DEL", in_world("world:revision")}, "the revision of its document is"},
      {{"SREM", std::string(worlds_key), "w"}, "it is not in the list of worlds"},
      {{"SET", in_world("reached"), "9000000000000000"}, "the towns have reached"},
      {{"SET", in_world("reached"), "1"}, "the towns have reached"},
      {{"DEL", in_world("reached")}, "the towns have reached"},
      {{"ZADD", in_world("goals"), "1", "bob"}, "town of bob: it has reached the goal at \"1\""},
      {{"ZADD", in_world("goals"), "1", "stranger"}, "stranger has reached the goal, but has no town"},
      {{"ZADD", in_world("jobs"), "1", "judge"}, "the job judge does not follow from its events"},
      {{"ZADD", in_world("jobs"), "1", "remove"}, "the job remove does not follow from its events"},
      {{"ZADD", in_world("jobs:dead"), "1", "reschedule"}, "the job reschedule is dead"},
      {{"DEL", in_world("outbox")}, "SQL has events up to"},
  };
  for (auto const& [change, expected] : cases) {
    cli(change);
    auto const found = differences();
    bool const noticed = std::ranges::any_of(
        found, [&](auto const& line) { return line.find(expected) != std::string::npos; });
    EXPECT_TRUE(noticed) << testing::PrintToString(change) << " " << testing::PrintToString(found);
    bring_copy_back();
  }
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesVerifyTest, notices_a_living_town_of_a_deleted_account) {
  play();
  is_deleted = [](UserId who) -> Task<bool> { co_return who.str() == "joe" || who.str() == "eve"; };
  EXPECT_EQ(differences(),
            Lines{"world w: town of joe: its player's account was deleted, but it is no ruin"});
}

TEST_F(TribesVerifyTest, notices_a_world_with_towns_that_was_created_again) {
  play();
  auto const ms = SystemClock().now().value + 60'000;
  larder->sql.write_now([&](sql::Session& session) {
    session.execute(
        "INSERT INTO tribes_event (world, event_ms, event_seq, type, user_id, game_ms, data) SELECT world, "
        "?, 0, type, "
        "user_id, game_ms, data FROM tribes_event WHERE world = 'w' AND type = 'created'",
        {ms});
  });
  auto const found = differences();
  bool const noticed = std::ranges::any_of(
      found, [](auto const& line) { return line.find("has created it again") != std::string::npos; });
  EXPECT_TRUE(noticed) << testing::PrintToString(found);
}

TEST_F(TribesVerifyTest, a_lost_town_comes_back_and_its_player_cannot_found_another) {
  play();
  clock.advance(20'000);
  auto const before = state("ann");
  cli({"DEL", in_world("user:ann:gamestate")});
  EXPECT_THROW(join("ann"), CorruptDocument);
  TribesJournal journal(larder->sql);
  auto const report = run(rebuild(larder->redis, journal, clock, {}));
  EXPECT_EQ(report.towns, 1);
  EXPECT_EQ(report.problems, 0);
  EXPECT_EQ(state("ann"), before);
  EXPECT_EQ(differences(), Lines());
  EXPECT_THROW(run(rebuild(larder->redis, journal, clock, {})), SetupError) << "nothing is lost";
}

TEST_F(TribesVerifyTest, events_that_only_the_outbox_has_survive_a_rebuild) {
  play();
  ASSERT_EQ(act("bob", R"({"type":"construct","lot":"2","building":"kitchen"})"), "ok");
  auto const before = state("bob");
  cli({"DEL", in_world("world")});
  restart();
  TribesJournal journal(larder->sql);
  EXPECT_EQ(run(rebuild(larder->redis, journal, clock, {})).problems, 0);
  EXPECT_EQ(state("bob"), before);
  EXPECT_EQ(differences(), Lines());
  EXPECT_EQ(cli({"XLEN", in_world("outbox")}), "1") << "the projector tells the feed of it";
  journal_events();
  EXPECT_EQ(differences(), Lines());
}

TEST_F(TribesVerifyTest, no_server_starts_on_an_older_redis_until_it_is_rebuilt) {
  play();
  make_world("gone");
  journal_events();
  keep_copy();
  ASSERT_EQ(act("bob", R"({"type":"construct","lot":"2","building":"kitchen"})"), "ok");
  ASSERT_EQ(join("new"), "ok");
  auto const before = state("bob");
  run(larder->background.start());
  ASSERT_TRUE(run(larder->worlds.remove(world("gone"))));
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"EXISTS", "{tribes:gone}:world"}) == "0"; }));
  run(larder->background.stop());
  bring_copy_back();
  EXPECT_THROW(run(larder->background.start()), SetupError);
  TribesJournal journal(larder->sql);
  EXPECT_EQ(run(rebuild(larder->redis, journal, clock, {})).problems, 0);
  restart();
  EXPECT_EQ(state("bob"), before);
  run(larder->background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"EXISTS", "{tribes:gone}:world"}) == "0"; }));
  run(larder->background.stop());
  EXPECT_EQ(differences(), Lines());
}

// Servers that run while an older copy is put back may write to it before they notice.
TEST_F(TribesVerifyTest, a_rebuild_takes_nothing_from_an_older_redis_that_was_written_to) {
  play();
  keep_copy();
  ASSERT_EQ(act("bob", R"({"type":"construct","lot":"2","building":"kitchen"})"), "ok");
  journal_events();
  auto const ann = state("ann");
  auto const bob = state("bob");
  bring_copy_back();
  ASSERT_EQ(act("ann", R"({"type":"construct","lot":"3","building":"shop"})"), "ok");
  ASSERT_EQ(join("new"), "ok");
  TribesJournal journal(larder->sql);
  auto const report = run(rebuild(larder->redis, journal, clock, {}));
  EXPECT_EQ(report.worlds, 1);
  EXPECT_EQ(report.problems, 0);
  restart();
  EXPECT_EQ(state("ann"), ann);
  EXPECT_EQ(state("bob"), bob);
  EXPECT_EQ(cli({"XLEN", in_world("outbox:lost")}), "2") << "for a person to look at";
  EXPECT_EQ(cli({"KEYS", "*:new:*"}), "");
  journal_events();
  EXPECT_EQ(state("ann"), ann);
  EXPECT_EQ(differences(), Lines());
}

}  // namespace

}  // namespace larder::tribes
