// Transfers between users and exchanges between types.
#include "base/when_all.hpp"
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

class TransferTest : public LedgerInSlotsTest {
 protected:
  Transfer make(std::string_view id, std::int64_t amount, std::string_view from = "alice",
                std::string_view to = "bob") {
    return {.order_id = order(id),
            .type = gold,
            .domain = Domain::from("main").value(),
            .from = user(from),
            .to = user(to),
            .amount = Amount::from(amount).value(),
            .remark = "a gift of mine"};
  }
  // "ok 10>7, 3", where 3 is the receiver's balance, or the refusal.
  std::string transfer(Transfer transfer) {
    auto const receipt = test::run(io, ledger.transfer(std::move(transfer)));
    if (!receipt || receipt->outcome.status != Status::ok) return brief(receipt);
    return brief(receipt) + ", " + std::string(receipt->outcome.word("to_balance"));
  }
  void give(std::string_view id, std::int64_t amount, std::string_view uid = "alice",
            std::optional<std::int64_t> expires_in = {}) {
    auto made = entry(id, Op::add, account(gold, uid), amount);
    if (expires_in) made.expires_at = clock.now() + *expires_in;
    ASSERT_TRUE(test::run(io, ledger.post(made)));
  }
  // Sends a transfer to bob whose arrival fails.
  void leave_under_way(Transfer transfer) {
    auto const outbox = shard("bob").outbox;
    server.cli({"RENAME", outbox, "aside"});
    server.cli({"SET", outbox, "not a stream"});
    EXPECT_THROW(test::run(io, ledger.transfer(std::move(transfer))), redis::ReplyError);
    server.cli({"RENAME", "aside", outbox});
  }
  // Completes all transfers to other slots that are under way.
  void relay_all() {
    for (auto const& key : shared.keys.shards()) {
      std::istringstream members(server.cli({"ZRANGE", key.relay, "0", "-1"}));
      for (std::string member; std::getline(members, member);) {
        if (!member.empty()) test::run(io, ledger.relay(member));
      }
    }
  }

  TypeId gold = make_type("gold");
};

TEST_P(TransferTest, moves_points_once) {
  give("1", 10);
  EXPECT_EQ(transfer(make("t", 3)), "ok 10>7, 3");
  EXPECT_EQ(transfer(make("t", 3)), "ok 10>7 again, 3");
  EXPECT_EQ(transfer(make("t2", 7)), "ok 7>0, 10");
  EXPECT_EQ(balance(account(gold)), 0);
  EXPECT_EQ(balance(account(gold, "bob")), 10);
  EXPECT_EQ(view(account(gold)).pending.value(), 0);
  auto const sent = history(account(gold));
  EXPECT_EQ(sent, GetParam() == Slots::one
                      ? (Lines{"add 10 0>10", "transfer_out 3 10>7", "transfer_out 7 7>0"})
                      : (Lines{"add 10 0>10", "transfer_out 3 10>7", "transfer_done 3 7>7",
                               "transfer_out 7 7>0", "transfer_done 7 0>0"}));
  EXPECT_EQ(history(account(gold, "bob")), (Lines{"transfer_in 3 0>3", "transfer_in 7 3>10"}));
  auto const flow = flows({.uid = user("bob"), .limit = 1})[0];
  EXPECT_EQ(flow.remark, "a gift of mine");
  EXPECT_EQ(flow.outcome.word("from"), "alice");
}

TEST_P(TransferTest, is_refused_by_name_and_the_refusal_is_remembered) {
  give("1", 10);
  EXPECT_EQ(transfer(make("t", 11)), "insufficient_balance 10>10");
  give("2", 5);
  EXPECT_EQ(transfer(make("t", 11)), "insufficient_balance 10>10 again");
  EXPECT_EQ(transfer(make("u", 0)), "invalid_request");
  EXPECT_EQ(transfer(make("u", 1, "alice", "alice")), "self_target");
  auto other = make("u", 1);
  other.type = 99;
  EXPECT_EQ(transfer(other), "type_not_found");
  EXPECT_EQ(history(account(gold)), (Lines{"add 10 0>10", "refused transfer_out 11 10>10", "add 5 10>15"}));
  EXPECT_EQ(history(account(gold, "bob")), Lines{});
}

