#include "base/cpu_pool.hpp"

#include "base/random.hpp"
#include "base/when_all.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <latch>
#include <semaphore>

namespace larder {

namespace {

template <class T>
T run(asio::io_context& io, Task<T> task) {
  std::optional<T> value;
  std::exception_ptr problem;
  asio::co_spawn(io.get_executor(), std::move(task), [&](std::exception_ptr thrown, T result) {
    problem = thrown;
    if (!thrown) value = std::move(result);
  });
  io.restart();
  io.run();
  if (problem) std::rethrow_exception(problem);
  return std::move(*value);
}

TEST(CpuPool, runs_work_elsewhere_and_comes_back) {
  CpuPool pool(1, 10);
  asio::io_context io(1);
  auto const task = [&]() -> Task<bool> {
    auto const here = std::this_thread::get_id();
    auto const there = co_await pool.run([] { return std::this_thread::get_id(); });
    co_return there && *there != here&& std::this_thread::get_id() == here;
  };
  EXPECT_TRUE(run(io, task()));
}

TEST(CpuPool, gives_back_what_the_work_gives) {
  CpuPool pool(2, 10);
  asio::io_context io(1);
  EXPECT_EQ(run(io, pool.run([] { return 7; })).value(), 7);
  EXPECT_TRUE(run(io, pool.run([] {})));
  auto only_moves = std::make_unique<int>(8);
  auto const moved = run(io, pool.run([held = std::move(only_moves)]() mutable { return std::move(held); }));
  EXPECT_EQ(**moved, 8);
  EXPECT_THROW(run(io, pool.run([]() -> int { throw std::out_of_range("no"); })), std::out_of_range);
  EXPECT_THROW(run(io, pool.run([] { throw 7; })), int);
  EXPECT_EQ(run(io, pool.run([] { return 9; })).value(), 9);
}

TEST(CpuPool, refuses_when_too_many_wait) {
  CpuPool pool(1, 2);
  asio::io_context io(1);
  std::latch running(1);
  std::latch go_on(1);
  std::vector<Task<Result<int>>> tasks;
  tasks.push_back(pool.run([&] {
    running.count_down();
    go_on.wait();
    return 0;
  }));
  auto const late = [&](int i) -> Task<Result<int>> {
    while (!running.try_wait()) co_await sleep_for(std::chrono::milliseconds(1));
    auto result = co_await pool.run([i] { return i; });
    if (!result) go_on.count_down();  // this call came last: let the first one end
    co_return result;
  };
  for (int i = 1; i <= 3; ++i) tasks.push_back(late(i));
  auto const results = run(io, when_all(std::move(tasks)));
  // Whichever of the three came last was refused.
  int refused = 0;
  for (int i = 0; i <= 3; ++i) {
    auto const& result = results[std::size_t(i)];
    if (result) {
      EXPECT_EQ(*result, i);
    } else {
      ++refused;
      EXPECT_EQ(result.error().code, errors::server_busy);
      EXPECT_EQ(result.error().more.at("retry_after_s"), 1);
    }
  }
  EXPECT_TRUE(results[0]);
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(run(io, pool.run([] { return 4; })).value(), 4);
}

TEST(CpuPool, a_call_with_a_free_thread_does_not_wait) {
  CpuPool pool(2, 0);
  asio::io_context io(1);
  std::latch both_run(2);
  std::vector<Task<Result<int>>> tasks;
  for (int i = 0; i < 2; ++i) {
    tasks.push_back(pool.run([&both_run, i] {
      both_run.arrive_and_wait();
      return i;
    }));
  }
  auto const results = run(io, when_all(std::move(tasks)));
  EXPECT_EQ(results[0].value(), 0);
  EXPECT_EQ(results[1].value(), 1);
  EXPECT_EQ(run(io, pool.run([] { return 2; })).value(), 2);
}

TEST(CpuPool, refuses_who_waits_when_it_stops) {
  CpuPool pool(1, 10);
  asio::io_context io(1);
  std::latch running(1);
  std::vector<Task<Result<int>>> tasks;
  // The first call ends only when the call that waits behind it has been refused.
  std::binary_semaphore refused(0);
  tasks.push_back(pool.run([&] {
    running.count_down();
    refused.acquire();
    return 1;
  }));
  auto const waits = [&]() -> Task<Result<int>> {
    auto result = co_await pool.run([] { return 2; });
    refused.release();
    co_return result;
  };
  tasks.push_back(waits());
  std::jthread stopping([&] {
    running.wait();
    pool.stop();
  });
  auto const results = run(io, when_all(std::move(tasks)));
  EXPECT_EQ(results[0].value(), 1);
  EXPECT_EQ(results[1].error().code, errors::server_busy);
  stopping.join();
  EXPECT_EQ(run(io, pool.run([] { return 3; })).error().code, errors::server_busy);
}

TEST(CpuPool, outlives_those_who_wait) {
  CpuPool pool(1, 10);
  std::latch running(1);
  std::latch go_on(1);
  std::atomic<bool> began = false;
  {
    asio::io_context io(1);
    asio::co_spawn(io.get_executor(), pool.run([&] {
      running.count_down();
      go_on.wait();
    }),
                   asio::detached);
    asio::co_spawn(io.get_executor(), pool.run([&] { began = true; }), asio::detached);
    io.poll();
    running.wait();
  }  // destroys both coroutines: the work of one is running, the other waits
  go_on.count_down();
  asio::io_context io(1);
  EXPECT_EQ(run(io, pool.run([] { return 1; })).value(), 1);
  EXPECT_FALSE(began);  // nobody would get the result
}

// Several io threads share a pool, and some of their io_contexts end in the middle of the work.
TEST(CpuPool, serves_threads_that_come_and_go) {
  auto const* const given = std::getenv("LARDER_SEED");  // NOLINT(concurrency-mt-unsafe)
  auto const seed = given ? Seed{std::stoull(given)} : random_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  CpuPool pool(2, 8);
  std::atomic<int> at_work = 0;
  std::atomic<int> too_many = 0;
  std::atomic<int> wrong = 0;
  std::atomic<int> good = 0;
  auto const client = [&](Random random) -> Task<void> {
    for (int i = 0; i < 30; ++i) {
      auto const result = co_await pool.run([&, i, spins = random.below(20'000)] {
        if (++at_work > 2) ++too_many;
        for (std::uint64_t volatile s = 0; s < spins;) s = s + 1;
        --at_work;
        return i;
      });
      if (!result) co_await sleep_for(std::chrono::milliseconds(1));
      if (result && *result != i) ++wrong;
      if (result) ++good;
    }
  };
  std::vector<std::jthread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Random random(Seed{seed.value + t});
      for (int round = 0; round < 10; ++round) {
        asio::io_context io(1);
        for (int c = 0; c < 8; ++c) {
          asio::co_spawn(io.get_executor(), client(Random(Seed{random.next()})), asio::detached);
        }
        // Half of the io_contexts end while clients still wait.
        if (random.chance(1, 2)) {
          for (auto steps = random.below(200); steps > 0; --steps)
            io.run_one_for(std::chrono::milliseconds(10));
        } else {
          io.run();
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(too_many, 0);
  EXPECT_GT(good, 0);
}

}  // namespace

}  // namespace larder
