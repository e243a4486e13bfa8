// What a user has, and what all users have together.
#include "support/sql_databases.hpp"
#include "systems/ledger/ledger_test.hpp"

#include <random>

namespace larder::ledger {
namespace {

class UsersTest : public LedgerInSlotsTest {
 protected:
  UsersTest() { start_projector(); }

  Hold hold_of(std::string_view id, std::int64_t amount, Account of) {
    return {.order_id = order(id),
            .account = std::move(of),
            .amount = Amount::from(amount).value(),
            .expires_at = {},
            .remark = {}};
  }
  void hold(std::string_view id, std::int64_t amount, Account of, std::optional<TimeMs> expires_at = {}) {
    auto made = hold_of(id, amount, std::move(of));
    made.expires_at = expires_at;
    EXPECT_EQ(test::run(io, ledger.hold(made))->outcome.status, Status::ok);
  }
  Result<Receipt> transfer(std::string_view id, std::int64_t amount, std::string_view from,
                           std::string_view to) {
    return test::run(io, ledger.transfer({.order_id = order(id),
                                          .type = gold,
                                          .domain = Domain::from("main").value(),
                                          .from = user(from),
                                          .to = user(to),
                                          .amount = Amount::from(amount).value(),
                                          .remark = "a gift"}));
  }
  // Lets the next arrival at this user fail.
  void leave_under_way(std::string_view id, std::int64_t amount, std::string_view from, std::string_view to) {
    // A projector would take the missing outbox for a loss.
    test::run(io, projector->stop());
    projector.reset();
    auto const there = shard(to).outbox;
    server.cli({"RENAME", there, "aside"});
    server.cli({"SET", there, "not a stream"});
    EXPECT_THROW(transfer(id, amount, from, to), redis::ReplyError);
    server.cli({"RENAME", "aside", there});
    start_projector();
  }
  Lines accounts(AccountsQuery query) {
    Lines lines;
    for (auto const& view : test::run(io, ledger.accounts(std::move(query))).value()) {
      lines.push_back(fmt::format("{} {} {}+{}+{}+{}", view.account.type, view.account.domain.str(),
                                  view.balance.value(), view.held.value(), view.pending.value(),
                                  view.waiting.value()));
    }
    return lines;
  }
  Lines holds(OrdersQuery query) {
    Lines lines;
    for (;;) {
      auto const page = test::run(io, ledger.open_holds(query)).value();
      EXPECT_LE(std::int64_t(page.items.size()), query.limit);
      for (auto const& [account, hold] : page.items) {
        lines.push_back(fmt::format("{} {} {} {}", account.type, account.domain.str(), hold.order_id.str(),
                                    hold.amount.value()));
      }
      if (!page.next) return lines;
      query.after = page.next;
    }
  }
  // Of this moment, once the journal has everything. The test has moved its clock, but Redis has not.
  std::map<TypeId, Sums> totals() {
    auto const now = SystemClock{}.now();
    while (SystemClock{}.now() - now < 2) {}  // whatever comes later has a later id
    shared.clock_margin_ms = clock.now() - now;
    std::vector<TypeTotals> all;
    EXPECT_TRUE(test::eventually(io, [&] {
      all = test::run(io, ledger.totals());
      return all.at(0).at == now;
    }));
    std::map<TypeId, Sums> found;
    for (auto const& each : all) found[each.type.id] = each.sums;
    return found;
  }