TEST_P(TransferTest, conflicts_in_the_fields_that_differ) {
  give("1", 10);
  transfer(make("t", 3));
  auto const fields = [&](Transfer transfer) {
    auto const error = test::run(io, ledger.transfer(std::move(transfer))).error();
    EXPECT_EQ(error.code, errors::order_conflict);
    return boost::json::serialize(error.more.at("fields"));
  };
  EXPECT_EQ(fields(make("t", 4)), R"(["amount"])");
  EXPECT_EQ(fields(make("t", 3, "alice", "carol")), R"(["to"])");
  EXPECT_EQ(fields(make("1", 10)), R"(["op"])");
  EXPECT_EQ(post(entry("t", Op::deduct, account(gold), 3)), "order_conflict");
}

TEST_P(TransferTest, points_keep_their_expiry) {
  give("1", 10);
  give("2", 5, "alice", 1000);
  EXPECT_EQ(transfer(make("t", 8)), "ok 15>7, 8");
  auto const lots = view(account(gold, "bob")).lots;
  ASSERT_EQ(lots.size(), 1u);
  EXPECT_EQ(lots[0].amount.value(), 5);
  EXPECT_EQ(lots[0].expires_at, clock.now() + 1000);
  clock.advance(1000);
  EXPECT_EQ(balance(account(gold)), 7);
  EXPECT_EQ(balance(account(gold, "bob")), 3);
  history(account(gold));
  history(account(gold, "bob"));
}

TEST_P(TransferTest, what_cannot_arrive_comes_back) {
  give("1", 10, "alice", 5000);
  give("2", limits::amount_max - 5, "bob");
  EXPECT_EQ(transfer(make("t", 6)), "balance_limit 10>10");
  EXPECT_EQ(balance(account(gold)), 10);
  EXPECT_EQ(balance(account(gold, "bob")), limits::amount_max - 5);
  EXPECT_EQ(transfer(make("t", 6)), "balance_limit 10>10 again");
  if (GetParam() == Slots::two) {
    EXPECT_EQ(history(account(gold)),
              (Lines{"add 10 0>10", "transfer_out 6 10>4", "transfer_return 6 4>10"}));
    EXPECT_EQ(history(account(gold, "bob")).back(),
              fmt::format("refused transfer_in 6 {0}>{0}", limits::amount_max - 5));
    auto const back = flows({.uid = user("alice"), .limit = 1})[0];
    EXPECT_NE(back.order_id.str(), "t");
    EXPECT_EQ(back.outcome.word("return_of"), "t");
    EXPECT_EQ(test::run(io, ledger.order(user("alice"), back.order_id))->op, Op::transfer_return);
    EXPECT_EQ(view(account(gold)).lots.size(), 1u);
  }
}

TEST_P(TransferTest, many_at_once_lose_nothing) {
  for (int i = 0; i < 4; ++i) give(fmt::format("g{}", i), 100, fmt::format("u{}", i));
  std::vector<Task<Result<Receipt>>> calls;
  for (int i = 0; i < 200; ++i) {
    auto const from = i % 4;
    calls.push_back(ledger.transfer(make(fmt::format("t{}", i), 1 + i % 30, fmt::format("u{}", from),
                                         fmt::format("u{}", (from + 1 + i % 3) % 4))));
  }
  test::run(io, when_all(std::move(calls)));
  std::int64_t sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += balance(account(gold, fmt::format("u{}", i)));
    history(account(gold, fmt::format("u{}", i)));
  }
  EXPECT_EQ(sum, 400);
}

