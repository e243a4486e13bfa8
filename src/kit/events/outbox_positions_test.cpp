#include "kit/events/outbox_positions.hpp"

#include "kit/events/dead_events.hpp"
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

  // It is taken away again if it comes back.
  server.cli({"XADD", stream, "*", "stream", stream, "n", "100"});
  EXPECT_TRUE(test::eventually(larder->io, [&] { return server.cli({"EXISTS", stream}) == "0"; }));
  std::vector<Event> kept;
  auto const keep_it = [&](Event event) { kept.push_back(std::move(event)); };
  ASSERT_EQ(test::run(larder->io, each_lost(larder->redis, stream, keep_it)), 2);
  EXPECT_EQ(kept[0].field("n"), "99");
  EXPECT_EQ(kept[1].field("n"), "100");
  EXPECT_EQ(kept[1].find("event"), nullptr);
  EXPECT_EQ(test::run(larder->io, outboxes_with(larder->redis, {lost_suffix})),
            std::vector<std::string>{stream});
  EXPECT_EQ(numbers(larder->sql, 0), before);
}

TEST_P(LossesTest, an_outbox_is_not_taken_away_if_the_newest_redis_is_back) {
  add(0, 5);
  project_all();
  auto const stream = streams[0];
  add(0, 2);
  Standing const seen{.redis_lacks = "something", .exists = true, .projected = redis::parse_stream_id("1-0")};
  EXPECT_EQ(test::run(larder->io, fence_outbox(larder->redis, OutboxKeys(stream), seen)), 0);
  EXPECT_EQ(waiting(0), 2);
  EXPECT_EQ(server.cli({"EXISTS", stream + ":lost"}), "0");
}

TEST_P(LossesTest, of_an_outbox_that_is_taken_away_only_what_sql_lacks_is_kept) {
  add(0, 5);
  project_all();
  auto const stream = streams[0];
  auto const fence = [&] {
    return test::run(larder->io, fence_outbox(larder->redis, OutboxKeys(stream), first()));
  };
  auto const ids = [&](std::string const& key) {
    std::vector<std::string> found;
    for (auto const& event : test::run(larder->io, read_events(larder->redis, key, "-", "+", 100)))
      found.push_back(event.id);
    return found;
  };
  auto const kept = ids(stream);
  add(0, 3);
  auto all = ids(stream);
  all.erase(all.begin(), all.begin() + std::ptrdiff_t(kept.size()));
  EXPECT_EQ(fence(), 3);
  EXPECT_EQ(ids(stream + ":lost"), all);
  EXPECT_EQ(server.cli({"EXISTS", stream}), "0");
  EXPECT_EQ(fence(), 0);
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
  // In this order, because an outbox without its position is taken away.
  server.cli({"SET", projected_key(streams[0]), projected});
  server.cli({"XADD", streams[0], "MAXLEN", "0", projected, "the", "newest"});
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 0; }));
}

TEST_P(LossesTest, an_emptied_redis_that_never_had_an_event_gets_its_outboxes_back) {
  EXPECT_EQ(try_to_open(), "open");
  larder->projector->start();
  server.cli({"FLUSHALL"});
  EXPECT_TRUE(
      test::eventually(larder->io, [&] { return server.cli({"EXISTS", streams[0], streams[1]}) == "2"; }));
  EXPECT_EQ(lost(), 0);
  add(0, 3);
  add(1, 3);
  expect_all(*larder);
}

TEST_P(LossesTest, an_outbox_is_lost_if_it_had_events_that_never_reached_sql) {
  std::atomic<bool> away = true;
  larder->before_write = [&] {
    if (away) throw StoreError("SQL takes nothing", false);
  };
  EXPECT_EQ(try_to_open(), "open");
  larder->projector->start();
  add(0, 2);
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lag() > 0; }));
  server.cli({"FLUSHALL"});
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 1; }));
  larder->io.restart();
  larder->io.run_for(200ms);
  EXPECT_EQ(lost(), 1);
  EXPECT_EQ(server.cli({"EXISTS", streams[0], streams[1]}), "0");
  // The Redis that has them is back.
  away = false;
  added[0] = 0;
  server.cli({"XADD", streams[1], "MAXLEN", "0", "0-1", "an", "outbox"});
  add(0, 2);
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 0; }));
  expect_all(*larder);
}

