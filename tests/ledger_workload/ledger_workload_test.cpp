// Many clients at once against the whole ledger, while time moves: two Larders on one Redis and one journal,
// every operation. Whatever happens meanwhile, afterwards every order is decided once, every decision is one
// flow, every account's flows are a chain from nothing to exactly what Redis has, and what left one account
// arrived in another. LARDER_SEED repeats a run, LARDER_WORKLOAD sets the steps of a client.
#include "base/when_all.hpp"
#include "client.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/ledger/account_reader.hpp"
#include "systems/ledger/ledger_rebuild.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/ledger_service.hpp"
#include "systems/ledger/ledger_verify.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <numeric>
#include <ranges>
#include <tuple>

namespace larder::ledger {
namespace {

using namespace std::chrono_literals;

constexpr int client_count = 64;
constexpr auto run_limit = std::chrono::seconds(600);
constexpr std::int64_t closed_points = 1000;
constexpr int sleepers = 20;

std::uint64_t from_environment(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return text ? std::stoull(text) : otherwise;
}

using AccountKey = std::tuple<std::string, TypeId, std::string>;  // uid, type, domain

Account account_of(AccountKey const& key) {
  auto const& [uid, type, domain] = key;
  return {.type = type, .domain = Domain::from(domain).value(), .uid = UserId::from(uid).value()};
}

// A Larder: its services on a thread of their own, its requests on another.
struct Larder {
  Larder(redis::Options const& options, bool cluster_keys, Sql& sql, Clock const& clock, Metrics& metrics)
      : redis(background, options, metrics),
        service(background, redis, sql, clock, {.cluster = cluster_keys}, metrics),
        lane(requests, options, service.shared(), metrics) {}
  ~Larder() {
    kill();
    requests.stop();
    for (auto& thread : threads) thread.join();
  }
  void start() {
    start_requests();
    run(background);
    asio::co_spawn(background, service.start(), asio::use_future).get();
  }
  void start_requests() { run(requests); }
  void run(asio::io_context& io) {
    guards.emplace_back(io.get_executor());
    threads.emplace_back([&io] { io.run(); });
  }
  // Projector, schedule and relay stop where they are, with all they have claimed.
  void kill() { background.stop(); }

  asio::io_context background{1};
  asio::io_context requests{1};
  redis::Redis redis;
  Service service;
  Lane lane;
  std::vector<asio::executor_work_guard<Executor>> guards;
  std::vector<std::thread> threads;
};

class LedgerWorkload : public testing::Test {
 protected:
  struct Options {
    redis::Options redis;
    bool cluster_keys = false;  // as on a cluster: transfers go from slot to slot
    bool one_redis = true;      // so that all accounts can be seen at one moment
    std::uint64_t steps = 0;
    std::function<void()> in_the_middle = {};  // once a third of the steps is done
  };

