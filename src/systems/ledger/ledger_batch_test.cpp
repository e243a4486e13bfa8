// Many entries in one call.
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

class BatchTest : public LedgerTest {
 protected:
  // Posts all or none. Returns "ok 0>5, ..." or "batch_refused 1 insufficient_balance".
  std::string all(std::vector<Entry> entries) {
    auto const receipts = test::run(io, ledger.post_all(std::move(entries)));
    if (!receipts) {
      auto const& error = receipts.error();
      if (!error.more.contains("index")) return std::string(error.code.name);
      return fmt::format("{} {} {}", error.code.name, error.more.at("index").to_number<int>(),
                         std::string_view(error.more.at("reason").as_string()));
    }
    std::string text;
    for (auto const& receipt : *receipts) text += (text.empty() ? "" : ", ") + brief(receipt);
    return text;
  }
  Lines each(std::vector<Entry> entries) {
    Lines lines;
    for (auto const& receipt : test::run(io, ledger.post_each(std::move(entries))))
      lines.push_back(brief(receipt));
    return lines;
  }
  Entry add(std::string_view order, std::int64_t amount, std::string_view uid = "alice") {
    return entry(order, Op::add, account(gold, uid), amount);
  }
  Entry deduct(std::string_view order, std::int64_t amount, std::string_view uid = "alice") {
    return entry(order, Op::deduct, account(gold, uid), amount);
  }
  TypeId gold = make_type("gold");
};

TEST_F(BatchTest, each_entry_is_decided_on_its_own_in_order) {
  EXPECT_EQ(each({add("1", 5), deduct("2", 6), deduct("3", 2), add("1", 5), add("1", 6), add("4", 0),
                  entry("5", Op::add, account(99), 1)}),
            (Lines{"ok 0>5", "insufficient_balance 5>5", "ok 5>3", "ok 0>5 again", "order_conflict",
                   "invalid_request", "type_not_found"}));
  EXPECT_EQ(each({add("1", 5), deduct("2", 6), deduct("3", 2)}),
            (Lines{"ok 0>5 again", "insufficient_balance 5>5 again", "ok 5>3 again"}));
}

TEST_F(BatchTest, the_entries_of_an_account_keep_their_order_however_many_there_are) {
  // The age of an issued order must be looked up first, which delays the first hundred entries.
  auto const issued = test::run(io, ledger.issue_order(gold)).value();
  Ledger another(redis, shared);
  std::vector<Entry> entries{add(issued.str(), 1)};
  for (int i = 0; i < 149; ++i) entries.push_back(add(fmt::format("p{}", i), 1));
  entries.push_back(deduct("d", 150));
  auto const results = test::run(io, another.post_each(entries));
  EXPECT_EQ(brief(results.front()), "ok 0>1");
  EXPECT_EQ(brief(results.back()), "ok 150>0");
}

TEST_F(BatchTest, what_fails_in_the_middle_does_not_say_that_nothing_happened) {
  auto first = add("1", 5);
  first.expires_at = clock.now() + 1000;
  shared.wake_projector = [this](std::size_t) {
    if (server.running()) server.kill();
  };
  auto const is_unknown = [&] {
    try {
      // The age of the second order must be looked up, because it looks like an issued order. So
      // it has not been sent yet.
      each({first, add(fmt::format("7:{}", gold * 1000), 5)});
    } catch (StoreError const& error) {
      return error.outcome_unknown();
    }
    ADD_FAILURE() << "done";
    return false;
  };
  EXPECT_TRUE(is_unknown());
  EXPECT_FALSE(is_unknown());  // now Redis is unavailable from the start
}

