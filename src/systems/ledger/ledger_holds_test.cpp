// Holds: points put aside until they are captured or released.
#include "base/when_all.hpp"
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

class HoldTest : public LedgerTest {
 protected:
  Hold make(std::string_view order, std::int64_t amount, std::optional<std::int64_t> expires_in = {}) {
    return {.order_id = OrderId::from(order).value(),
            .account = account(gold),
            .amount = Amount::from(amount).value(),
            .expires_at = expires_in ? std::optional(start + *expires_in) : std::nullopt,
            .remark = ""};
  }
  std::string hold(Hold hold) { return brief(test::run(io, ledger.hold(std::move(hold)))); }
  // "captured 3, balance 7", with " again" for a replay, or the refusal with the state of the hold.
  std::string told(Result<Receipt> const& receipt) {
    if (!receipt) {
      auto const& error = receipt.error();
      return std::string(error.code.name) +
             (error.more.contains("state") ? " " + std::string(error.more.at("state").as_string()) : "");
    }
    auto const& outcome = receipt->outcome;
    return fmt::format("{} {}{}", outcome.word("state"), outcome.word("captured"),
                       receipt->replayed ? " again" : "");
  }
  std::string capture(std::string_view order, std::optional<std::int64_t> amount = {}) {
    return told(test::run(io, ledger.capture(alice, OrderId::from(order).value(),
                                             amount ? Amount::from(*amount) : std::optional<Amount>{})));
  }
  std::string release(std::string_view order) {
    return told(test::run(io, ledger.release(alice, OrderId::from(order).value())));
  }
  // "balance + held"
  std::string state() {
    auto const now = view(account(gold));
    return fmt::format("{} + {}", now.balance.value(), now.held.value());
  }
  std::string open_holds() {
    return server.cli({"HVALS", shared.keys.shards()[shared.keys.shard_of(alice)].open_holds});
  }

  UserId alice = UserId::from("alice").value();
  TimeMs start = clock.now();
  TypeId gold = make_type("gold");
};

TEST_F(HoldTest, is_out_of_the_balance_until_it_is_captured) {
  post(entry("1", Op::add, account(gold), 10));
  EXPECT_EQ(hold(make("h", 6)), "ok 10>4");
  EXPECT_EQ(hold(make("h", 6)), "ok 10>4 again");
  EXPECT_EQ(state(), "4 + 6");
  EXPECT_EQ(open_holds(), "1");
  EXPECT_EQ(post(entry("2", Op::deduct, account(gold), 5)), "insufficient_balance 4>4");
  EXPECT_EQ(hold(make("h2", 5)), "insufficient_balance 4>4");
  EXPECT_EQ(capture("h"), "captured 6");
  EXPECT_EQ(capture("h"), "captured 6 again");
  EXPECT_EQ(capture("h", 6), "captured 6 again");
  EXPECT_EQ(capture("h", 5), "hold_closed captured");
  EXPECT_EQ(release("h"), "hold_closed captured");
  EXPECT_EQ(state(), "4 + 0");
  EXPECT_EQ(open_holds(), "0");
  EXPECT_EQ(all_keys().count("{alice}:main:1:score_more"), 0u);
  EXPECT_EQ(hold(make("h", 6)), "ok 10>4 again");
  EXPECT_EQ(history(account(gold)), (Lines{"add 10 0>10", "hold 6 10>4", "refused deduct 5 4>4",
                                           "refused hold 5 4>4", "capture 6 4>4"}));
}

TEST_F(HoldTest, a_part_is_captured_and_the_rest_comes_back) {
  post(entry("1", Op::add, account(gold), 10));
  hold(make("h", 6));
  EXPECT_EQ(capture("h", 7), "hold_too_small");
  EXPECT_EQ(capture("h", 0), "invalid_request");
  EXPECT_EQ(capture("h", 2), "captured 2");
  EXPECT_EQ(state(), "8 + 0");
  EXPECT_EQ(history(account(gold)), (Lines{"add 10 0>10", "hold 6 10>4", "capture 2 4>4", "release 4 4>8"}));
}

TEST_F(HoldTest, is_released) {
  post(entry("1", Op::add, account(gold), 10));
  hold(make("h", 6));
  EXPECT_EQ(release("h"), "released 0");
  EXPECT_EQ(release("h"), "released 0 again");
  EXPECT_EQ(capture("h"), "hold_closed released");
  EXPECT_EQ(state(), "10 + 0");
  EXPECT_EQ(history(account(gold)), (Lines{"add 10 0>10", "hold 6 10>4", "release 6 4>10"}));
}