TEST_P(TransferTest, one_whose_sender_died_is_brought_to_its_end_by_the_relay) {
  if (GetParam() == Slots::one) GTEST_SKIP() << "one script";
  give("1", 10);
  leave_under_way(make("t", 3));
  EXPECT_EQ(view(account(gold)).balance.value(), 7);
  EXPECT_EQ(view(account(gold)).pending.value(), 3);
  EXPECT_EQ(test::run(io, ledger.order(user("alice"), order("t")))->word("state"), "pending");
  EXPECT_EQ(server.cli({"ZCARD", shard("alice").relay}), "1");
  relay_all();
  EXPECT_EQ(view(account(gold)).pending.value(), 0);
  EXPECT_EQ(balance(account(gold, "bob")), 3);
  EXPECT_EQ(server.cli({"ZCARD", shard("alice").relay}), "0");
  EXPECT_EQ(transfer(make("t", 3)), "ok 10>7 again, 3");
  history(account(gold));
  history(account(gold, "bob"));
}

TEST_P(TransferTest, a_retry_of_one_under_way_ends_it) {
  if (GetParam() == Slots::one) GTEST_SKIP() << "one script";
  give("1", 10);
  leave_under_way(make("t", 3));
  EXPECT_EQ(transfer(make("t", 3)), "ok 10>7 again, 3");
  relay_all();
  EXPECT_EQ(balance(account(gold, "bob")), 3);
}

TEST_P(TransferTest, one_under_way_that_two_retry_at_once_ends_once) {
  if (GetParam() == Slots::one) GTEST_SKIP() << "one script";
  give("1", 10);
  leave_under_way(make("t", 3));
  std::vector<Task<Result<Receipt>>> retries;
  for (int i = 0; i < 2; ++i) retries.push_back(ledger.transfer(make("t", 3)));
  for (auto const& receipt : test::run(io, when_all(std::move(retries)))) {
    EXPECT_EQ(brief(receipt), "ok 10>7 again");
    EXPECT_EQ(receipt->outcome.word("to_balance"), "3");
  }
  EXPECT_EQ(history(account(gold)), (Lines{"add 10 0>10", "transfer_out 3 10>7", "transfer_done 3 7>7"}));
  EXPECT_EQ(history(account(gold, "bob")), Lines{"transfer_in 3 0>3"});
}

TEST_P(TransferTest, a_lot_that_expires_on_the_way_vanishes_where_it_arrives) {
  if (GetParam() == Slots::one) GTEST_SKIP() << "one script";
  give("1", 5, "alice", 1000);
  leave_under_way(make("t", 5));
  clock.advance(2000);
  relay_all();
  EXPECT_EQ(history(account(gold, "bob")), (Lines{"transfer_in 5 0>5", "expire 5 5>0"}));
  EXPECT_EQ(history(account(gold)), (Lines{"add 5 0>5", "transfer_out 5 5>0", "transfer_done 5 0>0"}));
}

TEST_P(TransferTest, one_that_is_too_old_to_be_sure_of_is_left_for_people) {
  if (GetParam() == Slots::one) GTEST_SKIP() << "one script";
  give("1", 10);
  leave_under_way(make("t", 3));
  clock.advance(3 * day_ms);
  EXPECT_THROW(relay_all(), std::runtime_error);
  auto const again = test::run(io, ledger.transfer(make("t", 3)));
  EXPECT_EQ(brief(again), "ok 10>7 again");
  EXPECT_EQ(again->outcome.word("state"), "pending");
  EXPECT_EQ(view(account(gold)).pending.value(), 3);
  EXPECT_EQ(balance(account(gold, "bob")), 0);
}

TEST_P(TransferTest, a_longer_memory_does_not_make_one_arrive_again) {
  if (GetParam() == Slots::one) GTEST_SKIP() << "one script";
  give("1", 10);
  leave_under_way(make("t", 3));
  ASSERT_TRUE(test::run(io, ledger.change_type(gold, {.order_ttl_days = 30})));
  clock.advance(3 * day_ms);  // an arrival would be forgotten by now
  EXPECT_THROW(relay_all(), std::runtime_error);
  EXPECT_EQ(balance(account(gold, "bob")), 0);
}

LARDER_IN_ONE_AND_MANY_SLOTS(TransferTest);