// What is written to this Redis would keep people from giving the servers the newest one.
TEST_P(LossesTest, no_outbox_is_made_again_while_another_one_is_lost) {
  EXPECT_EQ(try_to_open(), "open");
  larder->projector->start();
  add(0, 2);
  expect_all(*larder);
  server.cli({"FLUSHALL"});
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 1; }));
  larder->io.restart();
  larder->io.run_for(200ms);
  EXPECT_EQ(server.cli({"EXISTS", streams[0], streams[1]}), "0");
}

// As above, but the projector has found that SQL has the last event before it read that event.
TEST_P(LossesTest, an_older_redis_is_noticed_although_the_stores_differed_before) {
  auto const stream = streams[0];
  EXPECT_EQ(try_to_open(), "open");
  add(0, 25);
  auto const last = test::run(larder->io, read_events(larder->redis, stream, "-", "+", 25)).back().id;
  larder->sql.write_now(
      [&](sql::Session& session) { raise_positions(session, {{stream, redis::parse_stream_id(last)}}); });
  larder->projector->start();
  expect_all(*larder);

  server.cli(
      {"EVAL",
       "redis.call('DEL', KEYS[1]) redis.call('XADD', KEYS[1], 'MAXLEN', 0, '1-0', 'older', 'copy') "
       "redis.call('SET', KEYS[2], '1-0') redis.call('XADD', KEYS[1], '*', 'stream', KEYS[1], 'n', '99')",
       "2", stream, projected_key(stream)});
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lost() == 1; }));
  EXPECT_EQ(numbers(larder->sql, 0), all_of(0));
}

TEST_P(LossesTest, no_outbox_is_made_again_while_one_of_another_projector_is_lost) {
  EXPECT_EQ(try_to_open(), "open");
  larder->projector->start();
  larder->sql.write_now([](sql::Session& session) { add_positions(session, {{"{9}:other", {7, 0}}}); });
  server.cli({"FLUSHALL"});
  larder->io.restart();
  larder->io.run_for(200ms);
  EXPECT_EQ(server.cli({"EXISTS", streams[0], streams[1]}), "0");
  // The right Redis is back, or the other outbox was deleted.
  larder->sql.write_now([](sql::Session& session) { forget_positions(session, {{"{9}:other", {7, 0}}}); });
  EXPECT_TRUE(
      test::eventually(larder->io, [&] { return server.cli({"EXISTS", streams[0], streams[1]}) == "2"; }));
}

TEST_P(LossesTest, an_outbox_that_was_deleted_is_neither_lost_nor_made_again) {
  test::run(larder->io, open_outboxes(larder->redis, larder->sql, streams));
  std::atomic<int> looks = 0;
  larder->options.creates = false;
  larder->options.looks_at = [&](std::size_t) { return ++looks > 0; };
  add(0, 5);
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
  auto const look_again = [&] {
    auto const until = looks + 6;
    EXPECT_TRUE(test::eventually(larder->io, [&] { return looks > until; }));
    EXPECT_EQ(lost(), 0);
  };
  larder->sql.write_now([&](sql::Session& session) {
    forget_positions(session, read_positions(session, {streams[0]}));
    EXPECT_TRUE(read_positions(session, {streams[0]}).empty());
  });
  look_again();
  server.cli({"DEL", streams[0], projected_key(streams[0])});
  look_again();
  larder->projector->wake(0);
  look_again();
  EXPECT_EQ(server.cli({"EXISTS", streams[0]}), "0");
}

