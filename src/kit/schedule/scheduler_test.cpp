#include "kit/schedule/scheduler_test.hpp"

namespace larder::schedule {
namespace {

TEST_F(SchedulerTest, a_member_is_done_when_it_is_due_and_not_before) {
  put(0, "a", 1000);
  put(1, "b", 0);
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return done("b", 1) == 1; }));
  clock.advance(999);
  let_it_look(*larder);
  EXPECT_EQ(larder->begun, (std::vector<std::string>{"b 0"}));
  clock.advance(1);
  ASSERT_TRUE(eventually(*larder, [&] { return done("a") == 1; }));
  EXPECT_EQ(larder->begun, (std::vector<std::string>{"b 0", "a 1000"}));
  EXPECT_EQ(waiting(0), 0);
  EXPECT_TRUE(eventually(*larder, [&] { return larder->counted("larder_scheduled_done_total") == 2; }));
  EXPECT_EQ(larder->counted("larder_scheduled_failures_total"), 0);
}

TEST_F(SchedulerTest, sets_that_nobody_uses_are_looked_at_once_and_their_members_done_in_time) {
  put(0, "a", 1000);
  int asked = 0;
  bool used = false;
  larder->options.looks_at = [&](std::size_t) {
    ++asked;
    return used;
  };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return asked > 10; }));  // the first look has found the due time
  put(1, "b", 0);                                                // another server has written it
  auto const before = asked;
  ASSERT_TRUE(eventually(*larder, [&] { return asked > before + 10; }));
  EXPECT_EQ(done("b", 1), 0);
  clock.advance(1000);
  ASSERT_TRUE(eventually(*larder, [&] { return done("a") == 1; }));
  used = true;
  ASSERT_TRUE(eventually(*larder, [&] { return done("b", 1) == 1; }));
}

TEST_F(SchedulerTest, many_members_are_done_by_at_most_at_once_handlers) {
  put_many(0, 300);
  put_many(1, 300);
  larder->options.at_once = 7;
  larder->options.batch = 20;
  int together = 0;
  int most = 0;
  larder->before = [&](std::size_t, std::string const&) -> Task<void> {
    most = std::max(most, ++together);
    co_await sleep_for(1ms);
    --together;
  };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->commits == 600; }));
  EXPECT_EQ(most, 7);
  EXPECT_EQ(larder->begun.size(), 600U);
}

TEST_F(SchedulerTest, a_group_handler_gets_members_of_one_set_together) {
  put_many(0, 20);
  put_many(1, 3);
  larder->options.at_once = 10;
  larder->options.group_max = 4;
  std::size_t in_hand = 0;
  std::size_t most = 0;
  std::vector<std::size_t> sizes[2];
  larder->scheduler.emplace(
      larder->io, larder->redis, clock, larder->options,
      [&](std::size_t set, std::vector<Claimed> members) -> Task<Scheduler::Failures> {
        sizes[set].push_back(members.size());
        in_hand += members.size();
        most = std::max(most, in_hand);
        co_await sleep_for(1ms);
        in_hand -= members.size();
        for (auto const& each : members) co_await larder->commit(set, each.member);
        co_return Scheduler::Failures(members.size());
      },
      larder->metrics);
  larder->scheduler->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->commits == 23; }));
  EXPECT_EQ(most, 10U);
  EXPECT_EQ(std::ranges::max(sizes[0]), 4U);
  EXPECT_LE(std::ranges::max(sizes[1]), 3U);
  EXPECT_EQ(larder->counted("larder_scheduled_done_total"), 23);
}

TEST_F(SchedulerTest, in_a_group_each_member_fails_or_succeeds_by_itself) {
  for (auto const* const member : {"a", "bad", "c"}) put(0, member, 0);
  larder->options.group_max = 3;
  larder->options.attempts_max = 2;
  larder->options.retry_first = 1ms;
  int groups = 0;
  larder->scheduler.emplace(
      larder->io, larder->redis, clock, larder->options,
      [&](std::size_t set, std::vector<Claimed> members) -> Task<Scheduler::Failures> {
        if (++groups == 1) throw StoreError("an outage of all", false);
        Scheduler::Failures failures(members.size());
        for (std::size_t i = 0; i < members.size(); ++i) {
          if (members[i].member == "bad") {
            failures[i] = std::make_exception_ptr(std::runtime_error("no good"));
          } else {
            co_await larder->commit(set, members[i].member);
          }
        }
        co_return failures;
      },
      larder->metrics);
  larder->scheduler->start();
  ASSERT_TRUE(as_time_passes(*larder, [&] { return dead(*larder).size() == 1; }));
  EXPECT_EQ(dead(*larder)[0].member, "bad");
  EXPECT_EQ(dead(*larder)[0].why, "no good");
  EXPECT_EQ(larder->commits, 2);
  EXPECT_EQ(waiting(0), 0);
  EXPECT_EQ(larder->counted("larder_scheduled_done_total"), 2);
  EXPECT_EQ(larder->counted("larder_scheduled_failures_total"), 3 + 2);
}

