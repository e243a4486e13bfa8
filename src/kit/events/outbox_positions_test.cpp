#include "kit/events/outbox_positions.hpp"

#include "kit/events/projector_test.hpp"

namespace larder::events {
namespace {

class LossesTest : public ProjectorTest, public testing::WithParamInterface<std::int64_t> {
 protected:
  LossesTest() : ProjectorTest(GetParam()) {}

  std::vector<Standing> compare() {
    return test::run(larder->io, compare_positions(larder->redis, larder->sql, streams));
  }
  Standing first() { return compare().front(); }
  double lost() {
    return larder->metrics
        .gauge("larder_outbox_lost", "Outboxes of which Redis or SQL has lost a part", {{"outbox", "test"}})
        .Value();
  }
  void stop() {
    test::run(larder->io, larder->projector->stop());
    replace_larder();
  }
  std::string try_to_open() {
    larder->make();
    try {
      test::run(larder->io, larder->projector->open());
    } catch (SetupError const& error) {
      return error.what();
    }
    return "open";
  }
  void project_all() {
    larder->start();
    expect_all(*larder);
    stop();
  }
};
INSTANTIATE_TEST_SUITE_P(keep, LossesTest, testing::Values(0, 16));

TEST_P(LossesTest, both_stores_know_how_far_an_outbox_has_reached) {
  add(0, 40);
  project_all();
  auto const in_sql = larder->sql.read_now(
      [&](sql::Session& session) { return read_positions(session, {streams[0]}).at(streams[0]); });
  EXPECT_EQ(server.cli({"GET", projected_key(streams[0])}), in_sql.str());
  EXPECT_TRUE(first().good());
  EXPECT_EQ(try_to_open(), "open");
}

TEST_P(LossesTest, a_new_outbox_is_created_empty) {
  EXPECT_EQ(try_to_open(), "open");
  EXPECT_EQ(server.cli({"EXISTS", streams[0], streams[1]}), "2");
  EXPECT_EQ(length(0), 0);
  EXPECT_EQ(try_to_open(), "open");
}

TEST_P(LossesTest, an_emptied_redis_is_refused) {
  add(0, 5);
  project_all();
  server.cli({"FLUSHALL"});
  EXPECT_EQ(first().redis_lacks, "{0}:out is missing");
  EXPECT_EQ(
      try_to_open(),
      "this Redis lacks what SQL has: {0}:out is missing. Give the server the newest Redis; if its data "
      "is lost, empty it and run `larder rebuild`");
  EXPECT_EQ(server.cli({"EXISTS", streams[0]}), "0");
}

// Puts a copy of Redis back that was made before the last events.
TEST_P(LossesTest, an_older_redis_is_refused_and_taken_out_of_use) {
  add(0, 5);
  project_all();
  auto const stream = streams[0];
  auto const projected = server.cli({"GET", projected_key(stream)});
  add(0, 5);
  project_all();
  server.cli({"DEL", stream});
  server.cli({"XADD", stream, "MAXLEN", "0", projected, "older", "copy"});
  server.cli({"SET", projected_key(stream), projected});
  EXPECT_TRUE(first().redis_lacks.starts_with(
      fmt::format("{} has reached {}, but SQL has its event ", stream, projected)))
      << first().redis_lacks;
  EXPECT_NE(try_to_open(), "open");

  // A running server notices it with the first event, which is not projected.
  auto const before = numbers(larder->sql, 0);
  server.cli({"XADD", stream, "*", "stream", stream, "n", "99"});
  larder->start();
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 1; }));
  EXPECT_TRUE(test::eventually(larder->io, [&] { return server.cli({"EXISTS", stream}) == "0"; }));
  EXPECT_EQ(server.cli({"XLEN", stream + ":lost"}), "1");
  EXPECT_EQ(numbers(larder->sql, 0), before);
  // The other outbox goes on.
  add(1, 3);
  EXPECT_TRUE(test::eventually(larder->io, [&] { return numbers(larder->sql, 1) == all_of(1); }));
}

TEST_P(LossesTest, an_older_sql_database_is_refused_and_its_events_wait) {
  add(0, 5);
  project_all();
  larder->sql.write_now([&](sql::Session& session) {
    session.execute("UPDATE outbox_position SET event_ms = 1, event_seq = 0 WHERE stream = ?", {streams[0]});
  });
  EXPECT_TRUE(first().redis_lacks.empty());
  EXPECT_TRUE(first().sql_lacks.ends_with("but SQL has its events only up to 1-0")) << first().sql_lacks;
  EXPECT_NE(try_to_open(), "open");
  add(0, 1);
  auto const before = numbers(larder->sql, 0);
  larder->start();
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 1; }));
  EXPECT_EQ(waiting(0), 1);
  EXPECT_EQ(numbers(larder->sql, 0), before);
}

TEST_P(LossesTest, another_sql_database_is_refused) {
  add(0, 5);
  project_all();
  url = "sqlite:" + dir.file("other.db");
  replace_larder();
  make_table(larder->sql);
  EXPECT_TRUE(first().sql_lacks.ends_with("but SQL has its events only up to 0-0")) << first().sql_lacks;
  EXPECT_NE(try_to_open(), "open");
}

TEST_P(LossesTest, a_projector_that_died_before_it_trimmed_lost_nothing) {
  add(0, 25);
  larder->start();
  // The place in Redis stays behind, as if the projector had died after each commit.
  std::atomic<bool> died = false;
  larder->after_write = [&] { died = true; };
  ASSERT_TRUE(test::eventually(larder->io, [&] { return died.load(); }));
  replace_larder();
  EXPECT_TRUE(first().good());
  EXPECT_EQ(try_to_open(), "open");
  larder->start();
  expect_all(*larder);
}

TEST_P(LossesTest, what_is_lost_while_servers_run_is_noticed_and_may_come_back) {
  add(0, 5);
  larder->start();
  expect_all(*larder);
  auto const projected = server.cli({"GET", projected_key(streams[0])});
  server.cli({"DEL", streams[0], projected_key(streams[0])});
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 1; }));
  server.cli({"XADD", streams[0], "MAXLEN", "0", projected, "the", "newest"});
  server.cli({"SET", projected_key(streams[0]), projected});
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 0; }));
}

TEST_P(LossesTest, a_rebuild_makes_both_positions_equal) {
  add(0, 5);
  project_all();
  server.cli({"FLUSHALL"});
  test::run(larder->io, restore_outbox(larder->redis, larder->sql, streams[0], {}));
  EXPECT_TRUE(first().good());
  EXPECT_EQ(try_to_open(), "open");
  EXPECT_EQ(length(0), 0);
  add(0, 3);
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
  EXPECT_EQ(numbers(larder->sql, 0), all_of(0));
}

}  // namespace
}  // namespace larder::events
