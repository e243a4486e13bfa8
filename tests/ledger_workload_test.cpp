// Many clients at once against the whole ledger: Redis, outbox, projector, SQL. Whatever happens meanwhile,
// afterwards every order is decided once, every decision is one flow, and every account's flows are a chain
// from nothing to its balance. LARDER_SEED repeats a run, LARDER_WORKLOAD sets the steps of a client.
#include "base/error.hpp"
#include "base/random.hpp"
#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/ledger/ledger_store.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <map>
#include <tuple>

namespace larder::ledger {
namespace {

using namespace std::chrono_literals;

constexpr int client_count = 64;
constexpr auto run_limit = std::chrono::seconds(600);

std::uint64_t from_environment(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return text ? std::stoull(text) : otherwise;
}

using OrderKey = std::pair<std::string, std::string>;             // uid, order
using AccountKey = std::tuple<std::string, TypeId, std::string>;  // uid, type, domain

// The model: what an entry does to a balance.
std::pair<Status, std::int64_t> expected(Op op, std::int64_t amount, std::int64_t old) {
  switch (op) {
    case Op::add:
      if (amount > limits::amount_max - old) return {Status::balance_limit, old};
      return {Status::ok, old + amount};
    case Op::deduct:
      if (amount > old) return {Status::insufficient_balance, old};
      return {Status::ok, old - amount};
    case Op::reset: return {Status::ok, amount};
  }
  return {};
}

std::string describe(Outcome const& o) {
  return fmt::format("{} {} {} {} {} {}>{} at {}", name_of(o.status), name_of(o.op), o.type, o.domain.str(),
                     o.amount.value(), o.old_balance.value(), o.balance.value(), o.at.value);
}

// One io thread with a Redis client and a ledger of its own.
struct Lane {
  Lane(redis::Options const& options, Shared& shared, Metrics& metrics, asio::io_context& context)
      : io(context), redis(io, options, metrics), ledger(redis, shared) {}
  asio::io_context& io;
  redis::Redis redis;
  Ledger ledger;
};

struct Decided {
  Entry entry;
  Outcome outcome;
};

// One user of the API: posts, repeats itself, contradicts itself, and never gives up on an order.
class Client {
 public:
  Client(int number, Seed seed, Lane& lane, std::vector<TypeId> const& types, Metrics& metrics)
      : number_(number),
        random_(seed),
        lane_(lane),
        types_(types),
        retries_(metrics.counter("larder_redis_retries_total", "Redis commands sent again")) {}

  Task<void> work(std::uint64_t steps, std::atomic<std::uint64_t>& progress) {
    for (std::uint64_t step = 0; step < steps; ++step) {
      switch (random_.below(10)) {
        case 0: co_await replay(); break;
        case 1: co_await contradict(); break;
        case 2: co_await post_shared(step); break;
        case 3: co_await post_twice_at_once(step); break;
        case 4:
        case 5: co_await post_fresh(co_await issued_order()); break;
        default: co_await post_fresh(own_order(step)); break;
      }
      ++progress;
    }
  }

  std::vector<Decided> decided;       // what it was told, replays too
  std::vector<Entry> contradictions;  // entries refused as order_conflict
  int store_errors = 0;

 private:
  OrderId own_order(std::uint64_t step) const {
    return OrderId::from(fmt::format("c{}-{}", number_, step)).value();
  }
  Account random_account() {
    return {.type = types_[random_.below(types_.size())],
            .domain = Domain::from(random_.chance(1, 2) ? "main" : "eu:shop").value(),
            .uid = UserId::from(fmt::format("user{}", random_.below(8))).value()};
  }
  Entry random_entry(OrderId order) {
    constexpr std::array ops = {Op::add, Op::add, Op::add, Op::deduct, Op::deduct, Op::deduct, Op::reset};
    Entry entry{.order_id = std::move(order),
                .op = ops[random_.below(ops.size())],
                .account = random_account(),
                .amount = Amount::from(1 + std::int64_t(random_.below(30))).value(),
                .remark = fmt::format("client {}", number_)};
    if (entry.op == Op::add && random_.chance(1, 40)) entry.amount = Amount::from(limits::amount_max).value();
    if (entry.op == Op::reset && random_.chance(1, 2)) entry.amount = Amount{};
    return entry;
  }

  // Of two equal entries at once one is the replay, unless they were sent again below.
  double trouble() const { return store_errors + retries_.Value(); }