TEST_F(BatchTest, without_one_of_its_outboxes_no_entry_takes_effect) {
  std::map<std::string, std::string> users;  // one for each outbox
  for (int i = 0; users.size() < shared.keys.outboxes().size(); ++i) {
    auto const uid = fmt::format("u{}", i);
    users.emplace(outbox(uid), uid);
  }
  std::vector<Entry> entries;
  for (auto const& [outbox, uid] : users) entries.push_back(add(uid, 5, uid));
  server.cli({"DEL", users.rbegin()->first});
  auto const before = all_keys();
  try {
    each(entries);
    ADD_FAILURE() << "posted";
  } catch (LostError const& error) {
    EXPECT_FALSE(error.outcome_unknown());
  }
  EXPECT_EQ(all_keys(), before);
}

TEST_F(BatchTest, the_time_of_every_entry_is_measured) {
  auto const measured = [&](Op op) {
    return metrics.seconds("larder_ledger_seconds", "", {{"op", std::string(name_of(op))}})
        .Collect()
        .histogram.sample_count;
  };
  each({deduct("1", 5), add("2", 5), add("3", 5)});
  EXPECT_EQ(measured(Op::add), 2u);
  EXPECT_EQ(measured(Op::deduct), 1u);
  all({add("4", 5), deduct("5", 5)});
  EXPECT_EQ(measured(Op::add), 3u);
  EXPECT_EQ(measured(Op::deduct), 2u);
}

TEST_F(BatchTest, all_are_done_or_none) {
  EXPECT_EQ(all({add("1", 5), add("2", 7, "bob"), deduct("3", 3), deduct("4", 7, "bob")}),
            "ok 0>5, ok 0>7, ok 5>2, ok 7>0");
  auto const before = all_keys();
  EXPECT_EQ(all({add("5", 5), deduct("6", 100), add("7", 1)}), "batch_refused 1 insufficient_balance");
  EXPECT_EQ(all({add("5", 5), add("6", limits::amount_max)}), "batch_refused 1 balance_limit");
  EXPECT_EQ(all({add("5", 5), entry("6", Op::add, account(99), 1)}), "batch_refused 1 type_not_found");
  EXPECT_EQ(all({add("5", 5), add("6", 0)}), "batch_refused 1 invalid_request");
  EXPECT_EQ(all_keys(), before);
  EXPECT_EQ(balance(account(gold)), 2);
  // So the same orders can succeed later.
  EXPECT_EQ(all({add("5", 100), deduct("6", 100)}), "ok 2>102, ok 102>2");
  EXPECT_EQ(history(account(gold)),
            (Lines{"add 5 0>5", "deduct 3 5>2", "add 100 2>102", "deduct 100 102>2"}));
}

TEST_F(BatchTest, a_replayed_batch_replays_entry_by_entry) {
  std::vector<Entry> const batch{add("1", 5), deduct("2", 3), add("1", 5)};
  EXPECT_EQ(all(batch), "ok 0>5, ok 5>2, ok 0>5 again");
  EXPECT_EQ(all(batch), "ok 0>5 again, ok 5>2 again, ok 0>5 again");
  EXPECT_EQ(all({add("1", 5), add("3", 1)}), "ok 0>5 again, ok 2>3");
  EXPECT_EQ(balance(account(gold)), 3);
}

TEST_F(BatchTest, orders_that_were_used_otherwise_refuse_the_whole) {
  post(add("1", 5));
  post(deduct("2", 9));
  EXPECT_EQ(all({add("3", 1), add("1", 6)}), "batch_refused 1 order_conflict");
  EXPECT_EQ(all({add("3", 1), deduct("1", 5)}), "batch_refused 1 order_conflict");
  EXPECT_EQ(all({add("3", 1), deduct("2", 9)}), "batch_refused 1 insufficient_balance");
  EXPECT_EQ(all({add("3", 1), add("3", 2)}), "batch_refused 1 order_conflict");
  auto lot = add("1", 5);
  lot.expires_at = clock.now() + 1000;
  EXPECT_EQ(all({add("3", 1), lot}), "batch_refused 1 order_conflict");
  EXPECT_EQ(balance(account(gold)), 5);
}

