// Compares many clients that select for the same user at the same time with the model, for an hour of
// simulated time. The history tells in which order Redis chose the messages.
#include "base/when_all.hpp"
#include "messages_workload/model.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/sql_servers.hpp"
#include "support/temp_dir.hpp"
#include "systems/messages/messages_background.hpp"

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
  Server(std::string const& redis_url, sql::Database& sql, Clock const& clock, Metrics& metrics)
      : redis_(io_, {.url = redis::parse_url(redis_url)}, metrics),
        background_(io_, redis_, sql, clock, metrics),
        messages_(redis_, background_.shared()),
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
  void post(std::function<void()> work) { asio::post(io_, std::move(work)); }
  Messages& messages() { return messages_; }
  Background& background() { return background_; }

 private:
  asio::io_context io_{1};
  redis::Redis redis_;
  Background background_;
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
      // Mostly short steps, in which no bucket may get new tokens.
      clock_.advance(1 + std::int64_t(random.below(random.chance(1, 4) ? 60'000 : 5'000)));
    }
    EXPECT_GT(selected_, 500);
    EXPECT_GT(refused_, 500);
  }

  // Writers and readers work on one user at the same time. No more tokens may be used than there are. In the
  // end, exactly what SQL allows may be sent.
  void change_while_selecting(Seed seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed.value));
    constexpr std::int64_t tokens = 5;
    for (auto& server : servers_) server->post([&background = server->background()] { background.start(); });
    std::vector<std::future<void>> begun;
    std::vector<std::map<MessageId, std::int64_t>> sent(servers_.size());
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      auto& server = *servers_[i];
      begun.push_back(server.begin(write(server.messages(), Random({seed.value + i}), tokens)));
      begun.push_back(server.begin(read(server.messages(), sent[i])));
    }
    for (auto& task : begun) task.get();
    std::map<MessageId, std::int64_t> all;
    for (auto const& of : sent) {
      for (auto const& [id, count] : of) all[id] += count;
    }
    auto& server = *servers_.front();
    std::set<MessageId> active;
    for (auto const& message : server.begin(server.messages().list({.limit = 100'000})).get()) {
      if (message.active) active.insert(message.id);
    }
    // Use up all tokens that are left. They must belong to active messages.
    for (;;) {
      auto const selection = server.begin(server.messages().select(ada)).get();
      if (!selection.message) break;
      ASSERT_TRUE(active.contains(selection.message->id));
      ++all[selection.message->id];
    }
    for (auto const& [id, count] : all) EXPECT_LE(count, tokens) << id;
    for (auto const id : active) EXPECT_EQ(all[id], tokens) << id;
    for (auto& each : servers_) each->begin(each->background().stop()).get();
  }

 private:
  static Task<void> write(Messages& messages, Random random, std::int64_t tokens) {
    std::vector<MessageId> mine;
    for (int i = 0; i < 60; ++i) {
      if (mine.size() < 5 || random.chance(1, 3)) {
        NewMessage message{
            .text = "hi", .author = ada, .target = ada, .rule = {.tokens = tokens, .seconds = 1'000'000}};
        mine.push_back((co_await messages.create(std::move(message))).value()->id);
        continue;
      }
      auto const at = std::ptrdiff_t(random.below(mine.size()));
      auto const id = mine[std::size_t(at)];
      if (random.chance(1, 3)) {
        (co_await messages.remove(id)).value();
        mine.erase(mine.begin() + at);
      } else {
        (co_await messages.change(id, {.active = random.chance(1, 2)})).value();
      }
    }
  }
  static Task<void> read(Messages& messages, std::map<MessageId, std::int64_t>& sent) {
    for (int i = 0; i < 300; ++i) {
      auto const selection = co_await messages.select(ada);
      if (selection.message) ++sent[selection.message->id];
    }
  }

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
    // Every available token is used if somebody asks, and no others.
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
  sql::Database sql_;
  std::vector<std::unique_ptr<Server>> servers_;
  Model model_;
  int selected_ = 0;
  int refused_ = 0;
};

Seed seed_for_this_run() {
  auto const* const given = std::getenv("LARDER_SEED");
  return given ? Seed{std::stoull(given)} : random_seed();
}

test::RedisServer::Options const unwatched{.check_keys = false};  // too many commands

class MessagesWorkloadTest : public testing::Test {
 protected:
  std::string sqlite() const { return "sqlite:" + dir.file("larder.sqlite"); }
  test::TempDir dir;
};

TEST_F(MessagesWorkloadTest, changes_beside_selections_leave_redis_as_sql_has_it) {
  test::RedisServer const server(unwatched);
  Workload workload(server.url(), sqlite());
  workload.change_while_selecting(seed_for_this_run());
}

TEST_F(MessagesWorkloadTest, an_hour_on_one_redis_and_sqlite) {
  test::RedisServer const server(unwatched);
  Workload(server.url(), sqlite()).run(seed_for_this_run());
}

TEST_F(MessagesWorkloadTest, an_hour_with_postgresql) {
  test::RedisServer const server(unwatched);
  Workload(server.url(), test::postgresql_server().new_database()).run(seed_for_this_run());
}

TEST_F(MessagesWorkloadTest, an_hour_with_mariadb) {
  test::RedisServer const server(unwatched);
  Workload(server.url(), test::mariadb_server().new_database()).run(seed_for_this_run());
}

TEST_F(MessagesWorkloadTest, an_hour_on_a_cluster) {
  test::RedisCluster const cluster({.check_keys = false});
  Workload(cluster.url(), sqlite()).run(seed_for_this_run());
}

}  // namespace
}  // namespace larder::messages
