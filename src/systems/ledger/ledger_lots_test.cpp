// Lots: points that begin to count at one moment and vanish at another.
#include "base/when_all.hpp"
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

class LotsTest : public LedgerTest {
 protected:
  Entry lot(std::string_view order, std::int64_t amount, std::optional<std::int64_t> effective_in,
            std::optional<std::int64_t> expires_in, std::string_view uid = "alice") {
    auto made = entry(order, Op::add, account(gold, uid), amount);
    if (effective_in) made.effective_at = start + *effective_in;
    if (expires_in) made.expires_at = start + *expires_in;
    return made;
  }
  Entry deduct(std::string_view order, std::int64_t amount) {
    return entry(order, Op::deduct, account(gold), amount);
  }
  // "5 @1000-2000": the amount, and when it begins and ceases to count, in ms after the start of the test.
  Lines lots(std::string_view uid = "alice") {
    Lines lines;
    for (auto const& lot : view(account(gold, uid)).lots) {
      lines.push_back(fmt::format("{} @{}-{}", lot.amount.value(),
                                  lot.effective_at ? std::to_string(*lot.effective_at - start) : "",
                                  lot.expires_at ? std::to_string(*lot.expires_at - start) : ""));
    }
    return lines;
  }

  TimeMs start = clock.now();
  TypeId gold = make_type("gold");
};

TEST_F(LotsTest, a_lot_counts_from_its_effective_time_to_its_expiry) {
  EXPECT_EQ(post(lot("1", 5, 1000, 2000)), "ok 0>0");
  EXPECT_EQ(lots(), (Lines{"5 @1000-2000"}));
  clock.advance(999);
  EXPECT_EQ(balance(account(gold)), 0);
  EXPECT_EQ(post(deduct("2", 1)), "insufficient_balance 0>0");
  clock.advance(1);
  EXPECT_EQ(balance(account(gold)), 5);
  EXPECT_EQ(lots(), (Lines{"5 @-2000"}));
  EXPECT_EQ(post(deduct("3", 1)), "ok 5>4");
  clock.advance(999);
  EXPECT_EQ(balance(account(gold)), 4);
  clock.advance(1);
  EXPECT_EQ(post(deduct("4", 1)), "insufficient_balance 0>0");
  EXPECT_EQ(lots(), Lines{});
  EXPECT_EQ(history(account(gold)), (Lines{"add 5 0>0", "refused deduct 1 0>0", "mature 5 0>5",
                                           "deduct 1 5>4", "expire 4 4>0", "refused deduct 1 0>0"}));
}

TEST_F(LotsTest, flows_that_nobody_asked_for_are_dated_at_their_moment) {
  post(lot("1", 5, 1000, 2000));
  clock.advance(5000);
  EXPECT_EQ(post(deduct("2", 1)), "insufficient_balance 0>0");
  start_projector();
  std::vector<std::pair<std::string, std::int64_t>> dates;
  for (auto const& flow : flows({.uid = account(gold).uid})) {
    dates.emplace_back(name_of(flow.outcome.op), flow.outcome.at - start);
  }
  EXPECT_EQ(dates, (std::vector<std::pair<std::string, std::int64_t>>{
                       {"deduct", 5000}, {"expire", 2000}, {"mature", 1000}, {"add", 0}}));
  auto const at = [&](std::int64_t ms) {
    return test::run(io, ledger.balance_at(account(gold), start + ms)).value().value();
  };
  EXPECT_EQ(at(-1), 0);
  EXPECT_EQ(at(999), 0);
  EXPECT_EQ(at(1000), 5);
  EXPECT_EQ(at(1999), 5);
  EXPECT_EQ(at(2000), 0);
}

TEST_F(LotsTest, the_past_is_right_although_nobody_looked) {
  post(lot("1", 5, {}, 2000));
  clock.advance(9000);
  start_projector();
  EXPECT_EQ(test::run(io, ledger.balance_at(account(gold), start + 3000)).value().value(), 0);
}