  // Calls until a store was there to answer.
  template <class F>
  auto insist(F call) -> decltype(call()) {
    for (;;) {
      try {
        co_return co_await call();
      } catch (StoreError const&) {
        ++store_errors;
      }
      Timer pause(lane_.io);
      pause.expires_after(5ms);
      co_await pause.async_wait(use_task);
    }
  }

  Task<OrderId> issued_order() {
    auto const type = types_[random_.below(types_.size())];
    auto order = co_await insist([&] { return lane_.ledger.issue_order(type); });
    co_return order.value();
  }

  Task<Receipt> must_post(Entry entry) {
    auto const receipt = co_await insist([&] { return lane_.ledger.post(entry); });
    if (!receipt) throw std::runtime_error(fmt::format("refused: {}", receipt.error().code.name));
    note(entry, *receipt);
    co_return *receipt;
  }
  void note(Entry const& entry, Receipt const& receipt) {
    auto const& outcome = receipt.outcome;
    auto const [status, balance] = expected(entry.op, entry.amount.value(), outcome.old_balance.value());
    EXPECT_EQ(outcome.status, status) << describe(outcome);
    EXPECT_EQ(outcome.balance.value(), balance) << describe(outcome);
    EXPECT_EQ(outcome.op, entry.op);
    EXPECT_EQ(outcome.type, entry.account.type);
    EXPECT_EQ(outcome.domain, entry.account.domain);
    EXPECT_EQ(outcome.amount, entry.amount);
    decided.push_back({entry, outcome});
  }

  Task<void> post_fresh(OrderId order) {
    auto const errors_before = store_errors;
    auto const receipt = co_await must_post(random_entry(std::move(order)));
    if (store_errors == errors_before) EXPECT_FALSE(receipt.replayed);
  }

  Task<void> replay() {
    if (decided.empty()) co_return;
    auto const first = decided[random_.below(decided.size())];
    auto const receipt = co_await must_post(first.entry);
    EXPECT_TRUE(receipt.replayed);
    EXPECT_EQ(describe(receipt.outcome), describe(first.outcome));
  }

  Task<void> contradict() {
    if (decided.empty()) co_return;
    auto entry = decided[random_.below(decided.size())].entry;
    entry.amount = Amount::from(entry.amount.value() == 77 ? 78 : 77).value();
    auto const receipt = co_await insist([&] { return lane_.ledger.post(entry); });
    EXPECT_FALSE(receipt);
    if (!receipt) EXPECT_EQ(receipt.error().code, errors::order_conflict);
  }

  // An order that other clients use as well, some of them for another amount.
  Task<void> post_shared(std::uint64_t step) {
    Entry entry{.order_id = OrderId::from(fmt::format("shared-{}", step / 4)).value(),
                .op = Op::add,
                .account = {.type = types_[0],
                            .domain = Domain::from("main").value(),
                            .uid = UserId::from(fmt::format("user{}", step % 3)).value()},
                .amount = Amount::from(1 + std::int64_t(random_.below(2))).value(),
                .remark = ""};
    auto const receipt = co_await insist([&] { return lane_.ledger.post(entry); });
    if (receipt) {
      note(entry, *receipt);
    } else {
      EXPECT_EQ(receipt.error().code, errors::order_conflict);
      contradictions.push_back(std::move(entry));
    }
  }

  // As an impatient caller does: the same entry again before the first answer.
  Task<void> post_twice_at_once(std::uint64_t step) {
    auto const entry = random_entry(own_order(step));
    auto const trouble_before = trouble();
    std::vector<Task<Receipt>> calls;
    calls.push_back(must_post(entry));
    calls.push_back(must_post(entry));
    auto const receipts = co_await when_all(std::move(calls));
    EXPECT_EQ(describe(receipts[0].outcome), describe(receipts[1].outcome));
    if (trouble() == trouble_before) EXPECT_NE(receipts[0].replayed, receipts[1].replayed);
  }

