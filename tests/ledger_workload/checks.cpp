// What must be true after a run, whatever happened during it.
#include "base/when_all.hpp"
#include "support/redis_servers.hpp"
#include "systems/ledger/account_reader.hpp"
#include "systems/ledger/audit/ledger_rebuild.hpp"
#include "systems/ledger/audit/ledger_verify.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "workload.hpp"

#include <numeric>
#include <ranges>

namespace larder::ledger {

namespace {

Task<std::int64_t> count(redis::Redis& redis, std::vector<std::string> words) {
  std::vector<std::string_view> const views(words.begin(), words.end());
  auto const reply = co_await redis.command(redis::Use::read, words[1], views);
  co_return reply.integer();
}

bool is_decision(Op op) {
  return op == Op::add || op == Op::deduct || op == Op::reset || op == Op::transfer_out ||
         op == Op::exchange_out || op == Op::hold;
}

// Checks that a request was refused only if it had to be.
void check_decision(Outcome const& outcome, AccountState const& before) {
  auto const amount = outcome.amount.value();
  auto const beside = before.held() + before.pending() + before.waiting_points();
  if (outcome.op == Op::add || outcome.op == Op::reset || outcome.op == Op::transfer_in) {
    auto const after = beside + amount + (outcome.op == Op::reset ? 0 : before.balance);
    EXPECT_EQ(outcome.status == Status::balance_limit, after > limits::amount_max) << describe(outcome);
  } else if (is_decision(outcome.op)) {
    EXPECT_EQ(outcome.status == Status::insufficient_balance, amount > before.balance) << describe(outcome);
  }
}

template <class Run>
void verify_at(Lane& lane, Shared& shared, Clock const& clock, Run run) {
  auto const found = run(verify(lane.redis, shared.journal, shared.keys, clock,
                                {.difference = [](std::string const& line) { ADD_FAILURE() << line; }}));
  EXPECT_EQ(found.differences, 0);
}

}  // namespace

// A Redis that was rebuilt from the journal alone.
struct LedgerWorkload::Rebuilt {
  explicit Rebuilt(LedgerWorkload& test)
      : larder({.url = redis::parse_url(server.url()), .tls_ca = {}}, test.cluster_keys, test.sql, test.clock,
               test.metrics) {
    larder.start_requests();
    auto& shared = larder.work.shared();
    report = on(rebuild(larder.lane.redis, shared.journal, shared.keys, test.clock, {}));
    EXPECT_EQ(report.problems, 0);
    verify_at(larder.lane, shared, test.clock, [this](auto task) { return on(std::move(task)); });
  }
  template <class T>
  T on(Task<T> task) {
    return asio::co_spawn(larder.requests, std::move(task), asio::use_future).get();
  }
  AccountState account(AccountKey const& key) {
    return on(read_account(larder.lane.redis, larder.work.shared().keys, account_of(key))).state;
  }