TEST_F(LotsTest, the_future_is_not_known) {
  post(lot("1", 5, {}, 2000));
  start_projector();
  EXPECT_EQ(test::run(io, ledger.balance_at(account(gold), clock.now())).value().value(), 5);
  auto const refused = test::run(io, ledger.balance_at(account(gold), clock.now() + 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, larder::errors::invalid_request);
  EXPECT_EQ(refused.error().field, "time");
}

TEST_F(LotsTest, spending_takes_what_expires_first) {
  post(entry("plain", Op::add, account(gold), 10));
  post(lot("late", 5, {}, 3000));
  post(lot("soon", 5, {}, 1000));
  post(lot("middle", 5, {}, 2000));
  EXPECT_EQ(post(deduct("1", 7)), "ok 25>18");
  EXPECT_EQ(lots(), (Lines{"3 @-2000", "5 @-3000"}));
  EXPECT_EQ(post(deduct("2", 10)), "ok 18>8");
  EXPECT_EQ(lots(), Lines{});
  // The account consists of its balance again.
  EXPECT_EQ(all_keys().count("{alice}:main:1:score_more"), 0u);
  EXPECT_EQ(all_keys().count("{alice}:main:1:score_expiring"), 0u);
  clock.advance(9000);
  EXPECT_EQ(balance(account(gold)), 8);
  history(account(gold));
}

TEST_F(LotsTest, lots_of_the_same_times_are_one) {
  post(lot("1", 5, {}, 1000));
  post(lot("2", 6, {}, 1000));
  post(lot("3", 1, 500, 1000));
  post(lot("4", 2, 500, 1000));
  EXPECT_EQ(lots(), (Lines{"11 @-1000", "3 @500-1000"}));
  clock.advance(500);
  EXPECT_EQ(lots(), (Lines{"14 @-1000"}));
  clock.advance(500);
  EXPECT_EQ(balance(account(gold)), 0);
  EXPECT_EQ(history(account(gold)), (Lines{"add 5 0>5", "add 6 5>11", "add 1 11>11", "add 2 11>11",
                                           "mature 3 11>14", "expire 14 14>0"}));
}

TEST_F(LotsTest, points_without_expiry_stay_once_effective) {
  post(lot("1", 5, 1000, {}));
  clock.advance(1000);
  EXPECT_EQ(balance(account(gold)), 5);
  EXPECT_EQ(all_keys().count("{alice}:main:1:score_more"), 0u);
  EXPECT_EQ(history(account(gold)), (Lines{"add 5 0>0", "mature 5 0>5"}));
}

TEST_F(LotsTest, an_effective_time_in_the_past_counts_at_once) {
  EXPECT_EQ(post(lot("1", 5, -1000, 1000)), "ok 0>5");
  EXPECT_EQ(post(lot("2", 5, 0, {})), "ok 5>10");
  history(account(gold));
}

TEST_F(LotsTest, more_lots_than_are_read_at_once_are_spent_and_expire_in_order) {
  for (int i = 0; i < 100; ++i) post(lot(fmt::format("{}", i), 10, {}, 1000 + (i * 37 % 100) * 10));
  EXPECT_EQ(balance(account(gold)), 1000);
  EXPECT_EQ(post(deduct("d1", 335)), "ok 1000>665");
  EXPECT_EQ(lots().size(), 67u);
  EXPECT_EQ(lots()[0], "5 @-1330");
  clock.advance(1500);
  EXPECT_EQ(balance(account(gold)), 490);
  EXPECT_EQ(post(entry("r", Op::reset, account(gold), 7)), "ok 490>7");
  EXPECT_EQ(lots(), Lines{});
  history(account(gold));
}

TEST_F(LotsTest, a_reset_forgets_the_lots_that_count_and_keeps_those_that_wait) {
  post(lot("1", 5, {}, 1000));
  post(lot("2", 6, 500, 1000));
  EXPECT_EQ(post(entry("r", Op::reset, account(gold), 3)), "ok 5>3");
  EXPECT_EQ(lots(), (Lines{"6 @500-1000"}));
  clock.advance(500);
  EXPECT_EQ(balance(account(gold)), 9);
  clock.advance(500);
  EXPECT_EQ(balance(account(gold)), 3);
  history(account(gold));
}

TEST_F(LotsTest, a_retry_is_answered_even_when_its_lot_is_over) {
  auto const grant = lot("1", 5, 500, 1000);
  EXPECT_EQ(post(grant), "ok 0>0");
  clock.advance(2000);
  EXPECT_EQ(post(grant), "ok 0>0 again");
  EXPECT_EQ(post(lot("2", 5, 500, 1000)), "invalid_request");
}

TEST_F(LotsTest, the_times_are_part_of_the_order) {
  post(lot("1", 5, 500, 1000));
  for (auto const& other :
       {lot("1", 5, 501, 1000), lot("1", 5, 500, 1001), lot("1", 5, 500, {}), lot("1", 5, {}, {})}) {
    EXPECT_EQ(post(other), "order_conflict");
  }
  post(entry("2", Op::add, account(gold), 5));
  EXPECT_EQ(post(lot("2", 5, {}, 1000)), "order_conflict");
}

TEST_F(LotsTest, impossible_times_are_refused_with_their_field) {
  auto const field = [&](Entry entry) { return test::run(io, ledger.post(std::move(entry))).error().field; };
  EXPECT_EQ(field(lot("1", 5, 1000, 1000)), "expires_at");
  EXPECT_EQ(field(lot("1", 5, {}, 0)), "expires_at");
  auto reset = lot("1", 5, 1000, {});
  reset.op = Op::reset;
  EXPECT_EQ(field(reset), "effective_at");
  auto take = lot("1", 5, {}, 1000);
  take.op = Op::deduct;
  EXPECT_EQ(field(take), "expires_at");
  EXPECT_EQ(all_keys(), std::set<std::string>{});
}

TEST_F(LotsTest, what_waits_counts_towards_the_largest_balance) {
  auto const max = limits::amount_max;
  EXPECT_EQ(post(lot("1", max - 5, 1000, {})), "ok 0>0");
  EXPECT_EQ(post(lot("2", 6, {}, 1000)), "balance_limit 0>0");
  EXPECT_EQ(post(entry("3", Op::reset, account(gold), 6)), "balance_limit 0>0");
  EXPECT_EQ(post(lot("4", 5, {}, 2000)), "ok 0>5");
  clock.advance(1000);
  EXPECT_EQ(balance(account(gold)), max);
  history(account(gold));
}

TEST_F(LotsTest, the_schedule_settles_accounts_that_nobody_touches) {
  post(lot("1", 5, {}, 1000));
  auto const schedule = shared.keys.shards()[shared.keys.shard_of(account(gold).uid)].schedule;
  auto const member = fmt::format("alice {} main", gold);
  EXPECT_EQ(server.cli({"ZSCORE", schedule, member}), std::to_string((start + 1000).value));
  test::run(io, ledger.settle(member));  // too early: changes nothing
  EXPECT_EQ(server.cli({"ZSCORE", schedule, member}), std::to_string((start + 1000).value));
  clock.advance(1000);
  test::run(io, ledger.settle(member));
  EXPECT_EQ(server.cli({"ZCARD", schedule}), "0");
  EXPECT_EQ(server.cli({"GET", "{alice}:main:1:score"}), "0");
  test::run(io, ledger.settle(member));
  EXPECT_EQ(history(account(gold)), (Lines{"add 5 0>5", "expire 5 5>0"}));
}

TEST_F(LotsTest, everything_of_an_account_ends_with_its_type) {
  auto const end = clock.now() + 3'600'000;
  auto const season = make_type("season", {}, end);
  auto made = entry("1", Op::add, account(season), 5);
  made.expires_at = end + 1000;
  post(made);
  made = entry("2", Op::add, account(season), 5);
  made.effective_at = clock.now() + 1000;
  post(made);
  auto const keys = shared.keys.account(account(season));
  for (auto const& key : {keys.balance, keys.more, keys.expiring, keys.due}) {
    EXPECT_EQ(server.cli({"PEXPIRETIME", key}), std::to_string((end + day_ms).value)) << key;
  }
}

TEST_F(LotsTest, two_touches_at_once_settle_once) {
  post(lot("1", 5, 1000, 2000));
  clock.advance(2500);
  std::vector<Task<Result<Receipt>>> posts;
  for (int i = 0; i < 20; ++i) posts.push_back(ledger.post(deduct(fmt::format("d{}", i), 1)));
  test::run(io, when_all(std::move(posts)));
  EXPECT_EQ(history(account(gold)).size(), 23u);
}

}  // namespace
}  // namespace larder::ledger