  int number_;
  Random random_;
  Lane& lane_;
  std::vector<TypeId> const& types_;
  prometheus::Counter& retries_;
};

class LedgerWorkload : public testing::Test {
 protected:
  // Runs all clients to their end; calls `in_the_middle` once a third of the steps is done.
  void run(redis::Options const& options, std::uint64_t steps_default,
           std::function<void()> const& in_the_middle = {}) {
    Seed const seed{from_environment("LARDER_SEED", random_seed().value)};
    auto const steps = from_environment("LARDER_WORKLOAD", steps_default);
    fmt::print("LARDER_SEED={} LARDER_WORKLOAD={}\n", seed.value, steps);
    SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
    set_up(options);
    Random random(seed);
    for (int i = 0; i < client_count; ++i) {
      clients.push_back(std::make_unique<Client>(i, Seed{random.next()},
                                                 *lanes[std::size_t(i) % lanes.size()], types, metrics));
    }
    std::atomic<std::uint64_t> progress = 0;
    std::atomic<int> running = client_count;
    for (int i = 0; i < client_count; ++i) {
      asio::co_spawn(lanes[std::size_t(i) % lanes.size()]->io, clients[std::size_t(i)]->work(steps, progress),
                     [&](std::exception_ptr failure) {
                       --running;
                       if (!failure) return;
                       try {
                         std::rethrow_exception(failure);
                       } catch (std::exception const& error) {
                         ADD_FAILURE() << error.what();
                       }
                     });
    }
    if (in_the_middle) {
      EXPECT_TRUE(
          test::eventually([&] { return progress > steps * client_count / 3 || running == 0; }, run_limit));
      EXPECT_GT(running, 0);
      in_the_middle();
    }
    ASSERT_TRUE(test::eventually([&] { return running == 0; }, run_limit));
    check();
  }

  ~LedgerWorkload() override {
    for (auto& io : contexts) io.stop();
    for (auto& thread : threads) thread.join();
  }

  std::array<asio::io_context, 2> contexts{asio::io_context(1), asio::io_context(1)};
  Metrics metrics;
  test::TempDir dir;

 private:
  void set_up(redis::Options const& options) {
    journal.migrate_now();
    shared.reset(new Shared{.keys = Keys("", options.url.cluster),
                            .journal = journal,
                            .clock = clock,
                            .wake_projector = [this](std::size_t outbox) { projector->wake(outbox); }});
    for (auto& io : contexts) lanes.push_back(std::make_unique<Lane>(options, *shared, metrics, io));
    projector.emplace(
        contexts[0], lanes[0]->redis, sql, clock,
        events::ProjectorOptions{.name = "ledger", .streams = shared->keys.outboxes(), .batch = 100},
        [this](SqlSession& session, std::span<events::Event const> batch) {
          journal.write_flows(session, batch);
        },
        metrics);
    projector->start();
    for (auto& io : contexts) {
      guards.push_back(asio::make_work_guard(io));
      threads.emplace_back([&io] { io.run(); });
    }
    for (std::string const name : {"gold", "silver", "copper"}) {
      auto const type = on_lane(lanes[0]->ledger.create_type(
          {.name = name, .starts_at = {}, .ends_at = {}, .remark = {}, .created_at = {}}));
      types.push_back(type.value().id);
    }
  }

  template <class T>
  T on_lane(Task<T> task) {
    return asio::co_spawn(contexts[0], std::move(task), asio::use_future).get();
  }

  void check() {
    auto const orders = orders_by_receipts();
    EXPECT_TRUE(test::eventually([&] { return flow_count() >= orders.size(); }, run_limit));
    on_lane(projector->stop());
    auto const balances = balances_by_flows(orders);
    check_balances(balances);
    std::uint64_t receipts = 0;
    int store_errors = 0;
    for (auto const& client : clients) {
      receipts += client->decided.size();
      store_errors += client->store_errors;
    }
    fmt::print("{} receipts of {} orders in {} accounts, {} store errors\n", receipts, orders.size(),
               balances.size(), store_errors);
  }

  // What all clients were told about an order is the same.
  std::map<OrderKey, Decided> orders_by_receipts() {
    std::map<OrderKey, Decided> orders;
    for (auto const& client : clients) {
      for (auto const& told : client->decided) {
        OrderKey const key{told.entry.account.uid.str(), told.entry.order_id.str()};
        auto const [at, fresh] = orders.emplace(key, told);
        EXPECT_EQ(describe(at->second.outcome), describe(told.outcome)) << key.first << ' ' << key.second;
      }
    }
    for (auto const& client : clients) {
      for (auto const& entry : client->contradictions) {
        auto const at = orders.find({entry.account.uid.str(), entry.order_id.str()});
        if (at == orders.end()) {
          ADD_FAILURE() << "a conflict with an order that nobody used: " << entry.order_id.str();
          continue;
        }
        EXPECT_NE(at->second.outcome.amount, entry.amount) << "a conflict about nothing";
      }
    }
    return orders;
  }