  test::RedisServer server{{.check_keys = false}};
  Larder larder;
  RebuildReport report;
};

void LedgerWorkload::check() {
  // No more requests come. What is left to do happens by itself.
  EXPECT_TRUE(test::eventually([&] { return left("ZCARD", &Keys::OfShard::relay) == 0; }, run_limit));
  check_rebuilt_as_it_is();
  auto const settled = [&] {
    clock.advance(1000);
    return left("ZCARD", &Keys::OfShard::schedule) == 0;
  };
  EXPECT_TRUE(test::eventually(settled, run_limit));
  EXPECT_TRUE(test::eventually([&] { return left("XLEN", &Keys::OfShard::outbox) == 0; }, run_limit));
  asio::co_spawn(larders[0]->background, larders[0]->work.stop(), asio::use_future).get();

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
  fmt::print("{} receipts of {} orders in {} accounts, {} flows, {} store errors\n", receipts, orders.size(),
             states.size(), flows.size(), store_errors);
}

std::int64_t LedgerWorkload::left(std::string const& command, std::string Keys::OfShard::* key,
                                  std::vector<std::string> const& more) {
  std::vector<Task<std::int64_t>> counts;
  for (auto const& shard : keys().shards()) {
    std::vector<std::string> words{command, shard.*key};
    words.insert(words.end(), more.begin(), more.end());
    counts.push_back(count(larders[0]->lane.redis, std::move(words)));
  }
  auto const found = on_lane(when_all(std::move(counts)));
  return std::accumulate(found.begin(), found.end(), std::int64_t(0));
}

std::int64_t LedgerWorkload::due_now() {
  return left("ZCOUNT", &Keys::OfShard::schedule, {"-inf", fmt::to_string(clock.now().value)});
}

// All clients must have got the same answer about an order.
LedgerWorkload::Orders LedgerWorkload::orders_by_receipts() {
  Orders orders;
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

// Every order must have one flow that agrees with its receipt, and the flows of
// every account must be a chain.
LedgerWorkload::States LedgerWorkload::states_by_flows(Orders const& orders) {
  States states;
  std::map<OrderKey, int> decisions;
  std::map<OrderKey, std::int64_t> captured;
  auto const users = sql.read_now([](sql::Session& session) {
    return session.query("SELECT DISTINCT uid FROM score_flow_0 UNION SELECT DISTINCT uid FROM score_flow_1");
  });
  for (auto const& user : users) {
    auto const uid = UserId::from(user.text(0)).value();
    auto found = on_lane(larders[0]->work.shared().journal.flows({.uid = uid, .limit = 10'000'000}));
    for (auto const& flow : std::views::reverse(found)) {
      auto& state = states[{uid.str(), flow.outcome.type, flow.outcome.domain.str()}];
      // Expired points must not count, and due lots must not wait: the first script after the due
      // time settles the account.
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
          ADD_FAILURE() << "a flow that nobody was told of: " << key.second << ' ' << describe(flow.outcome);
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

Amount LedgerWorkload::exchanged_by(Outcome const& out) const {
  for (auto const& rate : rates()) {
    if (rate.from == out.type && rate.to == out.number("to_type")) return exchanged(out.amount, rate).value();
  }
  ADD_FAILURE() << "an exchange without a rate: " << describe(out);
  return {};
}

// While there are lots, waiting lots and holds, a Redis that is rebuilt from the
// journal must have all of them.
void LedgerWorkload::check_rebuilt_as_it_is() {
  for (int i = 0; i < sleepers; ++i) {
    give(fmt::format("late{}", i), 5, i % 2 == 0 ? std::optional(clock.now() + 5000) : std::nullopt,
         clock.now() + 10'000 + 100 * i);
  }
  // The clock stands still. Everything that was due gets settled, and then nothing changes any more.
  auto const at_rest = [&] { return due_now() == 0 && left("XLEN", &Keys::OfShard::outbox) == 0; };
  auto const stays_at_rest = [&] {
    if (!at_rest()) return false;
    std::this_thread::sleep_for(100ms);
    return at_rest();
  };
  EXPECT_TRUE(test::eventually(stays_at_rest, run_limit));
  auto& shared = larders[0]->work.shared();
  verify_at(larders[0]->lane, shared, clock, [this](auto task) { return on_lane(std::move(task)); });
  Rebuilt rebuilt(*this);
  std::size_t lots = 0;
  std::size_t waiting = 0;
  std::size_t holds = 0;
  for (auto const type : world->types) {
    for (std::int64_t table = 0; table < shared.journal.flow_tables(); ++table) {
      auto const page = on_lane(shared.journal.accounts_of(type, table, std::nullopt, 1'000'000));
      for (auto const& account : page.accounts) {
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

// At the end, the rebuilt Redis must have the same accounts, and its orders must give the same answers.
void LedgerWorkload::check_rebuilt(States const& states, Orders const& orders) {
  Rebuilt rebuilt(*this);
  EXPECT_EQ(rebuilt.report.flows, std::int64_t(flows.size()));
  for (auto const& [key, state] : states) {
    auto const stored = rebuilt.account(key);
    EXPECT_EQ(to_more(stored), to_more(state)) << std::get<0>(key);
    EXPECT_EQ(stored.balance, state.balance) << std::get<0>(key);
  }
  for (auto const& [key, told] : orders) {
    if (told.outcome.word("state") == "pending") continue;
    auto const outcome = rebuilt.on(
        rebuilt.larder.lane.ledger.order(UserId::from(key.first).value(), OrderId::from(key.second).value()));
    EXPECT_TRUE(outcome) << key.second;
    if (outcome) EXPECT_EQ(describe(*outcome), describe(told.outcome)) << key.second;
  }
}

void LedgerWorkload::check_closed_group_at_the_end(States const& states) {
  std::int64_t worth = 0;
  for (auto const& [key, state] : states) {
    auto const& [uid, type, domain] = key;
    if (!uid.starts_with("closed")) continue;
    EXPECT_EQ(state.held() + state.pending(), 0) << uid;
    worth += state.balance * (type == world->types[0] ? 2 : 1);
  }
  EXPECT_EQ(worth, closed_worth());
}

void LedgerWorkload::check_accounts(redis::Redis& redis, States const& states) {
  for (auto const& [key, state] : states) {
    auto const stored = on_lane(read_account(redis, keys(), account_of(key)));
    EXPECT_EQ(to_more(stored.state), to_more(state)) << std::get<0>(key);
    EXPECT_EQ(stored.state.balance, state.balance) << std::get<0>(key);
    EXPECT_EQ(stored.next_due, state.next_due()) << std::get<0>(key);
  }
}

// Points that left one account must have arrived in one other account, or come back.
void LedgerWorkload::check_moves() {
  std::map<OrderKey, std::vector<Flow>> arrivals;  // by sender and order
  std::map<OrderKey, int> returns;
  for (auto const& [uid, flow] : flows) {
    if (flow.outcome.status != Status::ok) continue;
    if (flow.outcome.op == Op::transfer_in) {
      arrivals[{std::string(flow.outcome.word("from")), flow.order_id.str()}].push_back(flow);
    }
    if (flow.outcome.op == Op::exchange_in) arrivals[{uid, flow.order_id.str()}].push_back(flow);
    if (flow.outcome.op == Op::transfer_return) ++returns[{uid, std::string(flow.outcome.word("return_of"))}];
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

}  // namespace larder::ledger
