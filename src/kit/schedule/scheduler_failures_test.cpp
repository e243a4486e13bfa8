// What happens to members whose handlers fail, and to servers whose Redis fails.
#include "base/checked_clock.hpp"
#include "base/error.hpp"
#include "kit/schedule/scheduler_test.hpp"

namespace larder::schedule {
namespace {

TEST_F(SchedulerTest, an_outage_is_retried_with_growing_pauses_and_never_buried) {
  put(0, "a", 0);
  larder->options.attempts_max = 2;
  larder->options.retry_max = 1000ms;
  std::vector<TimeMs> tries;
  larder->before = [&](std::size_t, std::string const&) -> Task<void> {
    tries.push_back(clock.now());
    if (tries.size() <= 8) throw StoreError("the store is away", false);
    co_return;
  };
  larder->start();
  ASSERT_TRUE(as_time_passes(*larder, [&] { return larder->commits == 1; }, 100));
  ASSERT_EQ(tries.size(), 9U);
  for (std::size_t i = 1; i < tries.size(); ++i) {
    EXPECT_GE(tries[i] - tries[i - 1], std::min(100 << (i - 1), 1000)) << i;
  }
  EXPECT_TRUE(dead(*larder).empty());
  EXPECT_EQ(failures(0), 0);
  EXPECT_EQ(larder->counted("larder_scheduled_failures_total"), 8);
}

TEST_F(SchedulerTest, a_member_that_meets_an_outage_holds_up_no_other_of_its_set_for_long) {
  put(0, "stuck", 0);
  larder->before = [&](std::size_t, std::string member) -> Task<void> {
    if (member == "stuck") throw StoreError("its other half is away", false);
    co_return;
  };
  larder->start();
  ASSERT_TRUE(as_time_passes(*larder, [&] { return larder->begun.size() > 5; }));
  auto const then = clock.now();
  put_many(0, 50);
  ASSERT_TRUE(as_time_passes(*larder, [&] { return larder->commits == 50; }));
  EXPECT_LT(clock.now() - then, 2000);
  EXPECT_EQ(waiting(0), 1);
}

TEST_F(SchedulerTest, a_poisoned_member_is_buried_with_its_reason_until_it_is_requeued) {
  put(0, "bad", 0);
  put_many(0, 20);
  put_many(1, 20);
  larder->options.attempts_max = 3;
  bool healed = false;
  larder->before = [&](std::size_t, std::string member) -> Task<void> {
    if (member == "bad" && !healed) throw std::runtime_error("a poisoned member");
    co_return;
  };
  larder->start();
  ASSERT_TRUE(as_time_passes(*larder, [&] { return server.cli({"ZCARD", sets[0] + ":dead"}) == "1"; }));
  EXPECT_EQ(std::ranges::count_if(larder->begun, [](auto& each) { return each.starts_with("bad"); }), 3);
  EXPECT_TRUE(eventually(*larder, [&] { return larder->commits == 40; }));
  auto const buried = dead(*larder);
  ASSERT_EQ(buried.size(), 1U);
  EXPECT_EQ(buried[0].member, "bad");
  EXPECT_EQ(buried[0].why, "a poisoned member");
  EXPECT_GE(buried[0].buried_at, start_time + 300);
  EXPECT_LE(buried[0].buried_at, clock.now());
  EXPECT_EQ(due_of("bad"), "gone");
  EXPECT_EQ(failures(0), 0);
  EXPECT_TRUE(eventually(*larder, [&] { return larder->counted("larder_scheduled_dead") == 1; }));

  healed = true;
  auto const in_a_second = clock.now() + 1000;
  EXPECT_FALSE(test::run(larder->io, requeue(larder->redis, sets[0], "nobody", in_a_second)));
  EXPECT_TRUE(test::run(larder->io, requeue(larder->redis, sets[0], "bad", in_a_second)));
  EXPECT_FALSE(test::run(larder->io, requeue(larder->redis, sets[0], "bad", in_a_second)));
  EXPECT_TRUE(dead(*larder).empty());
  EXPECT_EQ(server.cli({"EXISTS", sets[0] + ":dead:why"}), "0");
  let_it_look(*larder);
  EXPECT_EQ(done("bad"), 0);
  clock.advance(1000);
  ASSERT_TRUE(eventually(*larder, [&] { return done("bad") == 1; }));
  EXPECT_TRUE(eventually(*larder, [&] { return larder->counted("larder_scheduled_dead") == 0; }));
}

TEST_F(SchedulerTest, a_requeued_member_that_was_scheduled_anew_keeps_that_time) {
  DueSet due(larder->redis, sets[0]);
  put(0, "a", 0);
  auto const claims = test::run(larder->io, due.claim(start_time, 1000ms, 10));
  EXPECT_EQ(test::run(larder->io, due.fail(claims.members.at(0), 1, start_time, start_time, "why")), 1);
  put(0, "a", 777);
  EXPECT_TRUE(test::run(larder->io, requeue(larder->redis, sets[0], "a", start_time)));
  EXPECT_EQ(due_of("a"), "777");
}

TEST_F(SchedulerTest, a_success_forgets_earlier_failures) {
  put(0, "a", 0);
  larder->options.attempts_max = 3;
  int tries = 0;
  larder->before = [&](std::size_t, std::string const&) -> Task<void> {
    if (++tries % 3 != 0) throw std::runtime_error("two of three fail");
    co_return;
  };
  larder->start();
  for (int round = 1; round <= 3; ++round) {
    ASSERT_TRUE(as_time_passes(*larder, [&] { return larder->commits == round; })) << round;
    EXPECT_TRUE(eventually(*larder, [&] { return failures(0) == 0; }));
    put(0, "a", clock.now() - start_time);
  }
  EXPECT_TRUE(dead(*larder).empty());
}

// One member meets an outage, one fails, one has not begun.
TEST_F(SchedulerTest, a_redis_that_comes_back_is_told_how_it_ended_before_the_lease_is_over) {
  for (std::string const name : {"a", "b", "c"}) put(0, name, 0);
  larder->options.retry_first = 1ms;
  larder->options.at_once = 2;
  larder->before = [&](std::size_t, std::string member) -> Task<void> {
    if (larder->gate_open) co_return;
    co_await larder->wait_at_gate();
    if (member == "a") throw StoreError("away", true);
    throw std::runtime_error("wrong");
  };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->at_gate == 2; }));
  server.kill();
  larder->open_gate();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->at_gate == 0; }));
  server.start();
  ASSERT_TRUE(as_time_passes(*larder, [&] { return waiting(0) == 0; }, 1));
  EXPECT_LT(clock.now(), start_time + 30'000);
  EXPECT_EQ(larder->begun.size(), 5U);
}