TEST_F(HoldTest, expires_by_itself_at_its_moment) {
  post(entry("1", Op::add, account(gold), 10));
  hold(make("h", 6, 1000));
  clock.advance(999);
  EXPECT_EQ(state(), "4 + 6");
  clock.advance(1);
  EXPECT_EQ(capture("h"), "hold_closed expired");
  EXPECT_EQ(release("h"), "expired 0 again");
  EXPECT_EQ(state(), "10 + 0");
  EXPECT_EQ(open_holds(), "0");
  EXPECT_EQ(hold(make("h", 6, 1000)), "ok 10>4 again");
  for (auto const& outcome : {test::run(io, ledger.hold(make("h", 6, 1000))).value().outcome,
                              test::run(io, ledger.order(alice, OrderId::from("h").value())).value()}) {
    EXPECT_EQ(outcome.detail, fmt::format("exp={} state=expired captured=0", (start + 1000).value));
  }
  EXPECT_EQ(hold(make("i", 6, 1000)), "invalid_request");
  EXPECT_EQ(history(account(gold)), (Lines{"add 10 0>10", "hold 6 10>4", "release 6 4>10"}));
}

TEST_F(HoldTest, what_is_not_a_hold_cannot_be_captured) {
  post(entry("1", Op::add, account(gold), 10));
  EXPECT_EQ(capture("1"), "hold_not_found");
  EXPECT_EQ(capture("2"), "hold_not_found");
  EXPECT_EQ(release("2"), "hold_not_found");
  hold(make("h", 11));
  EXPECT_EQ(capture("h"), "hold_not_found");
}

TEST_F(HoldTest, held_points_keep_their_expiry) {
  post(entry("1", Op::add, account(gold), 10));
  auto lot = entry("2", Op::add, account(gold), 5);
  lot.expires_at = start + 1000;
  post(lot);
  EXPECT_EQ(hold(make("h", 8)), "ok 15>7");
  EXPECT_EQ(release("h"), "released 0");
  EXPECT_EQ(view(account(gold)).lots.size(), 1u);
  hold(make("i", 8));
  clock.advance(2000);
  EXPECT_EQ(state(), "7 + 8");
  // Points that were held in time may be captured later. The points that come back have expired.
  EXPECT_EQ(capture("i", 2), "captured 2");
  EXPECT_EQ(state(), "10 + 0");
  EXPECT_EQ(history(account(gold)),
            (Lines{"add 10 0>10", "add 5 10>15", "hold 8 15>7", "release 8 7>15", "hold 8 15>7",
                   "capture 2 7>7", "release 6 7>13", "expire 3 13>10"}));
}

TEST_F(HoldTest, one_that_expires_gives_back_what_has_not_expired_itself) {
  auto lot = entry("1", Op::add, account(gold), 5);
  lot.expires_at = start + 1000;
  post(lot);
  hold(make("h", 5, 1500));
  clock.advance(5000);
  EXPECT_EQ(state(), "0 + 0");
  start_projector();
  auto const all = flows({.uid = alice});
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].outcome.op, Op::expire);
  EXPECT_EQ(all[0].outcome.at, start + 1500);
  EXPECT_EQ(all[1].outcome.op, Op::release);
  EXPECT_EQ(all[1].outcome.at, start + 1500);
  history(account(gold));
}

TEST_F(HoldTest, held_points_count_towards_the_largest_balance) {
  post(entry("1", Op::add, account(gold), limits::amount_max));
  hold(make("h", 10));
  EXPECT_EQ(post(entry("2", Op::add, account(gold), 1)),
            fmt::format("balance_limit {0}>{0}", limits::amount_max - 10));
  release("h");
  EXPECT_EQ(balance(account(gold)), limits::amount_max);
}

TEST_F(HoldTest, is_remembered_while_it_is_open) {
  post(entry("1", Op::add, account(gold), 10));
  hold(make("h", 1));
  EXPECT_EQ(server.cli({"PTTL", "{alice}:h:score_os"}), "-1");
  release("h");
  EXPECT_NE(server.cli({"PTTL", "{alice}:h:score_os"}), "-1");
  hold(make("i", 1, 30 * day_ms));
  EXPECT_GT(std::stoll(server.cli({"PTTL", "{alice}:i:score_os"})), 32 * day_ms);
}

TEST_F(HoldTest, its_expiry_is_part_of_the_order) {
  post(entry("1", Op::add, account(gold), 10));
  hold(make("h", 6, 1000));
  EXPECT_EQ(hold(make("h", 6)), "order_conflict");
  EXPECT_EQ(hold(make("h", 6, 1001)), "order_conflict");
  EXPECT_EQ(hold(make("h", 5, 1000)), "order_conflict");
  EXPECT_EQ(hold(make("1", 10)), "order_conflict");
}

TEST_F(HoldTest, of_a_capture_and_a_release_at_once_one_wins) {
  post(entry("1", Op::add, account(gold), 100));
  for (int i = 0; i < 20; ++i) {
    auto const order = OrderId::from(fmt::format("h{}", i)).value();
    hold(make(order.str(), 5));
    std::vector<Task<Result<Receipt>>> calls;
    calls.push_back(ledger.capture(alice, order, {}));
    calls.push_back(ledger.release(alice, order));
    auto const answers = test::run(io, when_all(std::move(calls)));
    EXPECT_NE(answers[0].has_value(), answers[1].has_value());
  }
  EXPECT_EQ(view(account(gold)).held.value(), 0);
  history(account(gold));
}

}  // namespace
}  // namespace larder::ledger