TEST_F(SchedulerTest, what_is_woken_does_not_wait_for_the_look) {
  SystemClock const real;
  Larder prompt(server.url(), real);
  prompt.options.look_every = std::chrono::hours(1);
  prompt.start();
  auto const looked = server.stat("total_commands_processed") + 4;
  ASSERT_TRUE(eventually(prompt, [&] { return server.stat("total_commands_processed") > looked; }));
  for (int round = 0; round < 20; ++round) {
    auto const set = std::size_t(round % 2);
    auto const due = real.now() + (round % 3) * 10;
    prompt.scheduler->wake(set, due + 100'000);
    server.cli({"ZADD", sets[set], std::to_string(due.value), fmt::format("m{}", round)});
    std::thread([&] { prompt.scheduler->wake(set, due); }).join();
    prompt.scheduler->wake(set, due + 100'000);
    ASSERT_TRUE(eventually(prompt, [&] { return prompt.commits == round + 1; }));
    EXPECT_GE(real.now(), due);
  }
}

TEST_F(SchedulerTest, a_set_may_be_added_before_and_after_the_start) {
  larder->options.sets.clear();
  put_many(0, 10);
  put_many(1, 10);
  larder->make();
  EXPECT_EQ(larder->add(sets[0]), 0U);
  larder->scheduler->start();
  ASSERT_TRUE(eventually(*larder, [&] { return waiting(0) == 0; }));
  EXPECT_EQ(waiting(1), 10);
  EXPECT_EQ(larder->add(sets[1]), 1U);
  ASSERT_TRUE(eventually(*larder, [&] { return larder->commits == 20; }));
  EXPECT_EQ(waiting(1), 0);
}

TEST_F(SchedulerTest, any_thread_wakes_while_sets_are_added) {
  larder->options.look_every = std::chrono::hours(1);
  larder->start();
  std::atomic<std::size_t> known = sets.size();
  std::atomic<bool> stop = false;
  std::vector<std::thread> wakers;
  for (std::size_t first : {0U, 1U, 2U}) {
    wakers.emplace_back([&, first] {
      for (auto i = first; !stop; ++i) {
        larder->scheduler->wake(i % known, start_time);
        std::this_thread::sleep_for(10us);
      }
    });
  }
  for (int i = 0; i < 1'000; ++i) {
    known = larder->add(fmt::format("{{{}}}:more", i)) + 1;
    larder->io.restart();
    larder->io.poll();
  }
  put_many(0, 20);
  put_many(1, 20);
  EXPECT_TRUE(eventually(*larder, [&] { return larder->commits == 40; }));
  stop = true;
  for (auto& waker : wakers) waker.join();
  EXPECT_EQ(waiting(0) + waiting(1), 0);
}

TEST_F(SchedulerTest, ten_thousand_sets_keep_nobody_waiting) {
  for (int i = 0; i < 10'000; ++i) larder->options.sets.push_back(fmt::format("{{{}}}:many", i));
  larder->start();
  put(0, "a", 0);
  server.cli({"ZADD", "{9999}:many", std::to_string(start_time.value), "b"});
  larder->scheduler->wake(0, start_time);
  larder->scheduler->wake(10'001, start_time);
  ASSERT_TRUE(eventually(*larder, [&] { return larder->commits == 2; }));
  test::run(larder->io, larder->scheduler->stop());
}

TEST_F(SchedulerTest, a_larder_that_dies_loses_only_its_lease) {
  put_many(0, 10);
  larder->before = [&](std::size_t, std::string const&) { return larder->wait_at_gate(); };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->at_gate == 10; }));
  replace_larder();
  larder->start();
  clock.advance(29'999);
  let_it_look(*larder);
  EXPECT_TRUE(larder->begun.empty());
  clock.advance(1);
  ASSERT_TRUE(eventually(*larder, [&] { return waiting(0) == 0; }));
  for (int i = 1; i <= 10; ++i) EXPECT_EQ(done(fmt::format("m{}", i)), 1) << i;
}

TEST_F(SchedulerTest, two_larders_share_the_work_and_none_is_done_twice) {
  SystemClock const real;
  Larder one(server.url(), real);
  Larder two(server.url(), real);
  for (auto* each : {&one, &two}) {
    each->options.batch = 10;
    each->options.at_once = 3;
    each->options.lease = 2ms;  // too short to keep the two apart
    each->before = [](std::size_t, std::string const&) -> Task<void> { co_await sleep_for(1ms); };
  }
  put_many(0, 150);
  put_many(1, 150);
  one.start();
  two.start();
  std::atomic<bool> stop = false;
  auto const run = [&](Larder& larder) {
    while (!stop) larder.io.run_for(1ms);
  };
  std::thread first(run, std::ref(one));
  std::thread second(run, std::ref(two));
  EXPECT_TRUE(test::eventually([&] { return waiting(0) + waiting(1) == 0; }));
  stop = true;
  first.join();
  second.join();
  for (std::size_t set : {0U, 1U}) {
    for (int i = 1; i <= 150; ++i) EXPECT_EQ(done(fmt::format("m{}", i), set), 1) << set << ' ' << i;
  }
  EXPECT_GT(one.begun.size(), 10U);
  EXPECT_GT(two.begun.size(), 10U);
}

TEST_F(SchedulerTest, stop_finishes_what_runs_and_gives_back_what_was_not_begun) {
  for (int i = 0; i < 10; ++i) put(0, fmt::format("m{}", i), i);
  clock.advance(100);
  larder->options.at_once = 2;
  larder->before = [&](std::size_t, std::string const&) { return larder->wait_at_gate(); };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->at_gate == 2 && due_of("m9") == "30100"; }));
  bool stopped = false;
  asio::co_spawn(larder->io, larder->scheduler->stop(), [&](std::exception_ptr const&) { stopped = true; });
  ASSERT_TRUE(eventually(*larder, [&] { return due_of("m9") == "9"; }));
  EXPECT_FALSE(stopped);
  larder->open_gate();
  ASSERT_TRUE(eventually(*larder, [&] { return stopped; }));
  EXPECT_EQ(larder->commits, 2);
  EXPECT_EQ(larder->begun.size(), 2U);
  for (int i = 2; i < 10; ++i) EXPECT_EQ(due_of(fmt::format("m{}", i)), std::to_string(i));
}

