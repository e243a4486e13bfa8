#include "kit/events/projector_test.hpp"

#include "base/error.hpp"
#include "support/sql_servers.hpp"

#include <thread>

namespace larder::events {
namespace {

// These facts hold with and without kept events.
class EitherProjectorTest : public ProjectorTest, public testing::WithParamInterface<std::int64_t> {
 protected:
  EitherProjectorTest() : ProjectorTest(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(keep, EitherProjectorTest, testing::Values(0, 16));

TEST_P(EitherProjectorTest, events_arrive_once_and_in_order) {
  add(0, 35);
  larder->start();
  expect_all(*larder);
  for (int round = 0; round < 10; ++round) {
    add(0, 7);
    add(1, 23);
    larder->projector->wake(0);
    larder->projector->wake(1);
  }
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, a_woken_stream_does_not_wait_for_the_sweep) {
  larder->options.sweep = std::chrono::hours(1);
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return server.cli({"PING"}) == "PONG"; }));
  for (int round = 0; round < 20; ++round) {
    add(round % 2, 3);
    larder->projector->wake(std::size_t(round % 2));
    expect_all(*larder);
  }
}

TEST_P(EitherProjectorTest, streams_that_nobody_uses_are_looked_at_once) {
  add(0, 5);
  std::atomic<int> asked = 0;
  std::atomic<bool> used = false;
  larder->options.looks_at = [&](std::size_t stream) {
    if (stream == 1) ++asked;
    return stream == 1 && used;
  };
  larder->start();
  expect_all(*larder);  // what was there at the start
  auto const looks = asked.load();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return asked > looks + 1; }));
  // A woken stream whose write fails is looked at until it is empty.
  larder->before_write = [fails = 3]() mutable {
    if (fails-- > 0) throw StoreError("away", false);
  };
  add(0, 5);
  larder->projector->wake(0);
  expect_all(*larder);
  // Another server has left events.
  add(1, 5);
  auto const later = asked.load();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return asked > later + 2; }));
  EXPECT_EQ(numbers(larder->sql, 1), Numbers{});
  used = true;
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, a_failed_write_is_tried_again) {
  add(0, 25);
  std::atomic<int> calls = 0;
  larder->before_write = [&] {
    if (++calls % 2 == 1) throw StoreError("before", false);
  };
  larder->after_write = [&] {
    if (calls % 4 == 2) throw StoreError("after", true);
  };
  larder->start();
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, a_stream_that_sql_refuses_holds_up_no_other_and_shows_as_lag) {
  add(0, 35);
  add(1, 35);
  larder->poison = streams[0];
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting(1) == 0; }));
  EXPECT_EQ(waiting(0), 35);
  EXPECT_EQ(numbers(larder->sql, 0).size(), 0U);
  EXPECT_EQ(numbers(larder->sql, 1).size(), 35U);
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lag() > 0; }));
  test::run(larder->io, larder->projector->stop());
  EXPECT_EQ(waiting(0), 35);
}

TEST_P(EitherProjectorTest, a_batch_that_could_not_be_trimmed_is_not_there_twice) {
  add(0, 25);
  int calls = 0;
  std::atomic<bool> killed = false;
  larder->after_write = [&] {
    if (++calls != 2) return;
    server.kill();
    killed = true;
  };
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return killed.load(); }));
  ASSERT_TRUE(test::eventually(larder->io, [&] { return numbers(larder->sql, 0).size() == 20; }));
  server.start();
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, a_larder_that_dies_after_the_commit_leaves_nothing_undone_and_nothing_twice) {
  add(0, 25);
  add(1, 5);
  for (int deaths = 0; deaths < 4; ++deaths) {
    larder->after_write = [&] { larder->io.stop(); };
    larder->options.lease = 100ms;
    larder->start();
    larder->io.restart();
    larder->io.run();
    replace_larder();
  }
  EXPECT_NE(waiting(), 0);
  larder->options.lease = 100ms;
  larder->start();
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, two_projectors_at_once_write_nothing_twice) {
  Larder other(server.url(), url, options);
  // The leases are too short to keep the two apart.
  larder->options.lease = 1ms;
  larder->start();
  other.options.lease = 1ms;
  other.start();
  std::atomic<bool> stop = false;
  std::thread beside([&] {
    while (!stop) other.io.run_for(1ms);
  });
  for (int round = 0; round < 20; ++round) {
    add(0, 30);
    add(1, 30);
    larder->projector->wake(0);
    other.projector->wake(1);
    larder->io.restart();
    larder->io.run_for(1ms);
  }
  EXPECT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
  stop = true;
  beside.join();
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, what_comes_while_a_batch_is_written_stays_until_it_is_projected) {
  add(0, 5);
  std::atomic<int> rounds = 0;
  larder->after_write = [&] {
    if (++rounds <= 5) add(0, 3);
  };
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return rounds > 5; }));
  expect_all(*larder);
  EXPECT_EQ(added[0], 20);
}

TEST_P(EitherProjectorTest, trims_nothing_that_is_not_in_sql) {
  add(0, 25);
  std::atomic<int> failures = 0;
  larder->before_write = [&] {
    ++failures;
    throw sql::StatementError("never");
  };
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return failures > 3; }));
  EXPECT_EQ(waiting(0), 25);
  EXPECT_EQ(length(0), 25);
  EXPECT_TRUE(numbers(larder->sql, 0).empty());
}