class ExchangeTest : public LedgerTest {
 protected:
  Exchange make(std::string_view order, std::int64_t amount) {
    return {.order_id = OrderId::from(order).value(),
            .uid = UserId::from("alice").value(),
            .domain = Domain::from("main").value(),
            .from_type = gold,
            .to_type = silver,
            .amount = Amount::from(amount).value()};
  }
  std::string exchange(Exchange exchange) {
    auto const receipt = test::run(io, ledger.exchange(std::move(exchange)));
    if (!receipt || receipt->outcome.status != Status::ok) return brief(receipt);
    return fmt::format("{}, credited {}, {}", brief(receipt), receipt->outcome.word("credited"),
                       receipt->outcome.word("to_balance"));
  }
  void rate(std::int64_t numerator, std::int64_t denominator) {
    auto const set = test::run(
        io,
        ledger.set_rate({.from = gold, .to = silver, .numerator = numerator, .denominator = denominator}));
    ASSERT_TRUE(set);
  }
  TypeId gold = make_type("gold");
  TypeId silver = make_type("silver");
};

TEST_F(ExchangeTest, rounds_down_at_the_rate_of_the_moment) {
  post(entry("1", Op::add, account(gold), 100));
  EXPECT_EQ(exchange(make("x", 10)), "rate_not_found");
  rate(3, 4);
  EXPECT_EQ(exchange(make("x", 10)), "ok 100>90, credited 7, 7");
  rate(1000, 1);
  EXPECT_EQ(exchange(make("x", 10)), "ok 100>90 again, credited 7, 7");
  EXPECT_EQ(exchange(make("y", 10)), "ok 90>80, credited 10000, 10007");
  rate(1, 100);
  EXPECT_EQ(exchange(make("z", 80)), "nothing_to_credit");
  EXPECT_EQ(exchange(make("z", 0)), "invalid_request");
  EXPECT_EQ(exchange(make("z", 1000)), "insufficient_balance 80>80");
  rate(limits::amount_max, 1);
  EXPECT_EQ(exchange(make("u", 2)), "balance_limit 80>80");
  EXPECT_EQ(exchange(make("w", 1)), "balance_limit 80>80");
  rate(1, 1);
  EXPECT_EQ(exchange(make("u", 2)), "balance_limit 80>80 again");
  for (std::string_view const refused : {"z", "u", "w"}) {
    auto const order = test::run(io, ledger.order(account(gold).uid, OrderId::from(refused).value())).value();
    EXPECT_EQ(order.detail, fmt::format("to_type={}", silver)) << refused;
  }
  auto self = make("v", 1);
  self.to_type = gold;
  EXPECT_EQ(exchange(self), "self_target");
  EXPECT_EQ(history(account(gold)), (Lines{"add 100 0>100", "exchange_out 10 100>90", "exchange_out 10 90>80",
                                           "refused exchange_out 1000 80>80", "refused exchange_out 2 80>80",
                                           "refused exchange_out 1 80>80"}));
  EXPECT_EQ(history(account(silver)), (Lines{"exchange_in 7 0>7", "exchange_in 10000 7>10007"}));
}

TEST_F(ExchangeTest, gives_new_points_for_those_that_expire_first) {
  rate(1, 1);
  auto lot = entry("1", Op::add, account(gold), 5);
  lot.expires_at = clock.now() + 1000;
  post(lot);
  EXPECT_EQ(exchange(make("x", 5)), "ok 5>0, credited 5, 5");
  clock.advance(1000);
  EXPECT_EQ(balance(account(silver)), 5);
  history(account(gold));
  history(account(silver));
}

TEST_F(ExchangeTest, a_rate_needs_two_types) {
  EXPECT_EQ(test::run(io, ledger.set_rate({.from = gold, .to = 99})).error().code, errors::type_not_found);
  EXPECT_EQ(test::run(io, ledger.set_rate({.from = gold, .to = gold})).error().code, errors::self_target);
}

}  // namespace
}  // namespace larder::ledger