  std::size_t flow_count() {
    return sql.read_now([](SqlSession& session) {
      return std::size_t(session
                             .query("SELECT (SELECT COUNT(*) FROM score_flow_0) + "
                                    "(SELECT COUNT(*) FROM score_flow_1)")
                             .at(0)
                             .int64(0));
    });
  }

  // Every order has one flow that says what its receipt said; every account's flows are a chain.
  std::map<AccountKey, std::int64_t> balances_by_flows(std::map<OrderKey, Decided> const& orders) {
    std::map<AccountKey, std::int64_t> balances;
    std::map<AccountKey, std::int64_t> sums;
    std::map<OrderKey, int> seen;
    for (std::string const table : {"score_flow_0", "score_flow_1"}) {
      auto const rows = sql.read_now([&](SqlSession& session) {
        return session.query(
            fmt::format("SELECT uid, order_id, status, op, type_id, domain, amount, old_balance, balance, "
                        "at_ms, change_amount FROM {} ORDER BY uid, event_ms, event_seq",
                        table));
      });
      for (auto const& row : rows) {
        OrderKey const order{row.text(0), row.text(1)};
        SCOPED_TRACE(fmt::format("{} {}", order.first, order.second));
        auto const flow =
            parse_outcome(fmt::format("{} {} {} {} {} {} {} {}", row.text(2), row.text(3), row.int64(4),
                                      row.text(5), row.int64(6), row.int64(7), row.int64(8), row.int64(9)));
        EXPECT_EQ(++seen[order], 1) << "a second flow";
        auto const at = orders.find(order);
        if (at == orders.end()) {
          ADD_FAILURE() << "a flow that nobody was told of: " << describe(flow);
        } else {
          EXPECT_EQ(describe(flow), describe(at->second.outcome));
        }
        AccountKey const account{row.text(0), row.int64(4), row.text(5)};
        auto& balance = balances[account];
        EXPECT_EQ(flow.old_balance.value(), balance) << "a gap in the chain: " << describe(flow);
        balance = flow.balance.value();
        sums[account] += row.int64(10);
      }
    }
    EXPECT_EQ(seen.size(), orders.size());
    for (auto const& [order, decided] : orders) {
      EXPECT_TRUE(seen.contains(order)) << "no flow: " << order.first << ' ' << order.second;
    }
    EXPECT_EQ(sums, balances);
    return balances;
  }

  void check_balances(std::map<AccountKey, std::int64_t> const& balances) {
    for (auto const& [key, balance] : balances) {
      auto const& [uid, type, domain] = key;
      auto const stored = on_lane(lanes[0]->ledger.balance(
          {.type = type, .domain = Domain::from(domain).value(), .uid = UserId::from(uid).value()}));
      EXPECT_EQ(stored.value().value(), balance) << uid << ' ' << type << ' ' << domain;
    }
  }

  SystemClock clock;
  Sql sql{"sqlite:" + dir.file("test.db"), 2, metrics};
  Journal journal{sql, 2};
  std::unique_ptr<Shared> shared;
  std::vector<std::unique_ptr<Lane>> lanes;
  std::optional<events::Projector> projector;
  std::vector<TypeId> types;
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<asio::executor_work_guard<Executor>> guards;
  std::vector<std::thread> threads;
};

redis::Options at(std::string const& url, int replicas_min = 0) {
  return {.url = redis::parse_url(url), .timeout = 2000ms, .replicas_min = replicas_min, .tls_ca = {}};
}

TEST_F(LedgerWorkload, on_one_redis_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisServer server({.settings = {"appendonly yes", "appendfsync always"}});
  run(at(server.url()), 200);
}

TEST_F(LedgerWorkload, on_one_redis_that_is_killed_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisServer server({.settings = {"appendonly yes", "appendfsync always"}});
  run(at(server.url()), 100, [&] {
    server.kill();
    server.start();
  });
}

TEST_F(LedgerWorkload, on_a_cluster_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisCluster cluster;
  run(at(cluster.url(), 1), 60);
}

TEST_F(LedgerWorkload, on_a_cluster_whose_master_is_killed_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisCluster cluster;
  run(at(cluster.url(), 1), 60, [&] {
    auto const slot = redis::slot_of(fmt::format("{{{}}}", bucket_of(UserId::from("user0").value())));
    auto const victim = cluster.master_of(slot);
    cluster.node(victim).kill();
    cluster.wait_for_new_master(slot, victim);
    cluster.node(victim).start();  // a replica again: without one nothing is acknowledged
  });
}

}  // namespace
}  // namespace larder::ledger