TEST_F(SchedulerTest, stop_ends_while_redis_is_away) {
  put_many(0, 10);
  larder->options.at_once = 1;
  larder->before = [&](std::size_t, std::string const&) { return larder->wait_at_gate(); };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->at_gate == 1; }));
  server.kill();
  larder->open_gate();
  test::run(larder->io, larder->scheduler->stop());
  server.start();
  replace_larder();
  clock.advance(30'000);
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return waiting(0) == 0; }));
}

TEST_F(SchedulerTest, a_member_finished_by_another_is_not_brought_back) {
  DueSet due(larder->redis, sets[0]);
  put(0, "a", 0);
  auto const claims = test::run(larder->io, due.claim(start_time, 1000ms, 10));
  auto const& claimed = claims.members.at(0);
  server.cli({"ZREM", sets[0], "a"});
  EXPECT_EQ(test::run(larder->io, due.fail(claimed, 1, start_time, start_time, "why")), 0);
  EXPECT_EQ(test::run(larder->io, due.fail(claimed, 9, start_time, start_time, "why")), 0);
  test::run(larder->io, due.give_back(claims.members));
  test::run(larder->io, due.postpone(claimed, start_time + 1));
  EXPECT_EQ(server.cli({"KEYS", "*"}), "");
}

TEST_F(SchedulerTest, a_claim_leaves_alone_what_is_not_due_and_tells_what_is_next) {
  DueSet due(larder->redis, sets[0]);
  auto const claim = [&](std::int64_t after, int count) {
    auto const claims = test::run(larder->io, due.claim(start_time + after, 1000ms, count));
    auto text = claims.next ? fmt::format("next {}", *claims.next - start_time) : "empty";
    for (auto const& each : claims.members) {
      text += fmt::format(", {} {}-{} {}", each.member, each.due - start_time, each.lease_end - start_time,
                          each.attempts);
    }
    return text;
  };
  EXPECT_EQ(claim(0, 10), "empty");
  put(0, "a", 1);
  put(0, "b", 2);
  put(0, "c", 3);
  put(0, "d", 90'000);
  EXPECT_EQ(claim(0, 10), "next 1");
  EXPECT_EQ(claim(5, 2), "next 3, a 1-1005 0, b 2-1005 0");
  EXPECT_EQ(claim(5, 2), "next 1005, c 3-1005 0");
  EXPECT_EQ(claim(1005, 1), "next 1005, a 1005-2005 0");
  server.cli({"HSET", sets[0] + ":failures", "b", "4"});
  EXPECT_EQ(claim(1005, 9), "next 2005, b 1005-2005 4, c 1005-2005 0");
  EXPECT_EQ(due_of("d"), "90000");
}

TEST_F(SchedulerTest, a_member_its_handler_did_not_take_out_comes_again_after_the_lease) {
  put(0, "a", 0);
  larder->commits_work = false;
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->begun.size() == 1; }));
  clock.advance(29'999);
  let_it_look(*larder);
  EXPECT_EQ(larder->begun, (std::vector<std::string>{"a 0"}));
  clock.advance(1);
  ASSERT_TRUE(eventually(*larder, [&] { return larder->begun.size() == 2; }));
  EXPECT_EQ(larder->begun.back(), "a 30000");
}

