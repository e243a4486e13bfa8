#include "kit/schedule/scheduler.hpp"

#include "base/error.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <boost/asio/redirect_error.hpp>
#include <gtest/gtest.h>

#include <thread>

namespace larder::schedule {
namespace {

using namespace std::chrono_literals;

constexpr TimeMs start_time{1'700'000'000'000};
std::vector<std::string> const sets = {"{0}:due", "{1}:due"};

redis::Script const finish{
    "local taken = redis.call('ZREM', KEYS[1], ARGV[1])\n"
    "if taken == 1 then redis.call('HINCRBY', KEYS[2], ARGV[1], 1) end\n"
    "return taken"};

// One Larder with a scheduler. Destroyed without stop() it is one that was killed.
struct Larder {
  Larder(std::string const& redis_url, Clock const& time, std::chrono::milliseconds timeout = 5s)
      : clock(time),
        redis(io, {.url = redis::parse_url(redis_url), .timeout = timeout, .tls_ca = {}}, metrics) {}

  void start() {
    make();
    scheduler->start();
  }
  void make() {
    scheduler.emplace(
        io, redis, clock, options,
        [this](std::size_t set, std::string member, TimeMs due) {
          return handle(set, std::move(member), due);
        },
        metrics);
  }

  std::size_t add(std::string set) {
    options.sets.push_back(set);
    return scheduler->add(std::move(set));
  }

  Task<void> handle(std::size_t set, std::string member, TimeMs due) {
    begun.push_back(fmt::format("{} {}", member, due.value - start_time.value));
    if (before) co_await before(set, member);
    if (commits_work) co_await commit(set, member);
  }
  // The fence: of two who did the same, one counts.
  Task<void> commit(std::size_t set, std::string member) {
    auto const done = options.sets[set] + ":done";
    std::array<std::string_view, 2> const keys{options.sets[set], done};
    std::array<std::string_view, 1> const args{member};
    auto const taken = co_await redis.run(redis::Use::idempotent_write, finish, keys, args);
    commits += int(taken.integer());
  }
  Task<void> reschedule(std::size_t set, std::string member, TimeMs due) {
    auto const score = std::to_string(due.value);
    co_await redis.command(redis::Use::write, options.sets[set], {"ZADD", options.sets[set], score, member});
  }
  // Waits until open().
  Task<void> wait_at_gate() {
    ++at_gate;
    boost::system::error_code opened;
    if (!gate_open) co_await gate.async_wait(asio::redirect_error(use_task, opened));
    --at_gate;
  }
  void open_gate() {
    gate_open = true;
    gate.cancel();
  }
  double counted(std::string const& name) const {
    auto const text = metrics.text();
    auto const at = text.find("\n" + name + "{");
    return at == text.npos ? -1 : std::stod(text.substr(text.find("} ", at) + 2));
  }

  asio::io_context io;
  Metrics metrics;
  Clock const& clock;
  redis::Redis redis;
  SchedulerOptions options{.name = "test", .sets = sets, .look_every = 5ms};
  std::function<Task<void>(std::size_t set, std::string member)> before;  // the commit
  std::vector<std::string> begun;  // "<member> <due after the start time>"
  bool commits_work = true;
  int commits = 0;
  int at_gate = 0;
  bool gate_open = false;
  Timer gate{io, Timer::time_point::max()};
  std::optional<Scheduler> scheduler;
};

class SchedulerTest : public testing::Test {
 protected:
  void put(std::size_t set, std::string const& member, std::int64_t due_after) {
    server.cli({"ZADD", sets[set], std::to_string(start_time.value + due_after), member});
  }
  void put_many(std::size_t set, int count) {
    server.cli({"EVAL", "for i = 1, ARGV[1] do redis.call('ZADD', KEYS[1], ARGV[2], 'm' .. i) end", "1",
                sets[set], std::to_string(count), std::to_string(start_time.value)});
  }
  // Due time after the start time, or "gone".
  std::string due_of(std::string const& member, std::size_t set = 0) {
    auto const score = server.cli({"ZSCORE", sets[set], member});
    return score.empty() ? "gone" : std::to_string(std::stoll(score) - start_time.value);
  }
  int waiting(std::size_t set) { return std::stoi(server.cli({"ZCARD", sets[set]})); }
  int failures(std::size_t set) { return std::stoi(server.cli({"HLEN", sets[set] + ":failures"})); }
  int done(std::string const& member, std::size_t set = 0) {
    auto const count = server.cli({"HGET", sets[set] + ":done", member});
    return count.empty() ? 0 : std::stoi(count);
  }
  std::vector<DeadMember> dead(Larder& in, std::size_t set = 0) {
    return test::run(in.io, dead_members(in.redis, sets[set]));
  }
  // Several looks have come and gone.
  void let_it_look(Larder& in) {
    auto const seen = server.stat("total_commands_processed");
    ASSERT_TRUE(test::eventually(in.io, [&] { return server.stat("total_commands_processed") > seen + 40; }));
  }
  template <class F>
  bool eventually(Larder& in, F condition) {
    return test::eventually(in.io, condition);
  }
  // While time passes, too.
  template <class F>
  bool as_time_passes(Larder& in, F condition, std::int64_t step_ms = 20) {
    return test::eventually(in.io, [&] {
      clock.advance(step_ms);
      return condition();
    });
  }
  void replace_larder() {
    larder.reset();
    larder.emplace(server.url(), clock);
  }

  test::RedisServer server{{.settings = {"appendonly yes", "appendfsync always"}}};
  TestClock clock{start_time};
  std::optional<Larder> larder{std::in_place, server.url(), clock};
};

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

TEST_F(SchedulerTest, many_members_are_done_by_at_most_at_once_handlers) {
  put_many(0, 300);
  put_many(1, 300);
  larder->options.at_once = 7;
  larder->options.batch = 20;
  int together = 0;
  int most = 0;
  larder->before = [&](std::size_t, std::string const&) -> Task<void> {
    most = std::max(most, ++together);
    Timer pause(larder->io);
    pause.expires_after(1ms);
    co_await pause.async_wait(use_task);
    --together;
  };
  larder->start();
  ASSERT_TRUE(eventually(*larder, [&] { return larder->commits == 600; }));
  EXPECT_EQ(most, 7);
  EXPECT_EQ(larder->begun.size(), 600U);
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

TEST_F(SchedulerTest, ten_thousand_sets_are_looked_at_in_small_portions) {
  for (int i = 0; i < 10'000; ++i) larder->options.sets.push_back(fmt::format("{{{}}}:many", i));
  auto const before = server.stat("total_commands_processed");
  larder->start();
  larder->io.run_for(100ms);
  EXPECT_LT(server.stat("total_commands_processed") - before, 1'000);
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
    each->options.lease = 2ms;  // keeps nobody apart
    each->before = [each](std::size_t, std::string const&) -> Task<void> {
      Timer pause(each->io);
      pause.expires_after(1ms);
      co_await pause.async_wait(use_task);
    };
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
  ASSERT_TRUE(as_time_passes(*larder, [&] { return larder->commits == 1; }));
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

// One meets an outage, one fails, one has not begun.
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

// A handler that has committed and then fails, in each way.
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

// Its handler committed the next due time long before it ended, well or badly.
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
    ASSERT_TRUE(
        test::eventually(larder.io, [&] { return larder.commits == 64 + round * int(alive.size()); }, 20s));
  }
}

}  // namespace
}  // namespace larder::schedule
