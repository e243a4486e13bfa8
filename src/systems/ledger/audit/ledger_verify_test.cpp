// Compares Redis with the journal.
#include "systems/ledger/audit/reckoning_test.hpp"

namespace larder::ledger {
namespace {

TEST(LedgerKeys, tell_whose_they_are_in_every_format) {
  UserId const uid = UserId::from("a.b@c+d|e-f_9").value();
  OrderId const order = OrderId::from("7:1003:x").value();
  for (auto const& [format, cluster] : {std::pair{"", false},
                                        {"", true},
                                        {"{<bucket>}:x:<score_type>:<uid>:<domain>", true},
                                        {"<score_type>:<domain>:<uid>", false},
                                        {"<domain>:{<uid>}:y:<score_type>:z", false},
                                        {"p:{<domain>}:<score_type>:<uid>", false}}) {
    Keys const keys(format, cluster);
    for (std::string const domain : {"main", "a:b", "1:score", "x:y:z"}) {
      Account const account{.type = 12, .domain = Domain::from(domain).value(), .uid = uid};
      auto const of_account = keys.account(account);
      for (auto const& key : {of_account.balance, of_account.more, of_account.expiring, of_account.due}) {
        auto const found = keys.account_of(key);
        ASSERT_TRUE(found) << key;
        EXPECT_EQ(keys.balance(*found), of_account.balance) << key;
        EXPECT_EQ(found->domain, account.domain) << key;
        EXPECT_FALSE(keys.order_of(key)) << key;
        EXPECT_TRUE(Keys::is_ledger_key(key));
      }
    }
    auto const own = keys.order_of(keys.order(uid, order));
    ASSERT_TRUE(own);
    EXPECT_EQ(std::tie(own->uid, own->from, own->order), std::tuple(uid, std::nullopt, order));
    UserId const from = UserId::from("bob").value();
    auto const arrival = keys.order_of(keys.arrival(uid, from, order));
    ASSERT_TRUE(arrival);
    EXPECT_EQ(std::tie(arrival->uid, arrival->from, arrival->order),
              std::tuple(uid, std::optional(from), order));
    EXPECT_FALSE(keys.account_of(keys.order(uid, order)));
    for (std::string const other : {"", ":score", "x", "x:score", "{}:main:1:score", "1:1003:score_sn",
                                    "{3}:score_outbox", "{alice}:main:01:score", ":score_os"}) {
      EXPECT_FALSE(keys.account_of(other)) << other;
      EXPECT_FALSE(keys.order_of(other)) << other;
    }
  }
}

class VerifyTest : public ReckoningTest {
 protected:
  // Makes four flows, which leave the balances 5, 7, 7 (refused) and 4.
  void SetUp() override {
    post(entry("o1", Op::add, account(gold), 5));
    post(entry("o2", Op::add, account(gold), 2));
    post(entry("o3", Op::deduct, account(gold), 100));
    post(entry("o4", Op::deduct, account(gold), 3));
  }
  static std::string record(std::string_view id, std::string_view words) {
    return fmt::format("order alice {}: '{} @' in Redis, no flow in the journal", id, words);
  }
  void remove_flow(std::string_view id) {
    execute(fmt::format("DELETE FROM FLOWS WHERE order_id = '{}'", id));
  }
  void double_flow(std::string_view id) {
    std::string const rest =
        "order_id, type_id, domain, op, status, amount, old_balance, change_amount, balance, remark, at_ms, "
        "detail";
    execute(fmt::format(
        "INSERT INTO FLOWS (uid, event_ms, event_seq, {0}) SELECT uid, event_ms + 60000, event_seq, {0} "
        "FROM FLOWS WHERE order_id = '{1}'",
        rest, id));
  }
  Account const alice = account(gold);
};

TEST_P(VerifyTest, an_emptied_redis_differs_takes_no_entries_and_tells_no_balances) {
  journal_all();
  test::run(io, projector->stop());
  projector.reset();
  server.cli({"FLUSHALL"});
  EXPECT_THROW(post(entry("o5", Op::add, alice, 1)), LostError);
  EXPECT_THROW(balance(alice), LostError);
  EXPECT_THROW(test::run(io, ledger.order(user("alice"), order("o1"))), LostError);
  EXPECT_EQ(all_keys(), std::set<std::string>{});
  auto const lines = differences();
  EXPECT_TRUE(std::ranges::any_of(lines, [&](std::string const& line) {
    return line == fmt::format("Redis lacks what SQL has: {} is missing", outbox("alice"));
  }));
}

TEST_P(VerifyTest, an_older_copy_of_redis_differs_although_it_agrees_with_itself) {
  journal_all();
  auto const older = server.cli({"GET", events::projected_key(outbox("alice"))});
  post(entry("o5", Op::add, account(gold, "alice", "other"), 1));
  journal_all();
  EXPECT_EQ(differences(), Lines{});
  test::run(io, projector->stop());
  projector.reset();
  server.cli({"SET", events::projected_key(outbox("alice")), older});
  EXPECT_EQ(differences().size(), 1U);
}

TEST_P(VerifyTest, finds_nothing_where_nothing_is_wrong) {
  EXPECT_EQ(differences(), Lines{});  // all flows are still in the outbox
  journal_all();
  EXPECT_EQ(differences(), Lines{});
  VerifyReport last;
  auto const report = test::run(io, verify(redis, journal, keys(), clock,
                                           {.difference = [](std::string const&) {},
                                            .progress = [&](VerifyReport const& now) { last = now; }}));
  EXPECT_EQ(std::tuple(report.flows, report.accounts, report.orders, report.keys, report.differences),
            std::tuple(4, 1, 4, 5, 0));
  EXPECT_EQ(last.keys, report.keys);
}

TEST_P(VerifyTest, finds_a_changed_balance) {
  journal_all();
  server.cli({"SET", balance_key(), "9"});
  EXPECT_EQ(differences(), Lines{"account alice 1 main: balance 9 in Redis, 4 by 4 flows"});
  server.cli({"SET", balance_key(), "many"});
  EXPECT_EQ(differences(), Lines{"account alice 1 main: balance many in Redis, 4 by 4 flows"});
  server.cli({"DEL", balance_key()});
  EXPECT_EQ(differences(), Lines{"account alice 1 main: balance 0 in Redis, 4 by 4 flows"});
}

TEST_P(VerifyTest, finds_a_changed_balance_before_its_flows_are_journaled) {
  server.cli({"SET", balance_key(), "9"});
  EXPECT_EQ(differences(), Lines{"account alice 1 main: balance 9 in Redis, 4 by 4 flows"});
}

TEST_P(VerifyTest, finds_a_deleted_first_flow) {
  journal_all();
  remove_flow("o1");
  EXPECT_EQ(
      differences(),
      (Lines{"account alice 1 main: flow # of order o2: it begins with 5, the flows before it end with 0",
             record("o1", "ok add 1 main 5 0 5")}));
}

TEST_P(VerifyTest, finds_a_deleted_flow_between_others) {
  journal_all();
  remove_flow("o2");
  EXPECT_EQ(
      differences(),
      (Lines{"account alice 1 main: flow # of order o3: it begins with 7, the flows before it end with 5",
             record("o2", "ok add 1 main 2 5 7")}));
}

TEST_P(VerifyTest, finds_a_deleted_last_flow) {
  journal_all();
  remove_flow("o4");
  EXPECT_EQ(differences(), (Lines{"account alice 1 main: balance 4 in Redis, 7 by 3 flows",
                                  record("o4", "ok deduct 1 main 3 7 4")}));
}

TEST_P(VerifyTest, finds_a_deleted_refusal) {
  journal_all();
  remove_flow("o3");
  EXPECT_EQ(differences(), Lines{record("o3", "insufficient_balance deduct 1 main 100 7 7")});
}

TEST_P(VerifyTest, finds_a_doubled_flow) {
  journal_all();
  double_flow("o4");
  EXPECT_EQ(
      differences(),
      (Lines{"account alice 1 main: flow # of order o4: it begins with 7, the flows before it end with 4",
             "order alice o4: decided twice, by flow # and by flow #"}));
}

TEST_P(VerifyTest, finds_a_doubled_refusal) {
  post(entry("o5", Op::deduct, account(gold), 100));
  journal_all();
  double_flow("o5");
  EXPECT_EQ(differences(), Lines{"order alice o5: decided twice, by flow # and by flow #"});
}

TEST_P(VerifyTest, finds_a_missing_order) {
  journal_all();
  server.cli({"DEL", order_key("o3")});
  EXPECT_EQ(differences(), Lines{"order alice o3: missing in Redis, decided by flow #"});
  server.cli({"SET", order_key("o3"), "ok"});
  auto const lines = differences();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("order alice o3: 'ok' in Redis, 'insufficient_balance deduct 1"))
      << lines[0];
}

TEST_P(VerifyTest, an_order_that_may_be_forgotten_is_not_missing) {
  journal_all();
  server.cli({"DEL", order_key("o3")});
  clock.advance(3 * day_ms - end_margin_ms - 1);
  EXPECT_EQ(differences().size(), 1u);
  clock.advance(1);
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(VerifyTest,
       an_order_that_was_forgotten_may_be_decided_again_although_order_ttl_days_was_raised_later) {
  clock.advance(4 * day_ms);
  server.cli({"DEL", order_key("o1")});
  EXPECT_EQ(post(entry("o1", Op::add, account(gold), 5)), "ok 4>9");
  EXPECT_TRUE(test::run(io, ledger.change_type(gold, {.order_ttl_days = 30})));
  journal_all();
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(VerifyTest, finds_keys_that_vanish_too_early_or_too_late) {
  auto const end = clock.now() + day_ms;
  auto const season = make_type("season", {}, end);
  auto lot = entry("s", Op::add, account(season), 5);
  lot.expires_at = end + 1000;
  post(lot);
  journal_all();
  EXPECT_EQ(differences(), Lines{});
  server.cli({"PERSIST", keys().balance(account(season))});
  server.cli({"PEXPIREAT", keys().account(account(season)).more, std::to_string((end + 1).value)});
  server.cli({"PEXPIREAT", balance_key(), std::to_string(end.value)});
  EXPECT_EQ(
      differences(),
      (Lines{
          "account alice 1 main: its key score vanishes at @ in Redis, never by the end of its type",
          "account alice 3 main: its key score vanishes never in Redis, at @ by the end of its type",
          "account alice 3 main: its key score_more vanishes at @ in Redis, at @ by the end of its type"}));
  // To give the type its end again repairs the keys.
  EXPECT_TRUE(test::run(io, ledger.change_type(season, {.ends_at = end})));
  EXPECT_TRUE(test::run(io, ledger.change_type(gold, {.clears_ends_at = true})));
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(VerifyTest, does_not_compare_an_end_that_is_on_its_way_to_the_keys) {
  journal_all();
  EXPECT_TRUE(test::run(io, journal.change_type(gold, {.ends_at = clock.now() + day_ms}, clock.now())));
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(VerifyTest, understands_lots_that_were_merged) {
  auto const day = TimeMs{(clock.now().value / day_ms + 2) * day_ms};
  auto const lot = [&](std::string_view id, TimeMs expires_at, std::string_view uid = "alice") {
    auto made = entry(id, Op::add, account(gold, uid), 2);
    made.expires_at = expires_at;
    return made;
  };
  auto const hold = [&](std::string_view id) -> Hold {
    return {.order_id = order(id),
            .account = account(gold),
            .amount = Amount::from(2).value(),
            .expires_at = {},
            .remark = {}};
  };
  post(lot("held", day + 1));
  EXPECT_TRUE(test::run(io, ledger.hold(hold("h"))));
  auto waiting = lot("waiting", day + 2);
  waiting.effective_at = clock.now() + 10;
  post(waiting);
  std::vector<Entry> lots;
  for (int i = 0; i < limits::lots_max; ++i) lots.push_back(lot(fmt::format("l{}", i), day + 1000 + i));
  for (auto const& made : test::run(io, ledger.post_each(std::move(lots)))) ASSERT_TRUE(made);
  clock.advance(10);
  post(lot("merged", day + 3));
  EXPECT_TRUE(test::run(io, ledger.capture(user("alice"), order("h"), Amount::from(1).value())));
  post(lot("bobs", day + 4, "bob"));
  EXPECT_TRUE(test::run(io, ledger.transfer({.order_id = order("t"),
                                             .type = gold,
                                             .domain = account(gold).domain,
                                             .from = user("bob"),
                                             .to = user("alice"),
                                             .amount = Amount::from(2).value(),
                                             .remark = {}})));
  auto const all = view(account(gold)).lots;
  EXPECT_EQ(all.size(), std::size_t(limits::lots_max) + 1);
  EXPECT_EQ(all.back().expires_at, day + day_ms);
  EXPECT_EQ(all.back().amount.value(), 2 + 2 + 1 + 2) << "matured, added, released, received";
  journal_all();
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(VerifyTest, finds_what_has_no_flow) {
  journal_all();
  server.cli({"SET", balance_key("bob"), "5"});
  server.cli({"HSET", keys().account(account(gold, "carol")).more, "held", "1"});
  server.cli({"SET", order_key("x:1"), "ok add 1 main 5 0 5 1700000000000"});
  server.cli({"SET", keys().arrival(user("alice"), user("bob"), order("o1")),
              "ok transfer_in 1 main 5 0 5 1700000000000 from=bob parts=0:5"});
  server.cli({"SET", "somebody:elses:1:score", "5"});
  EXPECT_EQ(differences(), (Lines{"account bob 1 main: balance 5 in Redis, no flow in the journal",
                                  "account carol 1 main: balance 0 in Redis, no flow in the journal",
                                  "arrival alice of order bob o1: 'ok transfer_in 1 main 5 0 5 @ from=bob "
                                  "parts=0:5' in Redis, no flow "
                                  "in the journal",
                                  record("x:1", "ok add 1 main 5 0 5")}));
}

TEST_P(VerifyTest, skips_accounts_of_a_type_that_is_over_for_good) {
  auto const season = make_type("season", {}, clock.now() + day_ms);
  post(entry("s", Op::add, account(season), 5));
  journal_all();
  server.cli({"DEL", keys().balance(account(season))});
  EXPECT_EQ(differences(), Lines{"account alice 3 main: balance 0 in Redis, 5 by 1 flow"});
  clock.advance(2 * day_ms - end_margin_ms);
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(VerifyTest, finds_whatever_differs_beyond_the_balance) {
  auto lot = entry("l", Op::add, alice, 10);
  lot.expires_at = clock.now() + day_ms;
  post(lot);
  auto waiting = entry("w", Op::add, alice, 6);
  waiting.effective_at = clock.now() + day_ms;
  post(waiting);
  ASSERT_TRUE(test::run(io, ledger.hold({.order_id = order("h"),
                                         .account = alice,
                                         .amount = Amount::from(3).value(),
                                         .expires_at = clock.now() + 2 * day_ms,
                                         .remark = ""})));
  journal_all();
  ASSERT_EQ(differences(), Lines{});
  auto const of_alice = keys().account(alice);
  auto const lot_time = fmt::to_string((clock.now() + day_ms).value);
  std::pair<Lines, Lines> const cases[] = {
      {{"HSET", of_alice.more, "l:" + lot_time, "8"}, {"l:@ is '8' in Redis, '7' by its flows"}},
      {{"HDEL", of_alice.more, "l:" + lot_time}, {"l:@ is nothing in Redis, '7' by its flows"}},
      {{"HSET", of_alice.more, "h:h", "4 0 0:4"}, {"h:h is '4 0 0:4' in Redis, '3 @ @:3' by its flows"}},
      {{"HSET", of_alice.more, "h:other", "4 0 0:4"},
       {"h:other is '4 0 0:4' in Redis, nothing by its flows"}},
      {{"HDEL", of_alice.more, "held"}, {"held is nothing in Redis, '3' by its flows"}},
      {{"HSET", of_alice.more, "waiting", "5"}, {"waiting is '5' in Redis, '6' by its flows"}},
      {{"ZREM", of_alice.expiring, lot_time}, {"expiry of lot @ is nothing in Redis, '@' by its flows"}},
      {{"ZADD", of_alice.due, "5", "h:h"}, {"due time of h:h is '5' in Redis, '@' by its flows"}},
      {{"DEL", of_alice.due},
       {"due time of h:h is nothing in Redis, '@' by its flows",
        "due time of w:@:0 is nothing in Redis, '@' by its flows"}},
      {{"DEL", shard("alice").schedule}, {"it changes by itself, but is not in the schedule"}},
  };
  for (auto const& [plant, expected] : cases) {
    auto const key = plant[1];
    server.cli({"COPY", key, "saved"});
    server.cli(plant);
    Lines lines;
    for (auto const& line : expected) lines.push_back("account alice 1 main: " + line);
    EXPECT_EQ(differences(), lines) << plant[0] << " " << key;
    server.cli({"RENAME", "saved", key});
  }
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(VerifyTest, finds_a_missing_arrival) {
  test::run(io, ledger.transfer({.order_id = order("t"),
                                 .type = gold,
                                 .domain = alice.domain,
                                 .from = user("alice"),
                                 .to = user("bob"),
                                 .amount = Amount::from(1).value(),
                                 .remark = ""}));
  journal_all();
  auto const arrival = keys().arrival(user("bob"), user("alice"), order("t"));
  EXPECT_EQ(server.cli({"DEL", arrival}), GetParam() == Slots::one ? "0" : "1");
  EXPECT_EQ(differences(), GetParam() == Slots::one
                               ? Lines{}
                               : Lines{"arrival bob of order alice t: missing in Redis, decided by flow #"});
}

// The pages are smaller than the flows of a user, and than the whole journal.
TEST_P(VerifyTest, reads_many_flows_and_many_users) {
  for (int round = 0; round < 12; ++round) {
    std::vector<Entry> entries;
    for (int i = 0; i < 1000; ++i) {
      auto const id = fmt::format("r{}-{}", round, i);
      entries.push_back(entry(id, Op::add, account(gold, i % 2 ? "alice" : fmt::format("u{}", i)), 1));
    }
    test::run(io, ledger.post_each(std::move(entries)));
  }
  journal_all();
  auto const report =
      test::run(io, verify(redis, journal, keys(), clock, {.difference = [](auto const&) {}}));
  EXPECT_EQ(std::tuple(report.flows, report.accounts, report.orders, report.keys, report.differences),
            std::tuple(12004, 501, 12004, 12505, 0));
  server.cli({"INCR", balance_key("u998")});
  EXPECT_EQ(differences(), Lines{"account u998 1 main: balance 13 in Redis, 12 by 12 flows"});
}

LARDER_IN_ONE_AND_MANY_SLOTS(VerifyTest);

class BusyTest : public ReckoningTest {
 protected:
  Task<bool> work_and_tell(int number, int& working) {
    co_await work(number, 400);
    --working;
    co_return true;
  }
  Task<bool> verify_meanwhile(int& working, int& times, Lines& lines) {
    while (working > 0) {
      ++times;
      co_await verify(redis, journal, keys(), clock,
                      {.difference = [&](std::string const& line) { lines.push_back(line); }});
    }
    co_return true;
  }
};

TEST_P(BusyTest, a_ledger_at_work_is_no_difference) {
  start_projector();
  Lines lines;
  int working = 8;
  int times = 0;
  std::vector<Task<bool>> tasks;
  for (int i = 0; i < 8; ++i) tasks.push_back(work_and_tell(i, working));
  tasks.push_back(verify_meanwhile(working, times, lines));
  test::run(io, when_all(std::move(tasks)), std::chrono::seconds(300));
  EXPECT_EQ(lines, Lines{}) << "seed " << seed;
  EXPECT_GT(times, 0);
  journal_all();
  EXPECT_EQ(differences(), Lines{}) << "seed " << seed;
}

LARDER_IN_ONE_AND_MANY_SLOTS(BusyTest);

}  // namespace
}  // namespace larder::ledger