TEST_P(LossesTest, a_position_that_another_outbox_has_by_now_is_not_forgotten) {
  add(0, 5);
  project_all();
  larder->sql.write_now([&](sql::Session& session) {
    auto const before = read_positions(session, streams);
    EXPECT_EQ(before.at(streams[1]), redis::StreamId{});
    raise_positions(session, {{streams[0], {.ms = before.at(streams[0]).ms + 1}}});
    forget_positions(session, before);
    EXPECT_EQ(read_positions(session, streams).size(), 2U);
  });
}

// A server is killed, an outbox is lost, and another one has events that are nowhere else.
TEST_P(LossesTest, what_the_other_outboxes_have_is_saved_before_a_repair) {
  add(0, 5);
  add(1, 5);
  project_all();
  server.cli({"DEL", streams[0], projected_key(streams[0])});
  add(1, 30);
  server.cli({"SET", streams[1] + ":lease", "of the killed server", "PX", "300"});
  EXPECT_NE(try_to_open(), "open");
  EXPECT_EQ(test::run(larder->io, larder->projector->save()), UnsavedEvents{});
  EXPECT_EQ(numbers(larder->sql, 1), all_of(1));
  EXPECT_EQ(server.cli({"EXISTS", streams[0]}), "0");
  server.cli({"FLUSHALL"});
  test::run(larder->io, restore_outboxes(larder->redis, larder->sql, {{streams[0], {}}, {streams[1], {}}}));
  EXPECT_EQ(try_to_open(), "open");
}

TEST_P(LossesTest, a_server_that_refuses_to_start_takes_no_outbox_away) {
  add(0, 5);
  project_all();
  server.cli({"SET", projected_key(streams[0]), "1-0"});
  server.cli({"XTRIM", streams[0], "MAXLEN", "0"});
  add(0, 3);
  ASSERT_NE(first().redis_lacks, "");
  larder->make();
  EXPECT_EQ(test::run(larder->io, larder->projector->save()), UnsavedEvents{.stranded = {streams[0]}});
  EXPECT_EQ(waiting(0), 3);
}

TEST_P(LossesTest, nothing_is_saved_in_a_database_that_lacks_events) {
  add(0, 5);
  add(1, 5);
  project_all();
  larder->sql.write_now([&](sql::Session& session) {
    session.execute("UPDATE outbox_position SET event_ms = 1, event_seq = 0 WHERE stream = ?", {streams[0]});
  });
  add(1, 3);
  larder->make();
  EXPECT_EQ(test::run(larder->io, larder->projector->save()), UnsavedEvents{.waiting = {streams[1]}});
  EXPECT_EQ(waiting(1), 3);
}

// As when two servers create a world with the same id.
TEST_P(LossesTest, a_late_rebuild_moves_nothing_back_and_adds_no_event) {
  add(0, 5);
  auto const early = redis::StreamId{.ms = 5, .sequence = 1};
  project_all();
  auto const projected = server.cli({"GET", projected_key(streams[0])});
  auto const kept = length(0);
  test::run(larder->io, redis::raise_stream(larder->redis, streams[0], early));
  auto const raised =
      test::run(larder->io, larder->redis.run(redis::Use::idempotent_write,
                                              scripts::outbox_raise(OutboxKeys(streams[0]), early.str())));
  EXPECT_EQ(raised.integer(), 0);
  test::run(larder->io, restore_outbox(larder->redis, larder->sql, streams[0], early));
  EXPECT_EQ(server.cli({"GET", projected_key(streams[0])}), projected);
  EXPECT_EQ(length(0), kept);
  EXPECT_TRUE(first().good());

  auto const late = redis::StreamId{.ms = 9'999'999'999'999, .sequence = 7};
  test::run(larder->io, restore_outbox(larder->redis, larder->sql, streams[0], late));
  EXPECT_EQ(server.cli({"GET", projected_key(streams[0])}), late.str());
  EXPECT_EQ(length(0), kept);
  EXPECT_TRUE(server.cli({"XADD", streams[0], "*", "stream", streams[0], "n", "6"}) > late.str());
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