TEST_F(SchedulerTest, a_handler_that_outlives_its_lease_gets_no_twin) {
  put(0, "slow", 0);
  larder->before = [&](std::size_t, std::string const&) { return larder->wait_at_gate(); };
  larder->start();
  for (int lease = 1; lease <= 3; ++lease) {
    ASSERT_TRUE(eventually(*larder, [&] { return due_of("slow") == std::to_string(lease * 30'000); }));
    clock.advance(30'000);
  }
  EXPECT_EQ(larder->begun.size(), 1U);
  larder->open_gate();
  ASSERT_TRUE(eventually(*larder, [&] { return done("slow") == 1; }));
}

// A handler commits the next due time long before it returns or throws.
TEST_F(SchedulerTest, a_member_that_falls_due_again_in_hand_does_not_wait_for_the_lease) {
  put(0, "well", 0);
  put(0, "badly", 0);
  larder->commits_work = false;
  larder->before = [&](std::size_t set, std::string member) -> Task<void> {
    if (larder->gate_open) {
      co_await larder->commit(set, member);
      co_return;
    }
    co_await larder->reschedule(set, member, start_time + 10);
    co_await larder->wait_at_gate();
    if (member == "badly") throw std::runtime_error("after the commit");
  };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->at_gate == 2; }));
  clock.advance(10);
  ASSERT_TRUE(eventually(*larder, [&] { return due_of("well") == "30010" && due_of("badly") == "30010"; }));
  larder->open_gate();
  ASSERT_TRUE(as_time_passes(*larder, [&] { return waiting(0) == 0; }, 1));
  EXPECT_LT(clock.now(), start_time + 10'000);
  EXPECT_EQ(larder->begun.size(), 4U);
}

TEST_F(SchedulerTest, what_nobody_gets_round_to_shows_as_lag) {
  put_many(0, 10);
  put(1, "b", 0);
  larder->options.at_once = 1;
  larder->options.batch = 2;
  larder->before = [&](std::size_t, std::string const&) { return larder->wait_at_gate(); };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->at_gate == 1; }));
  clock.advance(7000);
  EXPECT_TRUE(eventually(*larder, [&] { return larder->counted("larder_schedule_lag_seconds") == 7; }));
  larder->open_gate();
  EXPECT_TRUE(eventually(*larder, [&] { return larder->counted("larder_schedule_lag_seconds") == 0; }));
  EXPECT_TRUE(eventually(*larder, [&] { return larder->commits == 11; }));
}

TEST(SchedulerOnACluster, a_node_that_hangs_holds_up_its_own_sets_only) {
  test::RedisCluster cluster;
  TestClock clock{start_time};
  Larder larder(cluster.url(), clock, 50s);
  larder.options.sets.clear();
  for (int i = 0; i < 64; ++i) larder.options.sets.push_back(fmt::format("{{{}}}:due", i));
  auto const node_of = [&](std::size_t set) {
    return cluster.master_of(redis::slot_of(larder.options.sets[set]));
  };
  auto const put = [&](std::size_t set) { test::run(larder.io, larder.reschedule(set, "m", start_time)); };
  larder.start();
  for (std::size_t set = 0; set < 64; ++set) put(set);
  ASSERT_TRUE(test::eventually(larder.io, [&] { return larder.commits == 64; }));

  auto const hangs = node_of(0);
  std::vector<std::size_t> alive;
  for (std::size_t set = 0; set < 64; ++set) {
    if (node_of(set) != hangs) alive.push_back(set);
  }
  cluster.node(hangs).pause();
  larder.scheduler->wake(0, start_time);
  for (int round = 1; round <= 3; ++round) {
    for (auto const set : alive) put(set);
    auto const wanted = 64 + round * int(alive.size());
    ASSERT_TRUE(test::eventually(
        larder.io, [&] { return larder.commits == wanted; }, 20s))
        << larder.commits << " commits instead of " << wanted;
  }
}

}  // namespace
}  // namespace larder::schedule