TEST_F(BatchTest, entries_see_the_lots_of_those_before_them) {
  auto soon = add("1", 5);
  soon.expires_at = clock.now() + 1000;
  auto later = add("2", 5);
  later.expires_at = clock.now() + 2000;
  post(soon);
  auto const more = [&](std::string_view order, std::int64_t amount, std::int64_t in) {
    auto made = add(order, amount);
    made.expires_at = clock.now() + in;
    return made;
  };
  EXPECT_EQ(
      all({later, deduct("3", 7), more("4", 1, 500), more("5", 1, 1000), deduct("6", 1), deduct("7", 2)}),
      "ok 5>10, ok 10>3, ok 3>4, ok 4>5, ok 5>4, ok 4>2");
  clock.advance(1999);
  EXPECT_EQ(balance(account(gold)), 2);
  clock.advance(1);
  EXPECT_EQ(balance(account(gold)), 0);
  history(account(gold));
}

TEST_F(BatchTest, of_one_entry_leaves_no_trace_either_when_it_is_refused) {
  auto const before = all_keys();
  EXPECT_EQ(all({deduct("1", 5)}), "batch_refused 0 insufficient_balance");
  EXPECT_EQ(all({add("1", 0)}), "batch_refused 0 invalid_request");
  EXPECT_EQ(all_keys(), before);
  post(add("2", 5));
  EXPECT_EQ(all({deduct("1", 5)}), "ok 5>0");
  EXPECT_EQ(all({deduct("1", 5)}), "ok 5>0 again");
  EXPECT_EQ(all({deduct("1", 6)}), "batch_refused 0 order_conflict");
}

TEST_F(BatchTest, a_thousand_entries_of_a_thousand_users_are_one) {
  std::vector<Entry> entries;
  for (int i = 0; i < 1000; ++i) entries.push_back(add(fmt::format("o{}", i), 1, fmt::format("u{}", i)));
  EXPECT_EQ(test::run(io, ledger.post_all(entries)).value().size(), 1000u);
  EXPECT_EQ(balance(account(gold, "u999")), 1);
}

TEST_F(BatchTest, all_whose_accounts_are_due_are_settled_once_before_them) {
  constexpr int users = 500;
  auto const lots_of = [&](int count, std::string_view word) {
    std::vector<Entry> lots;
    for (int i = 0; i < count; ++i) {
      lots.push_back(add(fmt::format("{}{}", word, i), 2, fmt::format("{}{}", word, i)));
      lots.back().expires_at = clock.now() + 1000;
    }
    for (auto const& line : each(std::move(lots))) ASSERT_EQ(line, "ok 0>2");
  };
  auto const calls = [&] {
    auto const stats = server.cli({"INFO", "commandstats"});
    constexpr std::string_view name = "cmdstat_evalsha:calls=";
    return std::stoll(stats.substr(stats.find(name) + name.size()));
  };
  lots_of(1, "first");
  lots_of(users, "u");
  clock.advance(1000);
  EXPECT_EQ(balance(account(gold, "first0")), 0);  // Redis knows all scripts now

  std::vector<Entry> entries;
  for (int i = 0; i < users; ++i) entries.push_back(add(fmt::format("o{}", i), 1, fmt::format("u{}", i)));
  auto const before = calls();
  auto const receipts = test::run(io, ledger.post_all(std::move(entries)));
  ASSERT_TRUE(receipts);
  for (auto const& receipt : *receipts) EXPECT_EQ(receipt.outcome.balance.value(), 1);
  EXPECT_LE(calls() - before, users + 3);
  EXPECT_EQ(history(account(gold, "u0")), (Lines{"add 2 0>2", "expire 2 2>0", "add 1 0>1"}));
}

TEST(BatchOnACluster, must_stay_in_one_partition) {
  Keys const keys("", true);
  EXPECT_TRUE(keys.same_slot(UserId::from("a").value(), UserId::from("a").value()));
  EXPECT_FALSE(keys.same_slot(UserId::from("a").value(), UserId::from("b").value()));
  EXPECT_TRUE(Keys("", false).same_slot(UserId::from("a").value(), UserId::from("b").value()));
}

}  // namespace
}  // namespace larder::ledger