TEST_P(EitherProjectorTest, the_lease_of_a_dead_owner_is_taken_over_when_it_is_over) {
  add(0, 5);
  server.cli({"SET", streams[0] + ":lease", "somebody"});
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return server.stat("total_commands_processed") > 200; }));
  EXPECT_EQ(waiting(0), 5);
  EXPECT_TRUE(numbers(larder->sql, 0).empty());
  server.cli({"PEXPIRE", streams[0] + ":lease", "1"});
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, gives_the_lease_back_when_nothing_is_left) {
  larder->options.lease = std::chrono::hours(1);
  larder->start();
  for (int count : {3, 10, 20, 21}) {  // also with a last batch that is full
    add(0, count);
    larder->projector->wake(0);
    expect_all(*larder);
    EXPECT_TRUE(test::eventually(larder->io, [&] {
      return server.cli({"EXISTS", streams[0] + ":lease"}) == "0";
    })) << count;
  }
}

TEST_P(EitherProjectorTest, stop_projects_what_is_there_and_ends) {
  larder->options.sweep = std::chrono::hours(1);
  larder->start();
  add(0, 25);
  add(1, 1);
  test::run(larder->io, larder->projector->stop());
  EXPECT_EQ(waiting(), 0);
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, stop_ends_while_redis_is_away) {
  larder->start();
  add(0, 5);
  server.kill();
  test::run(larder->io, larder->projector->stop());
  server.start();
  replace_larder();
  larder->start();
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, caught_up_returns_when_all_that_was_there_is_in_sql) {
  larder->options.sweep = std::chrono::hours(1);
  larder->start();
  for (int round = 0; round < 10; ++round) {
    add(0, 13);
    larder->projector->wake(0);
    test::run(larder->io, caught_up(larder->redis, streams[0], test::patience));
    EXPECT_EQ(numbers(larder->sql, 0).size(), std::size_t(added[0]));
  }
  test::run(larder->io, larder->projector->stop());
  add(0, 1);
  test::run(larder->io, caught_up(larder->redis, streams[0], 10ms));  // gives up, because nobody projects
  EXPECT_EQ(waiting(0), 1);
}

TEST_P(EitherProjectorTest, a_stream_may_be_added_before_and_after_the_start) {
  larder->options.streams.clear();
  add(0, 25);
  add(1, 25);
  larder->make();
  EXPECT_EQ(larder->projector->add(streams[0]), 0U);
  larder->projector->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting(0) == 0; }));
  EXPECT_EQ(waiting(1), 25);
  EXPECT_EQ(larder->projector->add(streams[1]), 1U);
  expect_all(*larder);
  add(1, 5);
  larder->projector->wake(1);
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, any_thread_wakes_while_streams_are_added) {
  larder->options.sweep = std::chrono::hours(1);
  larder->start();
  std::atomic<std::size_t> known = streams.size();
  std::atomic<bool> stop = false;
  std::vector<std::thread> wakers;
  for (std::size_t first : {0U, 1U, 2U}) {
    wakers.emplace_back([&, first] {
      for (auto i = first; !stop; ++i) larder->projector->wake(i % known);
    });
  }
  for (int i = 0; i < 2'000; ++i) {
    known = larder->projector->add(fmt::format("{{{}}}:more", i)) + 1;
    larder->io.restart();
    larder->io.poll();
  }
  add(0, 25);
  add(1, 25);
  EXPECT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
  stop = true;
  for (auto& waker : wakers) waker.join();
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, ten_thousand_streams_keep_nobody_waiting) {
  larder->options.streams.clear();
  for (int i = 0; i < 10'000; ++i) larder->options.streams.push_back(fmt::format("{{{}}}:many", i));
  larder->options.streams.push_back(streams[0]);
  add(0, 25);
  larder->start();
  larder->projector->wake(10'000);
  ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting(0) == 0; }));
  add(0, 25);
  test::run(larder->io, larder->projector->stop());  // skips the pauses between looks
  expect_all(*larder);
}

TEST_P(EitherProjectorTest, stop_ends_while_the_redis_of_many_streams_is_away) {
  for (int i = 0; i < 3'000; ++i) larder->options.streams.push_back(fmt::format("{{{}}}:many", i));
  larder->start();
  server.kill();
  for (std::size_t i = 0; i < 3'000; ++i) larder->projector->wake(i);
  test::run(larder->io, larder->projector->stop());
}

TEST_P(EitherProjectorTest, while_sql_is_away_events_wait_and_none_is_lost) {
  auto& database = test::postgresql_server();
  url = database.new_database();
  replace_larder();
  make_table(larder->sql);
  larder->start();
  add(0, 25);
  expect_all(*larder);
  database.stop();
  auto& failures = larder->metrics.counter("larder_projector_failures_total",
                                           "Attempts to project that failed", {{"outbox", "test"}});
  for (int round = 1; round <= 3; ++round) {
    auto const before = failures.Value();
    add(0, 15);
    larder->projector->wake(0);
    ASSERT_TRUE(test::eventually(larder->io, [&] { return failures.Value() > before; }));
    EXPECT_EQ(waiting(0), 15 * round);
  }
  database.start();
  expect_all(*larder);
}

// What one outbox needs from SQL must not hide that others lag.
TEST_P(EitherProjectorTest, the_lag_is_measured_while_sql_is_away_and_an_outbox_is_missing) {
  auto& database = test::postgresql_server();
  url = database.new_database();
  replace_larder();
  make_table(larder->sql);
  larder->start();
  add(0, 5);
  expect_all(*larder);
  database.stop();
  auto& failures = larder->metrics.counter("larder_projector_failures_total",
                                           "Attempts to project that failed", {{"outbox", "test"}});
  auto const before = failures.Value();
  // More than once, because the start may still be creating it.
  ASSERT_TRUE(test::eventually(larder->io, [&] {
    server.cli({"DEL", streams[1]});
    return failures.Value() > before;
  }));
  EXPECT_EQ(lag(), 0);
  add(0, 15);
  EXPECT_TRUE(test::eventually(larder->io, [&] { return lag() > 0; }));
  database.start();
}

}  // namespace
}  // namespace larder::events
