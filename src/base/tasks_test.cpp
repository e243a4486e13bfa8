#include "base/single_flight.hpp"
#include "base/task_group.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gtest/gtest.h>

#include <thread>

namespace larder {

namespace {

using namespace std::chrono_literals;

void spawn(asio::io_context& io, Task<void> task) { asio::co_spawn(io, std::move(task), asio::detached); }

TEST(TaskGroup, stop_ends_every_sleep_and_waits_for_all_tasks) {
  asio::io_context io;
  TaskGroup tasks(io);
  Timer news(io);
  std::vector<std::string> ended;
  auto const work = [&](std::string name, bool on_news) -> Task<void> {
    while (!tasks.stopping()) co_await (on_news ? tasks.sleep_on(news, 1h) : tasks.sleep(1h));
    co_await sleep_for(5ms);  // the task still has something to finish
    ended.push_back(name);
  };
  tasks.spawn(work("a", false));
  tasks.spawn(work("b", true));
  bool stopped = false;
  spawn(io, [](TaskGroup& group, std::vector<std::string>& names, bool& done) -> Task<void> {
    co_await sleep_for(1ms);
    EXPECT_TRUE(names.empty());
    co_await group.stop();
    EXPECT_EQ(names.size(), 2u);
    done = true;
  }(tasks, ended, stopped));
  io.run();
  EXPECT_TRUE(stopped);
}

TEST(TaskGroup, a_cancelled_timer_ends_its_sleep_only) {
  asio::io_context io;
  TaskGroup tasks(io);
  Timer news(io);
  int woken = 0;
  tasks.spawn([](TaskGroup& group, Timer& timer, int& count) -> Task<void> {
    co_await group.sleep_on(timer, 1h);
    ++count;
    EXPECT_FALSE(group.stopping());
  }(tasks, news, woken));
  io.poll();
  news.cancel();
  io.run();
  EXPECT_EQ(woken, 1);
}

TEST(TaskGroup, a_task_that_is_spawned_while_the_group_stops_is_waited_for) {
  asio::io_context io;
  TaskGroup tasks(io);
  bool late_done = false;
  auto const late = [&]() -> Task<void> {
    co_await sleep_for(2ms);
    late_done = true;
  };
  tasks.spawn([](TaskGroup& group, auto const& more) -> Task<void> {
    co_await group.sleep(1h);
    group.spawn(more());
  }(tasks, late));
  spawn(io, [](TaskGroup& group, bool const& done) -> Task<void> {
    co_await group.stop();
    EXPECT_TRUE(done);
  }(tasks, late_done));
  io.run();
  EXPECT_TRUE(late_done);
}

TEST(TaskGroup, may_be_gone_before_the_frames_of_its_tasks) {
  asio::io_context io;
  {
    TaskGroup tasks(io);
    tasks.spawn([](TaskGroup& group) -> Task<void> { co_await group.sleep(1h); }(tasks));
    io.poll();
  }
}  // `io` destroys the frame here

TEST(SingleFlight, one_works_and_the_others_wait) {
  asio::io_context io;
  SingleFlight flight;
  int worked = 0;
  int ran = 0;
  int waited = 0;
  for (int i = 0; i < 5; ++i) {
    spawn(io, [](SingleFlight& shared, int& works, int& runs, int& waits) -> Task<void> {
      bool const own = co_await shared.run([&]() -> Task<void> {
        co_await sleep_for(5ms);
        ++works;
      });
      ++(own ? runs : waits);
      EXPECT_EQ(works, 1);
    }(flight, worked, ran, waited));
  }
  io.run();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(waited, 4);
}

TEST(SingleFlight, a_failure_reaches_everybody_who_waited_for_it_and_the_next_may_run) {
  asio::io_context io;
  SingleFlight flight;
  std::vector<std::string> log;
  auto const fly = [&](std::string name, bool fails) -> Task<void> {
    try {
      bool const own = co_await flight.run([&]() -> Task<void> {
        co_await sleep_for(2ms);
        if (fails) throw std::runtime_error("no");
      });
      log.push_back(name + (own ? " ran" : " waited"));
    } catch (std::runtime_error const&) {
      log.push_back(name + " failed");
    }
  };
  spawn(io, fly("a", true));
  spawn(io, fly("b", false));
  io.run();
  io.restart();
  spawn(io, fly("c", false));
  io.run();
  EXPECT_EQ(log, (std::vector<std::string>{"a failed", "b failed", "c ran"}));
}

TEST(SingleFlight, flights_with_different_keys_do_not_wait_for_each_other) {
  asio::io_context io;
  SingleFlight flights;
  std::vector<std::string> log;
  auto const fly = [&](std::string key, std::chrono::milliseconds time, bool fails) -> Task<void> {
    try {
      bool const own = co_await flights.run(key, [&]() -> Task<void> {
        co_await sleep_for(time);
        if (fails) throw std::runtime_error("no");
      });
      log.push_back(key + (own ? " ran" : " waited"));
    } catch (std::runtime_error const&) {
      log.push_back(key + " failed");
    }
  };
  spawn(io, fly("slow", 50ms, true));
  spawn(io, fly("quick", 1ms, false));
  spawn(io, fly("slow", 0ms, false));
  io.run();
  EXPECT_EQ(log, (std::vector<std::string>{"quick ran", "slow failed", "slow failed"}));
}

TEST(SingleFlight, callers_of_several_threads_share_a_flight) {
  SingleFlight flight;
  std::atomic<int> worked = 0;
  std::atomic<int> done = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      asio::io_context io;
      for (int k = 0; k < 50; ++k) {
        spawn(io, [](SingleFlight& shared, std::atomic<int>& works, std::atomic<int>& ends) -> Task<void> {
          co_await shared.run([&]() -> Task<void> {
            EXPECT_EQ(works.fetch_add(1), 0);
            co_await sleep_for(1ms);
            works.fetch_sub(1);
          });
          ++ends;
        }(flight, worked, done));
      }
      io.run();
    });
  }
  threads.clear();
  EXPECT_EQ(done, 200);
}

TEST(SingleFlight, may_be_gone_before_the_frames_of_its_callers) {
  asio::io_context io;
  auto flight = std::make_unique<SingleFlight>();
  for (int i = 0; i < 2; ++i) {
    spawn(io, [](SingleFlight& shared) -> Task<void> {
      co_await shared.run([]() -> Task<void> { co_await sleep_for(1h); });
    }(*flight));
  }
  io.poll();
  flight.reset();
}  // `io` destroys the frames here

}  // namespace

}  // namespace larder