  TypeId gold = make_type("gold");
  TypeId silver = make_type("silver");
};
LARDER_IN_ONE_AND_MANY_SLOTS(UsersTest);

TEST_P(UsersTest, accounts_of_a_user_come_as_they_are_now) {
  EXPECT_EQ(accounts({.uid = user("alice")}), Lines{});
  post(entry("1", Op::add, account(gold), 10));
  post(entry("2", Op::add, account(silver, "alice", "b"), 20));
  post(entry("3", Op::add, account(gold, "alice", "a:b"), 30));
  post(entry("4", Op::add, account(gold, "bob"), 40));
  auto later = entry("5", Op::add, account(gold), 7);
  later.effective_at = clock.now() + 1000;
  EXPECT_TRUE(test::run(io, ledger.post(later)));
  hold("6", 4, account(gold));
  EXPECT_EQ(accounts({.uid = user("alice")}), (Lines{"1 a:b 30+0+0+0", "1 main 6+4+0+7", "2 b 20+0+0+0"}));
  clock.advance(1000);
  EXPECT_EQ(accounts({.uid = user("alice"), .limit = 2}), (Lines{"1 a:b 30+0+0+0", "1 main 13+4+0+0"}));
}

TEST_P(UsersTest, open_holds_of_a_user_have_pages) {
  for (int domain = 0; domain < 3; ++domain) {
    auto const of = account(gold, "alice", fmt::format("d{}", domain));
    post(entry(fmt::format("add-{}", domain), Op::add, of, 100));
    for (int i = 0; i < 3; ++i) hold(fmt::format("h{}-{}", domain, i), i + 1, of);
  }
  post(entry("b", Op::add, account(gold, "bob"), 100));
  hold("h", 1, account(gold, "bob"));
  EXPECT_TRUE(test::run(io, ledger.release(user("alice"), order("h1-1"))));
  Lines const all{"1 d0 h0-0 1", "1 d0 h0-1 2", "1 d0 h0-2 3", "1 d1 h1-0 1",
                  "1 d1 h1-2 3", "1 d2 h2-0 1", "1 d2 h2-1 2", "1 d2 h2-2 3"};
  for (std::int64_t limit : {1, 2, 3, 8, 50})
    EXPECT_EQ(holds({.uid = user("alice"), .limit = limit}), all) << limit;
}

TEST_P(UsersTest, a_hold_that_has_expired_is_not_open) {
  post(entry("1", Op::add, account(gold), 10));
  hold("h", 4, account(gold), clock.now() + 500);
  EXPECT_EQ(holds({.uid = user("alice")}), Lines{"1 main h 4"});
  clock.advance(500);
  EXPECT_EQ(holds({.uid = user("alice")}), Lines{});
}

TEST_P(UsersTest, a_user_with_very_many_accounts_gets_short_pages_and_misses_nothing) {
  std::vector<Entry> entries;
  for (int i = 0; i < 450; ++i) {
    entries.push_back(
        entry(fmt::format("add-{}", i), Op::add, account(gold, "alice", fmt::format("d{:03}", i)), 5));
  }
  for (auto const& result : test::run(io, ledger.post_each(std::move(entries)))) ASSERT_TRUE(result);
  hold("first", 1, account(gold, "alice", "d001"));
  hold("last", 2, account(gold, "alice", "d449"));
  auto const page = test::run(io, ledger.open_holds({.uid = user("alice")})).value();
  EXPECT_EQ(page.items.size(), 1U);
  EXPECT_TRUE(page.next);
  EXPECT_EQ(holds({.uid = user("alice")}), (Lines{"1 d001 first 1", "1 d449 last 2"}));
}

TEST_P(UsersTest, transfers_of_a_user_that_are_under_way) {
  post(entry("1", Op::add, account(gold), 100));
  EXPECT_TRUE(transfer("done", 5, "alice", "bob"));
  auto const under_way = [&] {
    return test::run(io, ledger.pending_transfers({.uid = user("alice")})).value();
  };
  EXPECT_TRUE(under_way().items.empty());
  if (GetParam() == Slots::one) return;  // there, nothing is ever under way
  leave_under_way("t", 30, "alice", "bob");
  auto const page = under_way();
  ASSERT_EQ(page.items.size(), 1U);
  auto const& [from, sent] = page.items[0];
  EXPECT_EQ(from.type, gold);
  EXPECT_EQ(sent.order_id, order("t"));
  EXPECT_EQ(sent.to, user("bob"));
  EXPECT_EQ(sent.amount.value(), 30);
  EXPECT_EQ(sent.remark, "a gift");
  EXPECT_EQ(sent.sent_at, clock.now());
  EXPECT_EQ(accounts({.uid = user("alice")}), Lines{"1 main 65+0+30+0"});
}

TEST_P(UsersTest, totals_are_what_all_accounts_have_together) {
  auto const seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  Lines const users{"alice", "bob", "carol"};
  auto const amount = [&] { return std::int64_t(1 + random() % 50); };
  auto const someone = [&] { return users[random() % users.size()]; };
  for (int i = 0; i < 150; ++i) {
    auto const id = fmt::format("o{}", i);
    auto const of = account(random() % 2 ? gold : silver, someone());
    switch (random() % 7) {
      case 0:
      case 1: {
        auto made = entry(id, Op::add, of, amount());
        if (random() % 3 == 0) made.effective_at = clock.now() + std::int64_t(random() % 4000);
        if (random() % 3 == 0) made.expires_at = clock.now() + 4000 + std::int64_t(random() % 4000);
        EXPECT_TRUE(test::run(io, ledger.post(made)));
        break;
      }
      case 2: post(entry(id, Op::deduct, of, amount())); break;
      case 3: post(entry(id, Op::reset, of, amount())); break;
      case 4: {
        auto made = hold_of(id, amount(), of);
        if (random() % 2) made.expires_at = clock.now() + 1 + std::int64_t(random() % 3000);
        EXPECT_TRUE(test::run(io, ledger.hold(made)));
        break;
      }
      case 5:
        test::run(io, ledger.capture(of.uid, order(fmt::format("o{}", random() % 150)), Amount::from(1)));
        break;
      default:
        test::run(io,
                  ledger.transfer(
                      {.order_id = order(id),
                       .type = of.type,
                       .domain = of.domain,
                       .from = of.uid,
                       .to = user(users[(std::ranges::find(users, of.uid.str()) - users.begin() + 1) % 3]),
                       .amount = Amount::from(amount()).value(),
                       .remark = {}}));
    }
    clock.advance(std::int64_t(random() % 300));
  }
  if (GetParam() == Slots::two) {
    post(entry("more", Op::add, account(gold), 1000));
    leave_under_way("t", 300, "alice", "bob");
  }
  // To look at an account settles it.
  std::map<TypeId, Sums> expected;
  for (auto const& uid : users) {
    for (auto const type : {gold, silver}) {
      auto const has = view(account(type, uid));
      expected[type] += {.outstanding = has.balance.value(),
                         .held = has.held.value(),
                         .pending = has.pending.value(),
                         .waiting = has.waiting.value()};
    }
  }
  EXPECT_EQ(totals(), expected);
}

TEST_P(UsersTest, totals_wait_for_what_is_not_journaled_yet) {
  post(entry("1", Op::add, account(gold), 10));
  EXPECT_EQ(totals()[gold], (Sums{.outstanding = 10}));
  test::run(io, projector->stop());
  projector.reset();
  auto const before = SystemClock{}.now();
  post(entry("2", Op::add, account(gold), 5));
  shared.clock_margin_ms = clock.now() - SystemClock{}.now();
  auto const lagging = test::run(io, ledger.totals()).at(0);
  EXPECT_EQ(lagging.sums, (Sums{.outstanding = 10}));
  EXPECT_GE(lagging.at, before + -1);  // the moment before the event that waits
  EXPECT_LE(lagging.at, SystemClock{}.now());
  start_projector();
  EXPECT_EQ(totals()[gold], (Sums{.outstanding = 15}));
}

TEST_P(UsersTest, the_last_moments_are_not_counted_because_clocks_differ) {
  post(entry("1", Op::add, account(gold), 10));
  flows({.uid = user("alice")});
  auto const now = test::run(io, ledger.totals()).at(0);
  EXPECT_EQ(now.sums, Sums{});
  EXPECT_EQ(now.at, clock.now() + -shared.clock_margin_ms);
  EXPECT_EQ(totals()[gold], (Sums{.outstanding = 10}));
}

TEST_P(UsersTest, a_type_that_is_over_has_no_points) {
  auto const brief = make_type("brief", {}, clock.now() + 10'000);
  post(entry("1", Op::add, account(brief), 10));
  clock.advance(9'999);
  EXPECT_EQ(totals()[brief], (Sums{.outstanding = 10}));
  clock.advance(1);
  EXPECT_EQ(totals()[brief], Sums{});
}

// Each of them may sort text in its own way.
class UsersOnEachDatabaseTest : public LedgerTest, public testing::WithParamInterface<std::string> {
 protected:
  UsersOnEachDatabaseTest() : LedgerTest(url_of(test::sql_server(GetParam()))) { start_projector(); }
  static std::string url_of(test::SqlServer* server) { return server ? server->new_database() : ""; }

  TypeId gold = make_type("gold");
};
LARDER_ON_EACH_DATABASE(UsersOnEachDatabaseTest);

TEST_P(UsersOnEachDatabaseTest, pages_show_the_holds_of_all_domains_whatever_their_letters) {
  Lines const in_order{"A", "B", "_", "a", "a-c", "aB", "ab", "b"};
  for (auto const& domain : in_order) {
    auto const of = account(gold, "alice", domain);
    post(entry("add-" + domain, Op::add, of, 5));
    EXPECT_TRUE(test::run(io, ledger.hold({.order_id = OrderId::from("hold-" + domain).value(),
                                           .account = of,
                                           .amount = Amount::from(1).value(),
                                           .expires_at = {},
                                           .remark = {}})));
  }
  auto const alice = account(gold).uid;
  for (std::int64_t const limit : {1, 2, 3, 50}) {
    Lines holds;
    OrdersQuery query{.uid = alice, .limit = limit};
    do {
      auto const page = test::run(io, ledger.open_holds(query)).value();
      for (auto const& [of, hold] : page.items) holds.push_back(of.domain.str());
      query.after = page.next;
    } while (query.after && holds.size() <= in_order.size());
    EXPECT_EQ(holds, in_order) << limit;
  }
}

}  // namespace
}  // namespace larder::ledger
