// A projector that keeps the newest events in their stream.
#include "kit/events/projector_test.hpp"

namespace larder::events {
namespace {

class KeepTest : public ProjectorTest {
 protected:
  KeepTest() : ProjectorTest(16) {}

  std::string newest(std::size_t stream) {
    return server.cli({"EVAL", "return redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1][1]", "1",
                       streams[stream]});
  }
  std::string place(std::size_t stream) { return server.cli({"GET", projected_key(streams[stream])}); }
};

TEST_F(KeepTest, the_newest_events_stay_and_are_read_behind_the_last_projected_one) {
  add(0, 100);
  larder->start();
  expect_all(*larder);
  EXPECT_EQ(place(0), newest(0));
  auto const kept = test::run(larder->io, read_events(larder->redis, streams[0], "-", "+", 100));
  ASSERT_FALSE(kept.empty());
  EXPECT_EQ(kept.back().field("n"), "100");
  test::run(larder->io, larder->projector->stop());
  add(0, 3);
  auto const rest = test::run(larder->io, read_events(larder->redis, streams[0], "(" + place(0), "+", 100));
  ASSERT_EQ(rest.size(), 3U);
  EXPECT_EQ(rest.front().field("n"), "101");
}

TEST_F(KeepTest, what_is_projected_is_no_lag_and_no_work_for_anybody) {
  add(0, 40);
  larder->start();
  expect_all(*larder);
  ASSERT_TRUE(test::eventually(larder->io, [&] { return larder->applied >= 40 && lag() == 0; }));
  Larder other(server.url(), url, options);
  other.start();
  auto const looks = [&](std::string const& command) {
    auto const text = server.cli({"INFO", "commandstats"});
    auto const at = text.find("cmdstat_" + command + ":calls=");
    return at == text.npos ? 0 : std::stoi(text.substr(text.find('=', at) + 1));
  };
  auto const before = looks("evalsha");
  ASSERT_TRUE(test::eventually(other.io, [&] { return looks("evalsha") > before + 20; }));
  EXPECT_EQ(other.applied, 0);
  EXPECT_EQ(lag(), 0);
  EXPECT_EQ(server.cli({"EXISTS", streams[0] + ":lease"}), "0");
}

TEST_F(KeepTest, what_another_larder_projects_is_not_projected_again) {
  Larder other(server.url(), url, options);
  other.start();
  larder->options.sweep = std::chrono::hours(1);
  larder->start();
  for (int round = 0; round < 5; ++round) {
    add(0, 10);
    expect_all(other);
    larder->projector->wake(0);
    larder->io.restart();
    larder->io.run_for(20ms);
  }
  EXPECT_EQ(larder->applied, 0);
  add(0, 10);
  test::run(other.io, other.projector->stop());
  expect_all(*larder);
}

TEST_F(KeepTest, nothing_is_forgotten_that_waits_however_much_that_is) {
  add(0, 100);
  std::atomic<bool> away = true;
  larder->before_write = [&] {
    if (away && larder->applied >= 30) throw StoreError("no more", false);
  };
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting(0) == 70; }));
  EXPECT_EQ(length(0), 70);
  EXPECT_EQ(numbers(larder->sql, 0).size(), 30U);
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lag() > 0; }));
  away = false;
  expect_all(*larder);
}

TEST_F(KeepTest, when_the_place_is_lost_all_is_projected_again_and_nothing_is_there_twice) {
  add(0, 40);
  larder->start();
  expect_all(*larder);
  for (int round = 0; round < 3; ++round) {
    auto const applied = larder->applied.load();
    auto const again = length(0);
    server.cli({"DEL", projected_key(streams[0])});
    expect_all(*larder);
    EXPECT_EQ(larder->applied, applied + again);
    EXPECT_EQ(place(0), newest(0));
  }
}

TEST_F(KeepTest, a_projector_that_comes_late_does_not_move_the_place_back) {
  add(0, 5);
  std::string ahead;
  larder->after_write = [&] {
    if (!ahead.empty()) return;
    add(0, 5);
    ahead = newest(0);
    server.cli({"SET", projected_key(streams[0]), ahead});
  };
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return numbers(larder->sql, 0).size() == 5; }));
  test::run(larder->io, larder->projector->stop());
  EXPECT_EQ(place(0), ahead);
  EXPECT_EQ(larder->applied, 5);
}

}  // namespace
}  // namespace larder::events
