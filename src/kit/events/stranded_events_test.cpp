// What a person must know before a Redis is emptied.
#include "kit/events/stranded_events.hpp"

#include "kit/events/dead_events.hpp"
#include "kit/events/projector_test.hpp"

namespace larder::events {
namespace {

using State = StrandedEvent::State;

class StrandedEventsTest : public ProjectorTest, public testing::WithParamInterface<std::int64_t> {
 protected:
  StrandedEventsTest() : ProjectorTest(GetParam()) {}

  void project_all() {
    larder->start();
    ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
    test::run(larder->io, larder->projector->stop());
    replace_larder();
  }
  // Redis gets a copy back from which these events are missing, or wait.
  void make_older(std::size_t stream, std::string const& projected) {
    server.cli({"SET", projected_key(streams[stream]), projected});
    server.cli({"XTRIM", streams[stream], "MAXLEN", "0"});
  }
  UnsavedEvents save() {
    larder->make();
    return test::run(larder->io, larder->projector->save());
  }
  // "<state> <number>", with a question mark if SQL may have the event.
  std::vector<std::string> listed() {
    static constexpr std::string_view names[] = {"waits", "taken", "dead", "retried"};
    std::vector<std::string> found;
    auto const count =
        test::run(larder->io, each_stranded(larder->redis, larder->sql, [&](StrandedEvent const& each) {
                    EXPECT_EQ(each.outbox, each.event.field("stream"));
                    found.push_back(fmt::format("{} {}{}", names[std::size_t(each.state)],
                                                each.event.field("n"), each.sql_may_have_it ? "?" : ""));
                  }));
    EXPECT_EQ(count, std::int64_t(found.size()));
    return found;
  }
  void add_with_id(std::size_t stream, std::string const& id, int number) {
    server.cli({"XADD", streams[stream], id, "stream", streams[stream], "n", std::to_string(number)});
  }
};
using Lines = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(keep, StrandedEventsTest, testing::Values(0, 16));

TEST_P(StrandedEventsTest, events_of_a_damaged_outbox_are_named_and_listed) {
  add(0, 5);
  add(1, 5);
  project_all();
  make_older(0, "1-0");
  EXPECT_EQ(save(), UnsavedEvents{});
  add(0, 2);
  add(1, 2);
  EXPECT_EQ(save(), UnsavedEvents{.stranded = {streams[0]}});
  EXPECT_EQ(numbers(larder->sql, 1), all_of(1));
  EXPECT_EQ(listed(), (Lines{"waits 6", "waits 7"}));
  EXPECT_EQ(waiting(0), 2);
}

TEST_P(StrandedEventsTest, events_that_were_taken_away_are_named_and_listed) {
  add(0, 5);
  project_all();
  make_older(0, "1-0");
  add(0, 2);
  auto const standing =
      test::run(larder->io, compare_positions(larder->redis, larder->sql, {streams[0]})).at(0);
  EXPECT_EQ(test::run(larder->io, fence_outbox(larder->redis, OutboxKeys(streams[0]), standing)), 2);
  EXPECT_EQ(save(), UnsavedEvents{.stranded = {streams[0]}});
  EXPECT_EQ(listed(), (Lines{"taken 6", "taken 7"}));
}

// They waited when the copy was made, and reached SQL later.
TEST_P(StrandedEventsTest, events_of_an_older_copy_that_sql_has_are_marked) {
  for (int i = 1; i <= 4; ++i) add_with_id(0, fmt::format("{}-0", i), i);
  added[0] = 4;
  project_all();
  server.cli({"DEL", streams[0]});
  for (int i = 1; i <= 3; ++i) add_with_id(0, fmt::format("{}-0", i), i);
  server.cli({"SET", projected_key(streams[0]), "1-0"});
  add_with_id(0, "5-0", 5);
  EXPECT_EQ(listed(), (Lines{"waits 2?", "waits 3?", "waits 5"}));
  auto const standing =
      test::run(larder->io, compare_positions(larder->redis, larder->sql, {streams[0]})).at(0);
  EXPECT_EQ(standing.in_sql, (redis::StreamId{.ms = 4}));
  test::run(larder->io, fence_outbox(larder->redis, OutboxKeys(streams[0]), standing));
  EXPECT_EQ(listed(), (Lines{"taken 2?", "taken 3?", "taken 5"}));
}

TEST_P(StrandedEventsTest, whole_outboxes_strand_nothing) {
  add(0, 5);
  project_all();
  add(0, 3);
  EXPECT_EQ(listed(), Lines{});
}

TEST_P(StrandedEventsTest, a_database_that_lacks_events_is_not_asked_what_it_has) {
  add(0, 5);
  project_all();
  larder->sql.write_now([&](sql::Session& session) {
    session.execute("UPDATE outbox_position SET event_ms = 1, event_seq = 0 WHERE stream = ?", {streams[0]});
  });
  add(0, 1);
  EXPECT_EQ(save(), UnsavedEvents{.waiting = {streams[0]}});
  EXPECT_EQ(listed(), Lines{"waits 6?"});
}

TEST_P(StrandedEventsTest, dead_events_are_named_and_listed) {
  add_bad(0, "hopeless");
  add(1, 3);
  project_all();
  server.cli({"DEL", streams[1], projected_key(streams[1])});
  EXPECT_EQ(save(), UnsavedEvents{.dead = {streams[0]}});
  EXPECT_EQ(listed(), Lines{"dead 1"});
}

TEST_P(StrandedEventsTest, dead_events_that_somebody_wants_to_be_tried_are_saved) {
  add_bad(0, "repaired");
  add(1, 3);
  project_all();
  server.cli({"DEL", streams[1], projected_key(streams[1])});
  OutboxKeys const keys(streams[0]);
  auto const dead = test::run(larder->io, read_dead(larder->redis, keys.dead, 10)).at(0);
  ASSERT_TRUE(test::run(larder->io, retry_dead(larder->redis, streams[0], dead.id)));
  EXPECT_EQ(listed(), Lines{"retried 1"});
  larder->takes_bad = "repaired";
  EXPECT_EQ(save(), UnsavedEvents{});
  EXPECT_EQ(numbers(larder->sql, 0), all_of(0));
  EXPECT_EQ(listed(), Lines{});
}

TEST_P(StrandedEventsTest, all_events_are_listed_however_many_there_are) {
  constexpr int many = 2500;
  server.cli({"EVAL",
              "for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], '*', 'event', '1-1', 'why', 'x', 'stream', "
              "KEYS[2], 'n', i) redis.call('XADD', KEYS[3], '*', 'stream', KEYS[2], 'n', i) end",
              "3", streams[0] + ":dead", streams[0], streams[0] + ":lost", std::to_string(many)});
  auto const found = listed();
  ASSERT_EQ(found.size(), 2U * many);
  EXPECT_EQ(found[many - 1], fmt::format("taken {}?", many));
  EXPECT_EQ(found.back(), fmt::format("dead {}?", many));
}

TEST(UnsavedEvents, a_refusal_names_everything_that_is_left) {
  EXPECT_EQ(refusal_after_saving("why", {}), "why (the events that waited in it are in SQL now)");
  EXPECT_EQ(
      refusal_after_saving("why", {.waiting = {"a", "b", "c"}, .stranded = {"d", "e"}, .dead = {"f"}}),
      "why. But do not empty it yet: events wait in a and 2 others and could not be brought to SQL: repair "
      "what the log names, and start the server again; events that no server can bring to SQL are in d and 1 "
      "other: run `larder outbox lost`, and keep what it prints; SQL has refused events of f: `larder outbox "
      "dead list` shows them, and they vanish if you empty Redis");
}

}  // namespace
}  // namespace larder::events
