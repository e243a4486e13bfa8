// Values that other programs have left under the keys of the ledger.
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

class ForeignTest : public LedgerTest {
 protected:
  std::string balance_key() const { return shared.keys.balance(account(gold)); }
  std::string order_key(std::string_view id) const {
    return shared.keys.order(account(gold).uid, OrderId::from(id).value());
  }
  // The key that a refusal names; otherwise the receipt.
  template <class T>
  static std::string named(Result<T> const& result) {
    if (result) return "done";
    if (result.error().code != larder::errors::foreign_record) return std::string(result.error().code.name);
    return std::string(result.error().more.at("key").as_string());
  }
  // The key that an exception names.
  template <class T>
  std::string thrown(Task<T> task) {
    try {
      test::run(io, std::move(task));
    } catch (ForeignRecord const& error) {
      return error.key();
    }
    return "nothing";
  }
  void expect_no_flow() { EXPECT_EQ(waiting("alice"), "0"); }
  Entry lot(std::string_view id) {
    auto made = entry(id, Op::add, account(gold), 5);
    made.expires_at = clock.now() + 1000;
    return made;
  }
  Hold hold(std::string_view id) {
    return {.order_id = OrderId::from(id).value(),
            .account = account(gold),
            .amount = Amount::from(1).value(),
            .expires_at = {},
            .remark = {}};
  }

  TypeId gold = make_type("gold");
};

TEST_F(ForeignTest, a_balance_that_is_no_whole_number_is_named_and_stays) {
  for (std::string const value :
       {"abc", "", "-5", "1.5", "1e3", "007", "0x10", " 7", "9007199254740992", "99999999999999999999"}) {
    server.cli({"SET", balance_key(), value});
    EXPECT_EQ(named(test::run(io, ledger.post(entry("1", Op::add, account(gold), 5)))), balance_key())
        << value;
    EXPECT_EQ(thrown(ledger.post(lot("1"))), balance_key()) << value;
    EXPECT_EQ(thrown(ledger.hold(hold("1"))), balance_key()) << value;
    EXPECT_EQ(thrown(ledger.account(account(gold))), balance_key()) << value;
    EXPECT_EQ(server.cli({"GET", balance_key()}), value);
  }
  expect_no_flow();
}

TEST_F(ForeignTest, a_balance_of_another_type_is_named_and_stays) {
  server.cli({"HSET", balance_key(), "a", "b"});
  EXPECT_EQ(named(test::run(io, ledger.post(entry("1", Op::add, account(gold), 5)))), balance_key());
  EXPECT_EQ(thrown(ledger.post(lot("1"))), balance_key());
  EXPECT_EQ(thrown(ledger.account(account(gold))), balance_key());
  EXPECT_EQ(server.cli({"HGET", balance_key(), "a"}), "b");
  expect_no_flow();
}

TEST_F(ForeignTest, an_order_that_nobody_here_decided_is_named_and_stays) {
  for (std::string const value :
       {"done", "1_1_0_5", "4_1_0_5_5", "1_3_0_5_5", "1_1_0_5_5_5", "ok add 1 main 5 0 5"}) {
    server.cli({"SET", order_key("1"), value});
    EXPECT_EQ(named(test::run(io, ledger.post(entry("1", Op::add, account(gold), 5)))), order_key("1"))
        << value;
    EXPECT_EQ(named(test::run(io, ledger.post(lot("1")))), order_key("1")) << value;
    EXPECT_EQ(named(test::run(io, ledger.hold(hold("1")))), order_key("1")) << value;
    EXPECT_EQ(thrown(ledger.order(account(gold).uid, OrderId::from("1").value())), order_key("1")) << value;
    EXPECT_EQ(server.cli({"GET", order_key("1")}), value);
  }
  server.cli({"DEL", order_key("1")});
  server.cli({"LPUSH", order_key("1"), "x"});
  EXPECT_EQ(named(test::run(io, ledger.post(entry("1", Op::add, account(gold), 5)))), order_key("1"));
  EXPECT_EQ(thrown(ledger.post(lot("1"))), order_key("1"));
  EXPECT_EQ(thrown(ledger.order(account(gold).uid, OrderId::from("1").value())), order_key("1"));
  expect_no_flow();
}

TEST_F(ForeignTest, an_order_of_the_original_service_keeps_its_outcome) {
  server.cli({"SET", order_key("a"), "1_1_2_5_7"});
  server.cli({"SET", order_key("d"), "2_2_3_5_3"});
  server.cli({"SET", order_key("r"), "3_1_7_0_0"});
  EXPECT_EQ(post(entry("a", Op::add, account(gold), 5)), "ok 2>7 again");
  EXPECT_EQ(post(entry("a", Op::add, account(gold), 6)), "order_conflict");
  EXPECT_EQ(post(entry("a", Op::deduct, account(gold), 5)), "order_conflict");
  EXPECT_EQ(post(lot("a")), "order_conflict");
  EXPECT_EQ(post(entry("d", Op::deduct, account(gold), 5)), "insufficient_balance 3>3 again");
  EXPECT_EQ(post(entry("r", Op::reset, account(gold), 0)), "ok 7>0 again");
  auto const shown = test::run(io, ledger.order(account(gold).uid, OrderId::from("a").value()));
  EXPECT_EQ(named(shown), order_key("a"));
  EXPECT_EQ(boost::json::serialize(shown.error().more.at("original")),
            R"({"op":"add","status":"ok","amount":5,"old_balance":2,"balance":7})");
  expect_no_flow();
}

TEST_F(ForeignTest, in_a_batch_only_the_entry_that_meets_it_is_refused) {
  server.cli({"SET", balance_key(), "abc"});
  server.cli({"SET", order_key("2"), "done"});
  auto const results = test::run(
      io,
      ledger.post_each({entry("1", Op::add, account(gold), 5), entry("1", Op::add, account(gold, "bob"), 5),
                        entry("2", Op::add, account(gold, "alice", "other"), 5), lot("3"),
                        entry("3", Op::add, account(gold, "carol"), 1)}));
  Lines refused;
  for (auto const& result : results) refused.push_back(named(result));
  EXPECT_EQ(refused, (Lines{balance_key(), "done", order_key("2"), balance_key(), "done"}));
}

TEST_F(ForeignTest, an_atomic_batch_is_refused_without_a_trace) {
  server.cli({"SET", order_key("2"), "done"});
  auto const refused = test::run(
      io, ledger.post_all({entry("1", Op::add, account(gold), 5), entry("2", Op::add, account(gold), 5)}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().more.at("reason").as_string(), "foreign_record");
  EXPECT_EQ(refused.error().more.at("index").to_number<int>(), 1);
  server.cli({"SET", balance_key(), "abc"});
  EXPECT_EQ(thrown(ledger.post_all({entry("1", Op::add, account(gold), 5)})), balance_key());
  expect_no_flow();
}

}  // namespace
}  // namespace larder::ledger