  void run(Options options) {
    Seed const seed{from_environment("LARDER_SEED", random_seed().value)};
    auto const steps = from_environment("LARDER_WORKLOAD", options.steps);
    fmt::print("LARDER_SEED={} LARDER_WORKLOAD={}\n", seed.value, steps);
    SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
    set_up(options);
    Random random(seed);
    for (int i = 0; i < client_count; ++i) {
      clients.push_back(
          std::make_unique<Client>(i, Seed{random.next()}, larders[std::size_t(i) % 2]->lane, *world));
    }
    std::atomic<std::uint64_t> progress = 0;
    std::atomic<int> running = client_count;
    for (int i = 0; i < client_count; ++i) {
      asio::co_spawn(larders[std::size_t(i) % 2]->requests, clients[std::size_t(i)]->work(steps, progress),
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
    std::thread time([&] {
      Random ticks(Seed{seed.value + 1});
      while (running > 0) {
        clock.advance(std::int64_t(ticks.below(200)));
        std::this_thread::sleep_for(2ms);
      }
    });
    std::thread accountant([&] {
      while (options.one_redis && running > 0) check_closed_group();
    });
    if (options.in_the_middle) {
      EXPECT_TRUE(
          test::eventually([&] { return progress > steps * client_count / 3 || running == 0; }, run_limit));
      EXPECT_GT(running, 0);
      options.in_the_middle();
    }
    bool const ended = test::eventually([&] { return running == 0; }, run_limit);
    if (!ended) running = 0;
    time.join();
    accountant.join();
    ASSERT_TRUE(ended);
    check();
  }

  void kill_one_larder() { larders[1]->kill(); }

  TestClock clock{SystemClock{}.now()};
  Metrics metrics;
  test::TempDir dir;

 private:
  void set_up(Options const& options) {
    cluster_keys = options.cluster_keys;
    for (int i = 0; i < 2; ++i) {
      larders.push_back(std::make_unique<Larder>(options.redis, options.cluster_keys, sql, clock, metrics));
      larders.back()->service.migrate_now();
      larders.back()->start();
    }
    world.reset(
        new World{.clock = clock,
                  .types = {},
                  .retries = metrics.counter("larder_redis_retries_total", "Redis commands sent again")});
    for (std::string const name : {"gold", "silver", "copper"}) {
      auto const type = on_lane(ledger().create_type(
          {.name = name, .starts_at = {}, .ends_at = {}, .remark = {}, .created_at = {}}));
      world->types.push_back(type.value().id);
    }
    for (auto const& rate : rates()) on_lane(ledger().set_rate(rate)).value();
    for (int i = 0; i < world->closed_users; ++i) give(fmt::format("closed{}", i), closed_points, {}, {});
    for (int i = 0; i < sleepers; ++i) {
      give(fmt::format("sleeper{}", i), 5, clock.now() + 100 * i, clock.now() + 5000 + 100 * i);
    }
  }
  std::vector<Rate> rates() const {
    auto const& types = world->types;
    return {{.from = types[0], .to = types[1], .numerator = 3, .denominator = 7},
            {.from = types[0], .to = types[2], .numerator = 2, .denominator = 1},
            {.from = types[2], .to = types[0], .numerator = 1, .denominator = 2}};
  }
  Amount exchanged_by(Outcome const& out) const {
    for (auto const& rate : rates()) {
      if (rate.from == out.type && rate.to == out.number("to_type"))
        return exchanged(out.amount, rate).value();
    }
    ADD_FAILURE() << "an exchange without a rate: " << describe(out);
    return {};
  }
  // What the closed group has, in copper.
  std::int64_t closed_worth() const { return 2 * closed_points * world->closed_users; }
  void give(std::string const& uid, std::int64_t points, std::optional<TimeMs> effective_at,
            std::optional<TimeMs> expires_at) {
    Entry const entry{.order_id = OrderId::from("gift").value(),
                      .op = Op::add,
                      .account = account_of({uid, world->types[0], "main"}),
                      .amount = Amount::from(points).value(),
                      .remark = "",
                      .effective_at = effective_at,
                      .expires_at = expires_at};
    gifts.push_back({entry, on_lane(ledger().post(entry)).value().outcome});
  }

  Ledger& ledger() { return larders[0]->lane.ledger; }
  Keys const& keys() { return larders[0]->service.shared().keys; }

  template <class T>
  T on_lane(Task<T> task) {
    return asio::co_spawn(larders[0]->requests, std::move(task), asio::use_future).get();
  }

  // All that the closed group has, at one moment: never a point twice, never one missing. (The slots of a
  // cluster cannot be seen at one moment; there it is checked at the end.)
  void check_closed_group() {
    static constexpr std::string_view text =
        "local here, under_way = 0, 0 "
        "for i = 1, #KEYS, 2 do "
        "local worth = i <= #KEYS / 2 and 2 or 1 "
        "local points = (redis.call('GET', KEYS[i]) or 0) + (redis.call('HGET', KEYS[i + 1], 'held') or 0) "
        "here = here + worth * points "
        "under_way = under_way + worth * (redis.call('HGET', KEYS[i + 1], 'pending') or 0) "
        "end return {here, under_way}";
    std::vector<std::string> words{"EVAL", std::string(text), std::to_string(world->closed_users * 4)};
    for (auto const type : {world->types[0], world->types[2]}) {
      for (int i = 0; i < world->closed_users; ++i) {
        auto const of = keys().account(account_of({fmt::format("closed{}", i), type, "main"}));
        words.insert(words.end(), {of.balance, of.more});
      }
    }
    try {
      auto const [here, under_way] =
          on_lane([](redis::Redis& redis,
                     std::vector<std::string> args) -> Task<std::pair<std::int64_t, std::int64_t>> {
            std::vector<std::string_view> const views(args.begin(), args.end());
            auto const reply = co_await redis.command(redis::Use::read, args[3], views);
            co_return std::pair{reply.at(0).integer(), reply.at(1).integer()};
          }(larders[0]->lane.redis, words));
      auto const all = closed_worth();
      if (cluster_keys) {
        EXPECT_LE(here, all);
        EXPECT_GE(here + under_way, all);
      } else {
        EXPECT_EQ(here, all);
        EXPECT_EQ(under_way, 0);
      }
    } catch (StoreError const&) {
      // It is being killed.
    }
    std::this_thread::sleep_for(3ms);
  }

  static Task<std::int64_t> count(redis::Redis& redis, std::string command, std::string key) {
    auto const reply = co_await redis.command(redis::Use::read, key, {command, key});
    co_return reply.integer();
  }
  // Members of all due sets of a kind, or events of all outboxes.
  std::int64_t left(std::string const& command, std::string Keys::OfShard::* key) {
    std::vector<Task<std::int64_t>> counts;
    for (auto const& shard : keys().shards())
      counts.push_back(count(larders[0]->lane.redis, command, shard.*key));
    auto const found = on_lane(when_all(std::move(counts)));
    return std::accumulate(found.begin(), found.end(), std::int64_t(0));
  }

  // Accounts that the schedule should have settled.
  std::int64_t due_now() {
    auto const count_due = [](redis::Redis& redis, std::string key, std::string now) -> Task<std::int64_t> {
      auto const reply = co_await redis.command(redis::Use::read, key, {"ZCOUNT", key, "-inf", now});
      co_return reply.integer();
    };
    std::vector<Task<std::int64_t>> counts;
    for (auto const& shard : keys().shards()) {
      counts.push_back(count_due(larders[0]->lane.redis, shard.schedule, fmt::to_string(clock.now().value)));
    }
    auto const found = on_lane(when_all(std::move(counts)));
    return std::accumulate(found.begin(), found.end(), std::int64_t(0));
  }

  void check() {
    // Nobody asks any more: what is left happens by itself.
    EXPECT_TRUE(test::eventually([&] { return left("ZCARD", &Keys::OfShard::relay) == 0; }, run_limit));
    check_rebuilt_as_it_is();
    auto const settled = [&] {
      clock.advance(1000);
      return left("ZCARD", &Keys::OfShard::schedule) == 0;
    };
    EXPECT_TRUE(test::eventually(settled, run_limit));
    EXPECT_TRUE(test::eventually([&] { return left("XLEN", &Keys::OfShard::outbox) == 0; }, run_limit));
    asio::co_spawn(larders[0]->background, larders[0]->service.stop(), asio::use_future).get();

    auto const orders = orders_by_receipts();
    auto const states = states_by_flows(orders);
    check_accounts(larders[0]->lane.redis, states);
    check_moves();
    check_closed_group_at_the_end(states);
    check_rebuilt(states, orders);
    for (int i = 0; i < sleepers; ++i) {
      auto const& state = states.at({fmt::format("sleeper{}", i), world->types[0], "main"});
      EXPECT_EQ(state, AccountState{});
    }
    std::uint64_t receipts = 0;
    int store_errors = 0;
    for (auto const& client : clients) {
      receipts += client->told.size();
      store_errors += client->store_errors;
    }
    fmt::print("{} receipts of {} orders in {} accounts, {} flows, {} store errors\n", receipts,
               orders.size(), states.size(), flows.size(), store_errors);
  }

  // What all clients were told about an order is the same.
  std::map<OrderKey, Client::Told> orders_by_receipts() {
    std::map<OrderKey, Client::Told> orders;
    for (auto const& gift : gifts) orders.emplace(key_of(gift.request), gift);
    for (auto const& client : clients) {
      for (auto const& told : client->told) {
        auto const key = key_of(told.request);
        auto const [at, fresh] = orders.emplace(key, told);
        if (told.outcome.word("state") == "pending") continue;
        if (at->second.outcome.word("state") == "pending") at->second = told;
        EXPECT_EQ(describe(at->second.outcome), describe(told.outcome)) << key.first << ' ' << key.second;
      }
    }
    for (auto const& client : clients) {
      for (auto const& request : client->conflicts) {
        auto const at = orders.find(key_of(request));
        if (at == orders.end()) {
          ADD_FAILURE() << "a conflict with an order that nobody used: " << key_of(request).second;
          continue;
        }
        EXPECT_NE(at->second.outcome.amount, std::get<Entry>(request).amount) << "a conflict about nothing";
      }
    }
    return orders;
  }

  struct JournalLine {
    std::string uid;
    Flow flow;
  };

  // Every order has one flow that says what its receipt said; every account's flows are a chain.
  std::map<AccountKey, AccountState> states_by_flows(std::map<OrderKey, Client::Told> const& orders) {
    std::map<AccountKey, AccountState> states;
    std::map<OrderKey, int> decisions;
    std::map<OrderKey, std::int64_t> captured;
    auto const users = sql.read_now([](SqlSession& session) {
      return session.query(
          "SELECT DISTINCT uid FROM score_flow_0 UNION SELECT DISTINCT uid FROM score_flow_1");
    });
    for (auto const& user : users) {
      auto const uid = UserId::from(user.text(0)).value();
      auto found = on_lane(larders[0]->service.shared().journal.flows({.uid = uid, .limit = 10'000'000}));
      for (auto const& flow : std::views::reverse(found)) {
        auto& state = states[{uid.str(), flow.outcome.type, flow.outcome.domain.str()}];
        // Nothing counts that has expired, and nothing waits that is due: whoever came first has settled it.
        auto const due = state.next_due();
        if (due && flow.outcome.at >= *due) {
          EXPECT_TRUE(flow.outcome.op == Op::mature || flow.outcome.op == Op::expire ||
                      flow.outcome.op == Op::release)
              << "not settled before " << flow.order_id.str() << ' ' << describe(flow.outcome);
        }
        check_decision(flow.outcome, state);
        auto const wrong = state.apply(flow);
        EXPECT_FALSE(wrong) << flow.order_id.str() << ' ' << describe(flow.outcome) << ": " << *wrong;
        OrderKey const key{uid.str(), flow.order_id.str()};
        if (flow.outcome.op == Op::capture) captured[key] += flow.outcome.amount.value();
        if (is_decision(flow.outcome.op)) {
          ++decisions[key];
          auto const told = orders.find(key);
          if (told == orders.end()) {
            ADD_FAILURE() << "a flow that nobody was told of: " << key.second << ' '
                          << describe(flow.outcome);
          } else if (told->second.outcome.word("state") != "returned" &&
                     told->second.outcome.word("state") != "pending") {
            EXPECT_EQ(describe(flow.outcome), describe(told->second.outcome));
          }
        }
        flows.push_back({uid.str(), flow});
      }
    }
    for (auto const& [order, told] : orders)
      EXPECT_EQ(decisions[order], 1) << order.first << ' ' << order.second;
    for (auto const& client : clients) {
      for (auto const& order : client->refused) EXPECT_FALSE(decisions.contains(order)) << order.second;
      for (auto const& [order, points] : client->closed_holds)
        EXPECT_EQ(captured[order], points) << order.second;
    }
    return states;
  }

  // Whether it was refused only if it had to be.
  static void check_decision(Outcome const& outcome, AccountState const& before) {
    auto const amount = outcome.amount.value();
    auto const beside = before.held() + before.pending() + before.waiting_points();
    if (outcome.op == Op::add || outcome.op == Op::reset || outcome.op == Op::transfer_in) {
      auto const after = beside + amount + (outcome.op == Op::reset ? 0 : before.balance);
      EXPECT_EQ(outcome.status == Status::balance_limit, after > limits::amount_max) << describe(outcome);
    } else if (is_decision(outcome.op)) {
      EXPECT_EQ(outcome.status == Status::insufficient_balance, amount > before.balance) << describe(outcome);
    }
  }

  static bool is_decision(Op op) {
    return op == Op::add || op == Op::deduct || op == Op::reset || op == Op::transfer_out ||
           op == Op::exchange_out || op == Op::hold;
  }

  // A Redis made from the journal alone.
  struct Rebuilt {
    explicit Rebuilt(LedgerWorkload& test)
        : larder({.url = redis::parse_url(server.url()), .tls_ca = {}}, test.cluster_keys, test.sql,
                 test.clock, test.metrics) {
      larder.start_requests();
      auto& shared = larder.service.shared();
      report = on(rebuild(larder.lane.redis, shared.journal, shared.keys, test.clock, {}));
      EXPECT_EQ(report.problems, 0);
      verify_at(larder.lane, shared, test.clock, [this](auto task) { return on(std::move(task)); });
    }
    template <class T>
    T on(Task<T> task) {
      return asio::co_spawn(larder.requests, std::move(task), asio::use_future).get();
    }
    AccountState account(AccountKey const& key) {
      return on(read_account(larder.lane.redis, larder.service.shared().keys, account_of(key))).state;
    }

    test::RedisServer server;
    Larder larder;
    RebuildReport report;
  };

  template <class Run>
  static void verify_at(Lane& lane, Shared& shared, Clock const& clock, Run run) {
    auto const found = run(verify(lane.redis, shared.journal, shared.keys, clock,
                                  {.difference = [](std::string const& line) { ADD_FAILURE() << line; }}));
    EXPECT_EQ(found.differences, 0);
  }

  // While there are lots, waiting ones and holds: a Redis made from the journal has all of them.
  void check_rebuilt_as_it_is() {
    for (int i = 0; i < sleepers; ++i) {
      give(fmt::format("late{}", i), 5, i % 2 == 0 ? std::optional(clock.now() + 5000) : std::nullopt,
           clock.now() + 10'000 + 100 * i);
    }
    // The clock stands still: what was due is settled, then nothing moves any more.
    auto const at_rest = [&] { return due_now() == 0 && left("XLEN", &Keys::OfShard::outbox) == 0; };
    auto const stays_at_rest = [&] {
      if (!at_rest()) return false;
      std::this_thread::sleep_for(100ms);
      return at_rest();
    };
    EXPECT_TRUE(test::eventually(stays_at_rest, run_limit));
    auto& shared = larders[0]->service.shared();
    verify_at(larders[0]->lane, shared, clock, [this](auto task) { return on_lane(std::move(task)); });
    Rebuilt rebuilt(*this);
    std::size_t lots = 0;
    std::size_t waiting = 0;
    std::size_t holds = 0;
    for (auto const type : world->types) {
      for (std::int64_t table = 0; table < shared.journal.flow_tables(); ++table) {
        for (auto const& account : on_lane(shared.journal.accounts_of(type, table, std::nullopt, 10'000))) {
          AccountKey const key{account.uid.str(), type, account.domain.str()};
          auto const here = on_lane(read_account(larders[0]->lane.redis, keys(), account)).state;
          EXPECT_EQ(to_more(rebuilt.account(key)), to_more(here)) << account.uid.str();
          EXPECT_EQ(rebuilt.account(key).balance, here.balance) << account.uid.str();
          lots += here.lots.size();
          waiting += here.waiting.size();
          holds += here.holds.size();
        }
      }
    }
    fmt::print("rebuilt with {} lots, {} waiting ones and {} holds\n", lots, waiting, holds);
    EXPECT_GT(lots, 0u);
    EXPECT_GT(waiting, 0u);
    EXPECT_GT(holds, 0u);
  }

  // At the end it has the same accounts, and its orders answer the same.
  void check_rebuilt(std::map<AccountKey, AccountState> const& states,
                     std::map<OrderKey, Client::Told> const& orders) {
    Rebuilt rebuilt(*this);
    EXPECT_EQ(rebuilt.report.flows, std::int64_t(flows.size()));
    for (auto const& [key, state] : states) {
      auto const stored = rebuilt.account(key);
      EXPECT_EQ(to_more(stored), to_more(state)) << std::get<0>(key);
      EXPECT_EQ(stored.balance, state.balance) << std::get<0>(key);
    }
    for (auto const& [key, told] : orders) {
      if (told.outcome.word("state") == "pending") continue;
      auto const outcome = rebuilt.on(rebuilt.larder.lane.ledger.order(UserId::from(key.first).value(),
                                                                       OrderId::from(key.second).value()));
      EXPECT_TRUE(outcome) << key.second;
      if (outcome) EXPECT_EQ(describe(*outcome), describe(told.outcome)) << key.second;
    }
  }

  void check_closed_group_at_the_end(std::map<AccountKey, AccountState> const& states) {
    std::int64_t worth = 0;
    for (auto const& [key, state] : states) {
      auto const& [uid, type, domain] = key;
      if (!uid.starts_with("closed")) continue;
      EXPECT_EQ(state.held() + state.pending(), 0) << uid;
      worth += state.balance * (type == world->types[0] ? 2 : 1);
    }
    EXPECT_EQ(worth, closed_worth());
  }

  void check_accounts(redis::Redis& redis, std::map<AccountKey, AccountState> const& states) {
    for (auto const& [key, state] : states) {
      auto const stored = on_lane(read_account(redis, keys(), account_of(key)));
      EXPECT_EQ(to_more(stored.state), to_more(state)) << std::get<0>(key);
      EXPECT_EQ(stored.state.balance, state.balance) << std::get<0>(key);
      EXPECT_EQ(stored.next_due, state.next_due()) << std::get<0>(key);
    }
  }

  // What left one account arrived in one other, or came back.
  void check_moves() {
    std::map<OrderKey, std::vector<Flow>> arrivals;  // by who sent them
    std::map<OrderKey, int> returns;
    for (auto const& [uid, flow] : flows) {
      if (flow.outcome.status != Status::ok) continue;
      if (flow.outcome.op == Op::transfer_in) {
        arrivals[{std::string(flow.outcome.word("from")), flow.order_id.str()}].push_back(flow);
      }
      if (flow.outcome.op == Op::exchange_in) arrivals[{uid, flow.order_id.str()}].push_back(flow);
      if (flow.outcome.op == Op::transfer_return)
        ++returns[{uid, std::string(flow.outcome.word("return_of"))}];
    }
    auto const ends = arrivals.size() + returns.size();
    std::size_t moves = 0;
    for (auto const& [uid, flow] : flows) {
      auto const& out = flow.outcome;
      if (out.status != Status::ok || (out.op != Op::transfer_out && out.op != Op::exchange_out)) continue;
      ++moves;
      OrderKey const key{uid, flow.order_id.str()};
      EXPECT_EQ(arrivals[key].size() + std::size_t(returns[key]), 1u) << key.second;
      if (arrivals[key].empty()) continue;
      auto const expected = out.op == Op::exchange_out ? exchanged_by(out) : out.amount;
      EXPECT_EQ(arrivals[key][0].outcome.amount, expected) << key.second;
      EXPECT_EQ(arrivals[key][0].outcome.change(), expected.value()) << key.second;
      ++arrived;
    }
    EXPECT_EQ(moves, ends);
    EXPECT_GT(arrived, 0u);
  }

  Sql sql{"sqlite:" + dir.file("test.db"), 2, metrics};
  std::vector<std::unique_ptr<Larder>> larders;
  std::unique_ptr<World> world;
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<Client::Told> gifts;
  std::vector<JournalLine> flows;
  std::size_t arrived = 0;
  bool cluster_keys = false;
};

redis::Options at(std::string const& url, int replicas_min = 0) {
  return {.url = redis::parse_url(url), .timeout = 2000ms, .replicas_min = replicas_min, .tls_ca = {}};
}

test::RedisServer::Options const durable{.settings = {"appendonly yes", "appendfsync always"}};

TEST_F(LedgerWorkload, on_one_redis_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisServer server(durable);
  run({.redis = at(server.url()), .steps = 150});
}

TEST_F(LedgerWorkload, from_slot_to_slot_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisServer server(durable);
  run({.redis = at(server.url()), .cluster_keys = true, .steps = 100});
}

TEST_F(LedgerWorkload, on_one_redis_that_is_killed_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisServer server(durable);
  run({.redis = at(server.url()), .cluster_keys = true, .steps = 80, .in_the_middle = [&] {
         server.kill();
         server.start();
       }});
}

TEST_F(LedgerWorkload, when_a_larder_dies_the_other_does_what_it_had_claimed) {
  test::RedisServer server(durable);
  run({.redis = at(server.url()), .cluster_keys = true, .steps = 80, .in_the_middle = [&] {
         kill_one_larder();
       }});
}

TEST_F(LedgerWorkload, on_a_cluster_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisCluster cluster;
  run({.redis = at(cluster.url(), 1), .cluster_keys = true, .one_redis = false, .steps = 40});
}

TEST_F(LedgerWorkload, on_a_cluster_whose_master_is_killed_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisCluster cluster;
  run({.redis = at(cluster.url(), 1),
       .cluster_keys = true,
       .one_redis = false,
       .steps = 40,
       .in_the_middle = [&] {
         auto const slot = redis::slot_of(fmt::format("{{{}}}", bucket_of(UserId::from("user0").value())));
         auto const victim = cluster.master_of(slot);
         cluster.node(victim).kill();
         cluster.wait_for_new_master(slot, victim);
         cluster.node(victim).start();  // a replica again: without one nothing is acknowledged
       }});
}

}  // namespace
}  // namespace larder::ledger
