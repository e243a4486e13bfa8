// A ledger with its own Redis and SQLite. Its clock stands still until a test moves it.
#pragma once

#include "kit/events/projector.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/ledger/account_reader.hpp"
#include "systems/ledger/ledger.hpp"
#include "systems/ledger/ledger_state.hpp"

#include <gtest/gtest.h>

#include <ranges>
#include <set>
#include <sstream>

namespace larder::ledger {

using Lines = std::vector<std::string>;
using namespace std::chrono_literals;

class LedgerTest : public testing::Test {
 protected:
  // Without the URL of a database, the ledger has an SQLite database of its own.
  explicit LedgerTest(std::string const& sql_url = "")
      : sql(sql_url.empty() ? "sqlite:" + dir.file("test.db") : sql_url, 2, metrics) {
    journal.migrate_now();
    use_keys(Keys("", false));
  }
  // As a server does at its start.
  void use_keys(Keys keys) {
    shared.keys = std::move(keys);
    test::run(io, events::open_outboxes_or_refuse(redis, sql, shared.keys.outboxes()));
  }

  TypeId make_type(std::string name, std::optional<TimeMs> starts_at = {},
                   std::optional<TimeMs> ends_at = {}) {
    auto const type = test::run(io, ledger.create_type({.name = std::move(name),
                                                        .starts_at = starts_at,
                                                        .ends_at = ends_at,
                                                        .order_ttl_days = 3,
                                                        .remark = {},
                                                        .created_at = {}}));
    return type.value().id;
  }
  static Account account(TypeId type, std::string_view uid = "alice", std::string_view domain = "main") {
    return {.type = type, .domain = Domain::from(domain).value(), .uid = UserId::from(uid).value()};
  }
  static Entry entry(std::string_view order, Op op, Account account, std::int64_t amount,
                     std::string remark = "") {
    return {.order_id = OrderId::from(order).value(),
            .op = op,
            .account = std::move(account),
            .amount = Amount::from(amount).value(),
            .remark = std::move(remark)};
  }
  std::string post(Entry entry) { return brief(test::run(io, ledger.post(std::move(entry)))); }
  // A receipt in short form: "ok 0>5", "insufficient_balance 3>3 again" or the name of the refusal.
  static std::string brief(Result<Receipt> const& receipt) {
    if (!receipt) return std::string(receipt.error().code.name);
    auto const& outcome = receipt->outcome;
    return fmt::format("{} {}>{}{}", name_of(outcome.status), outcome.old_balance.value(),
                       outcome.balance.value(), receipt->replayed ? " again" : "");
  }
  AccountView view(Account of) { return test::run(io, ledger.account(std::move(of))).value(); }
  std::int64_t balance(Account of) { return view(std::move(of)).balance.value(); }
  // All keys but empty outboxes, which always exist.
  std::set<std::string> all_keys() {
    std::set<std::string> keys;
    std::istringstream lines(server.cli({"KEYS", "*"}));
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) keys.insert(line);
    }
    for (auto const& outbox : shared.keys.outboxes()) {
      if (server.cli({"XLEN", outbox}) == "0") keys.erase(outbox);
    }
    return keys;
  }
  std::string outbox(std::string_view uid) {
    return shared.keys.shards()[shared.keys.shard_of(UserId::from(uid).value())].outbox;
  }
  std::string waiting(std::string_view uid) { return server.cli({"XLEN", outbox(uid)}); }
  void start_projector() {
    projector.emplace(
        io, redis, sql, clock,
        events::ProjectorOptions{
            .name = "ledger", .streams = shared.keys.outboxes(), .linger = 1ms, .sweep = 20ms},
        [this](sql::Session& session, std::string const&, std::span<events::Event const> batch) {
          journal.write_flows(session, batch);
        },
        metrics);
    projector->start();
  }
  // The flows of an account, oldest first, as "add 5 0>5". Also checks that each flow fits the flows before
  // it, and that together they give what Redis has.
  std::vector<std::string> history(Account const& of) {
    std::vector<std::string> lines;
    if (!projector) start_projector();
    auto found = flows({.uid = of.uid, .type = of.type, .domain = of.domain, .limit = 500});
    AccountState state;
    for (auto const& flow : std::views::reverse(found)) {
      auto const wrong = state.apply(flow);
      EXPECT_FALSE(wrong) << *wrong;
      auto const& outcome = flow.outcome;
      lines.push_back(fmt::format("{}{} {} {}>{}", outcome.status == Status::ok ? "" : "refused ",
                                  name_of(outcome.op), outcome.amount.value(), outcome.old_balance.value(),
                                  outcome.balance.value()));
    }
    auto const stored = test::run(io, read_account(redis, shared.keys, of));
    EXPECT_EQ(to_more(state), to_more(stored.state));
    EXPECT_EQ(state.balance, stored.state.balance);
    EXPECT_EQ(state.next_due(), stored.next_due);
    return lines;
  }
  std::vector<Flow> flows(FlowQuery query) { return test::run(io, ledger.flows(std::move(query))); }

  asio::io_context io;
  Metrics metrics;
  test::TempDir dir;
  test::RedisServer server;
  TestClock clock{SystemClock{}.now()};
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
  std::optional<events::Projector> projector;  // outlives the jobs of the database
  sql::Database sql;
  Journal journal{sql, 2};
  Shared shared{.keys = Keys("", false),
                .journal = journal,
                .clock = clock,
                .metrics = metrics,
                .wake_projector = [this](std::size_t outbox) {
                  if (projector) projector->wake(outbox);
                }};
  Ledger ledger{redis, shared};
};

// Whether the users share a slot. If they do, a transfer is one script; otherwise it takes several scripts,
// and the relay completes it if need be.
enum class Slots { one, two };

class LedgerInSlotsTest : public LedgerTest, public testing::WithParamInterface<Slots> {
 protected:
  LedgerInSlotsTest() {
    // With the keys of a cluster, every user here has its own slot, although there is only one Redis.
    if (GetParam() == Slots::two) use_keys(Keys("", true));
  }
  static UserId user(std::string_view uid) { return UserId::from(uid).value(); }
  static OrderId order(std::string_view id) { return OrderId::from(id).value(); }
  Keys::OfShard const& shard(std::string_view uid) const {
    return shared.keys.shards()[shared.keys.shard_of(user(uid))];
  }
};

#define LARDER_IN_ONE_AND_MANY_SLOTS(fixture)                                                           \
  INSTANTIATE_TEST_SUITE_P(In, fixture, testing::Values(Slots::one, Slots::two), [](auto const& info) { \
    return info.param == Slots::one ? "one_slot" : "many_slots";                                        \
  })

}  // namespace larder::ledger
