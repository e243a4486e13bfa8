// Events that SQL refuses for good, and a Redis that is full.
#include "kit/events/dead_events.hpp"

#include "base/error.hpp"
#include "kit/events/projector_test.hpp"

#include <thread>

namespace larder::events {
namespace {

// These facts hold with and without kept events.
class DeadEventsTest : public ProjectorTest, public testing::WithParamInterface<std::int64_t> {
 protected:
  DeadEventsTest() : ProjectorTest(GetParam()) {}

  std::vector<DeadEvent> dead(std::size_t stream = 0) {
    return test::run(larder->io, read_dead(larder->redis, OutboxKeys(streams[stream]).dead, 100));
  }
  std::vector<std::string> reasons(std::size_t stream = 0) {
    std::vector<std::string> found;
    for (auto const& each : dead(stream)) found.push_back(each.why);
    return found;
  }
  double dead_gauge() { return larder->metrics.gauges("larder_outbox_dead").at(0).second; }
  Numbers all_but(std::size_t stream, std::initializer_list<std::int64_t> missing) {
    auto numbers = all_of(stream);
    std::erase_if(numbers, [&](auto n) { return std::ranges::find(missing, n) != missing.end(); });
    return numbers;
  }
  Numbers sorted(std::size_t stream) {
    auto found = numbers(larder->sql, stream);
    std::ranges::sort(found);
    return found;
  }
  bool eventually(std::function<bool()> const& condition) { return test::eventually(larder->io, condition); }
};
INSTANTIATE_TEST_SUITE_P(keep, DeadEventsTest, testing::Values(0, 16));

TEST_P(DeadEventsTest, an_event_that_sql_refuses_is_dead_and_the_others_go_on) {
  add(0, 13);
  add_bad(0, "first");  // 14
  add(0, 21);
  add_bad(0, "second");  // 36
  add_bad(1, "only");    // 1
  add(1, 3);
  larder->start();
  ASSERT_TRUE(eventually([&] { return waiting() == 0; }));
  EXPECT_EQ(numbers(larder->sql, 0), all_but(0, {14, 36}));
  EXPECT_EQ(numbers(larder->sql, 1), all_but(1, {1}));
  EXPECT_EQ(reasons(), (std::vector<std::string>{"bad: first", "bad: second"}));
  auto const buried = dead().at(0);
  EXPECT_EQ(buried.event.field("n"), "14");
  EXPECT_EQ(buried.event.field("bad"), "first");
  EXPECT_EQ(buried.event.fields.size(), 3U);
  EXPECT_EQ(test::run(larder->io, outboxes_with_dead(larder->redis)), streams);
  EXPECT_TRUE(eventually([&] { return dead_gauge() == 3 && lag() == 0; }));
  EXPECT_TRUE(eventually([&] { return server.cli({"EXISTS", streams[0] + ":lease"}) == "0"; }));
  add(0, 5);
  larder->projector->wake(0);
  ASSERT_TRUE(eventually([&] { return waiting() == 0; }));
  EXPECT_EQ(numbers(larder->sql, 0), all_but(0, {14, 36}));
}

TEST_P(DeadEventsTest, a_retried_event_takes_its_own_place_or_is_dead_again) {
  add(0, 3);
  add_bad(0, "repaired");
  add_bad(0, "hopeless");
  add(0, 3);
  larder->start();
  ASSERT_TRUE(eventually([&] { return dead().size() == 2; }));
  auto const before = dead();
  larder->takes_bad = "repaired";
  for (auto const& each : before)
    EXPECT_TRUE(test::run(larder->io, retry_dead(larder->redis, streams[0], each.id)));
  EXPECT_FALSE(test::run(larder->io, retry_dead(larder->redis, streams[0], before[0].id)));
  ASSERT_TRUE(eventually([&] { return sorted(0) == all_but(0, {5}) && reasons().size() == 1; }));
  EXPECT_EQ(reasons(), (std::vector<std::string>{"bad: hopeless"}));
  EXPECT_EQ(dead().at(0).event.id, before.at(1).event.id);
  EXPECT_EQ(dead().at(0).event.fields, before.at(1).event.fields);
  auto const ids = larder->sql.read_now(
      [](sql::Session& session) { return session.query("SELECT event_id FROM event WHERE n = 4"); });
  EXPECT_EQ(ids.at(0).text(0), before.at(0).event.id);

  EXPECT_TRUE(test::run(larder->io, drop_dead(larder->redis, streams[0], dead().at(0).id)));
  EXPECT_EQ(server.cli({"EXISTS", streams[0] + ":dead", streams[0] + ":dead:retry"}), "0");
  EXPECT_TRUE(eventually([&] { return dead_gauge() == 0; }));
}

TEST_P(DeadEventsTest, an_outage_kills_no_event) {
  add(0, 25);
  std::atomic<int> failures = 0;
  std::atomic<bool> away = true;
  larder->before_write = [&] {
    if (!away) return;
    if (++failures % 2 == 0) throw StoreError("away", false);
    throw sql::StatementError("no such table");
  };
  larder->start();
  ASSERT_TRUE(eventually([&] { return failures > 20; }));
  EXPECT_EQ(waiting(0), 25);
  away = false;
  expect_all(*larder);
  EXPECT_TRUE(dead().empty());
}

TEST_P(DeadEventsTest, two_projectors_bury_an_event_once) {
  Larder other(server.url(), url, options);
  larder->options.lease = 1ms;
  other.options.lease = 1ms;
  larder->start();
  other.start();
  std::atomic<bool> stop = false;
  std::thread beside([&] {
    while (!stop) other.io.run_for(1ms);
  });
  for (int i = 0; i < 20; ++i) {
    add(0, 7);
    add_bad(0, std::to_string(i));
    larder->projector->wake(0);
    other.projector->wake(0);
  }
  EXPECT_TRUE(eventually([&] { return waiting() == 0; }));
  stop = true;
  beside.join();
  EXPECT_EQ(dead().size(), 20U);
  EXPECT_EQ(sorted(0).size(), 140U);
}

TEST_P(DeadEventsTest, a_full_redis_lets_the_projector_make_room) {
  add(0, 35);
  add_bad(0, "in a full Redis");
  larder->options.to_feed = [](std::string const&, Event const& event) {
    return FeedEvent{.system = Scope::ledger, .type = "t", .user_id = {}, .at = {}, .data = event.field("n")};
  };
  server.cli({"SET", std::string(feed_wanted_key), "1"});
  server.cli({"CONFIG", "SET", "maxmemory", "1"});
  ASSERT_TRUE(server.cli({"SET", "x", "y"}).starts_with("OOM"));
  larder->start();
  ASSERT_TRUE(eventually([&] { return waiting() == 0; }));
  EXPECT_EQ(numbers(larder->sql, 0), all_but(0, {36}));
  EXPECT_EQ(dead().size(), 1U);
  EXPECT_TRUE(test::run(larder->io, drop_dead(larder->redis, streams[0], dead().at(0).id)));
  EXPECT_GT(std::stoi(server.cli({"XLEN", std::string(feed_key)})), 0);
}

}  // namespace
}  // namespace larder::events