TEST_F(SchedulerTest, a_set_that_fails_holds_up_no_other) {
  server.cli({"SET", sets[0], "not a sorted set"});
  put_many(1, 50);
  larder->start();
  larder->scheduler->wake(0, start_time);
  ASSERT_TRUE(as_time_passes(*larder, [&] { return waiting(1) == 0; }));
  server.cli({"DEL", sets[0]});
  put(0, "a", 0);
  ASSERT_TRUE(as_time_passes(*larder, [&] { return done("a") == 1; }));
}

// A handler commits and then fails, in each possible way.
TEST_F(SchedulerTest, what_the_handler_commits_stands_even_if_it_fails_afterwards) {
  for (std::string const name : {"refused", "outage", "fine"}) {
    put(0, name, 0);
    put(1, name, 0);
  }
  larder->options.attempts_max = 1;
  std::size_t ended = 0;
  larder->before = [&](std::size_t set, std::string member) -> Task<void> {
    if (set == 0) co_await larder->reschedule(set, member, start_time + 5000);
    if (set == 1) co_await larder->commit(set, member);
    ++ended;
    if (member == "refused") throw std::runtime_error("too late");
    if (member == "outage") throw StoreError("too late", true);
    co_await larder->wait_at_gate();
  };
  larder->start();
  ASSERT_TRUE(as_time_passes(*larder, [&] { return ended == 6; }, 1));
  let_it_look(*larder);
  for (std::string const name : {"refused", "outage", "fine"}) {
    EXPECT_EQ(due_of(name, 0), "5000") << name;
    EXPECT_EQ(due_of(name, 1), "gone") << name;
  }
  EXPECT_TRUE(dead(*larder, 0).empty());
  EXPECT_TRUE(dead(*larder, 1).empty());
  EXPECT_EQ(failures(0) + failures(1), 0);
}

TEST_F(SchedulerTest, a_clock_that_is_off_does_nothing_and_postpones_nothing) {
  CheckedClock checked(clock, 10min);
  larder.reset();
  Larder careful(server.url(), checked);
  put(0, "a", 0);
  put(0, "b", 1000);
  put(0, "c", 3'600'000);
  careful.start();
  let_it_look(careful);
  EXPECT_TRUE(careful.begun.empty());  // not compared yet
  checked.compared(0, false);
  ASSERT_TRUE(eventually(careful, [&] { return done("a") == 1; }));

  careful.before = [&](std::size_t, std::string const&) -> Task<void> {
    clock.advance(400 * day_ms);
    careful.before = {};
    throw StoreError("the clock jumps while a handler works", false);
    co_return;
  };
  clock.advance(1000);
  ASSERT_TRUE(eventually(careful, [&] { return careful.begun.size() == 2; }));
  careful.scheduler->wake(0, clock.now());
  let_it_look(careful);
  EXPECT_EQ(careful.begun.size(), 2U);
  EXPECT_EQ(due_of("c"), "3600000");
  EXPECT_EQ(due_of("b"), "31000");  // the end of its lease

  clock.advance(-400 * day_ms + 30'000);
  checked.compared(0, false);
  ASSERT_TRUE(eventually(careful, [&] { return done("b") == 1; }));
  EXPECT_EQ(due_of("c"), "3600000");
}

TEST_F(SchedulerTest, a_full_redis_lets_work_be_done_that_frees_memory) {
  put_many(0, 10);
  server.cli({"CONFIG", "SET", "maxmemory", "1"});
  larder->commits_work = false;
  larder->before = [&](std::size_t set, std::string member) -> Task<void> {
    co_await larder->redis.command(redis::Use::idempotent_write, sets[set], {"ZREM", sets[set], member});
  };
  larder->start();
  EXPECT_TRUE(eventually(*larder, [&] { return waiting(0) == 0; }));
}

}  // namespace
}  // namespace larder::schedule
