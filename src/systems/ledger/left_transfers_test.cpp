// Transfers between slots that the relay has given up, and that a person ends.
#include "systems/ledger/audit/reckoning_test.hpp"

namespace larder::ledger {
namespace {

class LeftTransfersTest : public ReckoningTest {
 protected:
  LeftTransfersTest() {
    start_projector();
    EXPECT_EQ(post(entry("1", Op::add, account(gold), 10)), "ok 0>10");
  }
  Transfer gift() {
    return {.order_id = order("t"),
            .type = gold,
            .domain = Domain::from("main").value(),
            .from = user("alice"),
            .to = user("bob"),
            .amount = Amount::from(3).value(),
            .remark = "a gift"};
  }
  // Sends the gift, but no server gets to the arrival.
  void leave_under_way() {
    auto const outbox = shard("bob").outbox;
    server.cli({"RENAME", outbox, "aside"});
    server.cli({"SET", outbox, "not a stream"});
    EXPECT_THROW(test::run(io, ledger.transfer(gift())), redis::ReplyError);
    server.cli({"RENAME", "aside", outbox});
  }
  // The points arrive, and the server dies before it tells the sender's slot.
  void arrive() {
    auto const type = test::run(io, ledger.type(gold)).value();
    Intent const intent{.amount = gift().amount,
                        .to = user("bob"),
                        .sent_at = clock.now(),
                        .parts = "0:3",
                        .remark = "a gift"};
    test::run(io, redis.run(redis::Use::write,
                            scripts::receive_transfer(keys(), account(gold), order("t"), intent, type,
                                                      scripts::Decides::server, clock.now())));
  }
  // Nobody remembers the arrival any more, and the relay gives the transfer up.
  void give_up() {
    clock.advance(3 * day_ms);
    server.cli({"DEL", keys().arrival(user("bob"), user("alice"), order("t"))});
    schedule::DueSet relay(redis, shard("alice").relay);
    auto const claims = test::run(io, relay.claim(clock.now(), 30s, 10));
    ASSERT_EQ(claims.members.size(), 1u);
    EXPECT_THROW(test::run(io, ledger.relay(claims.members[0].member)), std::runtime_error);
    test::run(io, relay.fail(claims.members[0], 1, clock.now(), clock.now(), "it was too old"));
  }
  std::vector<LeftTransfer> left() { return test::run(io, ledger.left_transfers()); }
  std::string complete() { return ended(test::run(io, ledger.complete_left(user("alice"), order("t")))); }
  std::string give_back() { return ended(test::run(io, ledger.return_left(user("alice"), order("t")))); }
  static std::string ended(Result<Outcome> const& outcome) {
    if (!outcome) return std::string(outcome.error().code.name);
    return fmt::format("{} {}", name_of(outcome->status), outcome->word("state"));
  }
  // Everything fits, and nothing is left to do.
  void expect_sound() {
    EXPECT_EQ(view(account(gold)).pending.value(), 0);
    EXPECT_TRUE(left().empty());
    EXPECT_EQ(server.cli({"EXISTS", shard("alice").relay, shard("alice").relay + ":dead",
                          shard("alice").relay + ":dead:why", shard("alice").relay + ":failures"}),
              "0");
    journal_all();
    EXPECT_EQ(differences(), Lines{});
  }
};

TEST_P(LeftTransfersTest, one_that_has_not_arrived_is_delivered_once) {
  leave_under_way();
  give_up();
  ASSERT_EQ(left().size(), 1u);
  EXPECT_EQ(left()[0].why, "it was too old");
  EXPECT_EQ(left()[0].intent->to.str(), "bob");
  EXPECT_FALSE(left()[0].arrival);
  EXPECT_EQ(complete(), "ok done");
  EXPECT_EQ(complete(), "transfer_not_left");
  EXPECT_EQ(balance(account(gold)), 7);
  EXPECT_EQ(balance(account(gold, "bob")), 3);
  EXPECT_EQ(history(account(gold, "bob")), Lines{"transfer_in 3 0>3"});
  expect_sound();
}

TEST_P(LeftTransfersTest, one_that_arrived_is_only_closed_and_cannot_be_returned) {
  leave_under_way();
  arrive();
  give_up();
  ASSERT_EQ(left().size(), 1u);
  ASSERT_TRUE(left()[0].arrival);
  EXPECT_EQ(left()[0].arrival->status, Status::ok);
  EXPECT_EQ(give_back(), "transfer_arrived");
  EXPECT_EQ(complete(), "ok done");
  EXPECT_EQ(balance(account(gold, "bob")), 3);
  EXPECT_EQ(history(account(gold, "bob")), Lines{"transfer_in 3 0>3"});
  EXPECT_EQ(history(account(gold)), (Lines{"add 10 0>10", "transfer_out 3 10>7", "transfer_done 3 7>7"}));
  expect_sound();
}

TEST_P(LeftTransfersTest, one_whose_arrival_the_journal_may_lack_is_not_ended) {
  leave_under_way();
  arrive();
  give_up();
  journal_all();
  execute("DELETE FROM FLOWS WHERE uid = 'bob'", "bob");
  auto const dead = shard("bob").outbox + ":dead";
  auto const retried = dead + ":retry";
  for (auto const& refused : {dead, retried}) {
    server.cli({"XADD", refused, "*", "event", "1-1", "why", "SQL refuses it", "entry", "the arrival"});
    EXPECT_TRUE(left().at(0).journal_lacks_events);
    EXPECT_EQ(complete(), "arrival_unknown");
    EXPECT_EQ(give_back(), "arrival_unknown");
    // The projector may be moving the retried event back.
    EXPECT_TRUE(test::eventually(io, [&] {
      server.cli({"DEL", dead, retried});
      return !left().at(0).journal_lacks_events;
    }));
  }
  EXPECT_EQ(balance(account(gold)), 7);
  EXPECT_EQ(balance(account(gold, "bob")), 3);
}

TEST_P(LeftTransfersTest, one_that_is_returned_can_never_arrive) {
  leave_under_way();
  give_up();
  EXPECT_EQ(give_back(), "transfer_withdrawn returned");
  EXPECT_EQ(balance(account(gold)), 10);
  EXPECT_EQ(brief(test::run(io, ledger.transfer(gift()))), "transfer_withdrawn 10>10 again");
  EXPECT_EQ(complete(), "transfer_not_left");
  EXPECT_EQ(balance(account(gold, "bob")), 0);
  EXPECT_EQ(history(account(gold, "bob")), Lines{"refused transfer_in 3 0>0"});
  EXPECT_EQ(history(account(gold)), (Lines{"add 10 0>10", "transfer_out 3 10>7", "transfer_return 3 7>10"}));
  expect_sound();
}

TEST_P(LeftTransfersTest, points_of_another_user_under_the_same_order_are_another_transfer) {
  EXPECT_EQ(post(entry("1", Op::add, account(gold, "carol"), 5)), "ok 0>5");
  auto other = gift();
  other.from = user("carol");
  EXPECT_EQ(brief(test::run(io, ledger.transfer(other))), "ok 5>2");
  leave_under_way();
  give_up();
  EXPECT_FALSE(left().at(0).arrival);
  EXPECT_EQ(complete(), "ok done");
  EXPECT_EQ(balance(account(gold, "bob")), 6);
}

TEST_P(LeftTransfersTest, one_that_is_under_way_is_left_to_the_servers) {
  leave_under_way();
  EXPECT_TRUE(left().empty());
  EXPECT_EQ(complete(), "transfer_not_left");
  EXPECT_EQ(give_back(), "transfer_not_left");
  EXPECT_EQ(view(account(gold)).pending.value(), 3);
}

INSTANTIATE_TEST_SUITE_P(In, LeftTransfersTest, testing::Values(Slots::two));

}  // namespace
}  // namespace larder::ledger
