// Many clients that select for the same user at once, for an hour of simulated time, against the model. The
// place of a message in the history tells in which order Redis made the choices.
#include "base/when_all.hpp"
#include "messages_workload/model.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/sql_servers.hpp"
#include "support/temp_dir.hpp"
#include "systems/messages/messages_service.hpp"

#include <boost/asio/use_future.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace larder::messages {
namespace {

constexpr std::size_t thread_count = 4;
constexpr std::size_t clients_per_thread = 16;
constexpr std::int64_t hour_ms = 3'600'000;
UserId const ada = UserId::from("ada").value();

// One of several servers that share Redis and SQL.
class Server {
 public:
  Server(std::string const& redis_url, Sql& sql, Clock const& clock, Metrics& metrics)
      : redis_(io_, {.url = redis::parse_url(redis_url)}, metrics),
        service_(io_, redis_, sql, clock, metrics),
        messages_(redis_, service_.shared()),
        work_(io_.get_executor()),
        thread_([this] { io_.run(); }) {}
  ~Server() {
    io_.stop();
    thread_.join();
  }

  template <class T>
  std::future<T> begin(Task<T> task) {
    return asio::co_spawn(io_, std::move(task), asio::use_future);
  }
  Messages& messages() { return messages_; }
  Service& service() { return service_; }

 private:
  asio::io_context io_{1};
  redis::Redis redis_;
  Service service_;
  Messages messages_;
  asio::executor_work_guard<Executor> work_;
  std::thread thread_;
};

class Workload {
 public:
  Workload(std::string const& redis_url, std::string const& sql_url) : sql_(sql_url, 4, metrics_) {
    MessageTable(sql_).migrate_now();
    for (std::size_t i = 0; i < thread_count; ++i) {
      servers_.push_back(std::make_unique<Server>(redis_url, sql_, clock_, metrics_));
    }
  }

  void run(Seed seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed.value));
    Random random(seed);
    for (int i = 0; i < 20; ++i) create(random);
    auto const end = clock_.now() + hour_ms;
    while (clock_.now() < end && !testing::Test::HasFatalFailure()) {
      select_at_once(random);
      if (random.chance(1, 2)) change(random);
      // Mostly short steps: within them no bucket may get its tokens.
      clock_.advance(1 + std::int64_t(random.below(random.chance(1, 4) ? 60'000 : 5'000)));
    }
    EXPECT_GT(selected_, 500);
    EXPECT_GT(refused_, 500);
  }

 private:
  Server& any(Random& random) { return *servers_[random.below(servers_.size())]; }

  void create(Random& random) {
    NewMessage message{
        .text = "hi",
        .author = ada,
        .target = ada,
        .active = !random.chance(1, 5),
        .rule = {.tokens = 1 + std::int64_t(random.below(7)),
                 .seconds = 1 + std::int64_t(random.below(random.chance(1, 3) ? 600 : 60)),
                 .refill = random.chance(1, 3) ? limiter::Refill::continuous : limiter::Refill::interval}};
    auto& server = any(random);
    auto const made = server.begin(server.messages().create(std::move(message))).get();
    ASSERT_TRUE(made);
    model_.put(**made);
  }

  void change(Random& random) {
    auto const all = model_.all();
    if (all.size() < 10 || random.chance(1, 4)) return create(random);
    auto const& [id, message] = *std::next(all.begin(), std::int64_t(random.below(all.size())));
    auto& server = any(random);
    if (random.chance(1, 4)) {
      ASSERT_TRUE(server.begin(server.messages().remove(id)).get());
      model_.remove(id);
      return;
    }
    auto const changed = server.begin(server.messages().change(id, {.active = !message.active})).get();
    ASSERT_TRUE(changed);
    model_.put(**changed);
  }

  void select_at_once(Random& random) {
    std::vector<std::future<std::vector<Selection>>> begun;
    for (auto& server : servers_) {
      std::vector<Task<Selection>> tasks;
      for (std::size_t i = 0; i < clients_per_thread; ++i) {
        tasks.push_back(server->messages().select(ada, std::uint32_t(random.next() >> 33U)));
      }
      begun.push_back(server->begin(when_all(std::move(tasks))));
    }
    std::vector<Selection> selected;
    std::vector<Selection> refused;
    for (auto& future : begun) {
      for (auto& selection : future.get()) (selection.message ? selected : refused).push_back(selection);
    }
    std::ranges::sort(selected, {}, [](Selection const& one) { return std::stod(one.sent.position); });
    check(selected, refused);
  }

  void check(std::vector<Selection> const& selected, std::vector<Selection> const& refused) {
    auto const now = clock_.now();
    auto const asked = std::int64_t(selected.size() + refused.size());
    // Every token is used if it is asked for, and no other.
    ASSERT_EQ(std::int64_t(selected.size()), std::min(asked, model_.tokens(now)));
    for (auto const& selection : selected) {
      auto const choice = model_.choice(now);
      auto const id = selection.message->id;
      if (choice.fresh.empty()) {
        ASSERT_EQ(id, choice.next);
        ASSERT_FALSE(selection.draw);
      } else {
        ASSERT_TRUE(selection.draw);
        ASSERT_EQ(selection.draw->among, std::int64_t(choice.fresh.size()));
        ASSERT_EQ(std::to_string(id), *std::next(choice.fresh.begin(), selection.draw->index));
      }
      ASSERT_EQ(selection.tokens_left, model_.send(id, now));
    }
    for (auto const& selection : refused) ASSERT_EQ(selection.retry_at, model_.retry_at(now));
    std::vector<MessageId> history;
    auto& server = *servers_.front();
    for (auto const& sent : server.begin(server.messages().history(ada, {}, 1000)).get()) {
      history.push_back(sent.message);
    }
    ASSERT_EQ(history, model_.history());
    selected_ += int(selected.size());
    refused_ += int(refused.size());
  }

  Metrics metrics_;
  TestClock clock_{{1'800'000'000'000}};
  Sql sql_;
  std::vector<std::unique_ptr<Server>> servers_;
  Model model_;
  int selected_ = 0;
  int refused_ = 0;
};

Seed seed_for_this_run() {
  auto const* const given = std::getenv("LARDER_SEED");
  return given ? Seed{std::stoull(given)} : random_seed();
}

class MessagesWorkloadTest : public testing::Test {
 protected:
  std::string sqlite() const { return "sqlite:" + dir.file("larder.sqlite"); }
  test::TempDir dir;
};

TEST_F(MessagesWorkloadTest, an_hour_on_one_redis_and_sqlite) {
  test::RedisServer const server;
  Workload(server.url(), sqlite()).run(seed_for_this_run());
}

TEST_F(MessagesWorkloadTest, an_hour_with_postgresql) {
  test::RedisServer const server;
  Workload(server.url(), test::postgresql_server().new_database()).run(seed_for_this_run());
}

TEST_F(MessagesWorkloadTest, an_hour_with_mariadb) {
  test::RedisServer const server;
  Workload(server.url(), test::mariadb_server().new_database()).run(seed_for_this_run());
}

TEST_F(MessagesWorkloadTest, an_hour_on_a_cluster) {
  test::RedisCluster const cluster;
  Workload(cluster.url(), sqlite()).run(seed_for_this_run());
}

}  // namespace
}  // namespace larder::messages
