// The flows of all users and their sums, on each database.
#include "support/run.hpp"
#include "support/sql_databases.hpp"
#include "systems/ledger/ledger_journal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>

namespace larder::ledger {
namespace {

using Lines = std::vector<std::string>;

class HistoryTest : public test::OnEachDatabase {
 protected:
  explicit HistoryTest(std::int64_t flow_tables = 3) : journal(sql, flow_tables) { journal.migrate_now(); }

  // "ok add <type> main 5 0 5 <at> <uid> <order> remark"
  static events::Event event(std::string id, std::string entry, std::string more = "") {
    events::Event made{.id = std::move(id), .fields = {{"entry", std::move(entry)}}};
    if (!more.empty()) made.fields.emplace_back("more", std::move(more));
    return made;
  }
  void write(std::vector<events::Event> const& events) {
    sql.write_now([&](sql::Session& session) { journal.write_flows(session, events); });
  }
  // One flow of a new user at this time.
  void add(std::int64_t ms, std::int64_t sequence, std::string_view uid, std::int64_t amount = 1,
           TypeId type = 1) {
    write({event(fmt::format("{}-{}", ms, sequence),
                 fmt::format("ok add {} main {} 0 {} {} {} o{} ", type, amount, amount, ms, uid, ms))});
  }
  // "<id> <uid>", newest first.
  static Lines lines_of(HistoryPage const& page) {
    Lines lines;
    for (auto const& flow : page.flows)
      lines.push_back(fmt::format("{} {}", flow.flow.id.str(), flow.uid.str()));
    return lines;
  }
  Lines history(HistoryQuery query) { return lines_of(test::run(io, journal.history(std::move(query)))); }
  // All pages. Every page but the last has a cursor.
  Lines pages(HistoryQuery query) {
    Lines all;
    for (int i = 0; i < 10'000; ++i) {
      auto const page = test::run(io, journal.history(query));
      std::ranges::move(lines_of(page), std::back_inserter(all));
      if (!page.next) return all;
      query.before = page.next;
    }
    ADD_FAILURE() << "the list has no end";
    return all;
  }
  bool count(std::int64_t until) { return test::run(io, journal.count_flows({until})).has_value(); }
  Sums sums(TypeId type = 1) { return test::run(io, journal.totals()).by_type[type]; }
  std::int64_t counted_ms() { return test::run(io, journal.totals()).mark.counted_ms; }

  asio::io_context io;
  Metrics metrics;
  sql::Database sql{url, 2, metrics};
  Journal journal;
};
LARDER_ON_EACH_DATABASE(HistoryTest);

class ManyTablesTest : public HistoryTest {
 protected:
  ManyTablesTest() : HistoryTest(100) {
    std::vector<events::Event> many;
    for (int i = 1; i <= 10'000; ++i)
      many.push_back(event(fmt::format("{}-0", i),
                           fmt::format("ok add {} main 1 0 1 1 user{} o{} ", i == 1 ? 2 : 1, i % 1000, i)));
    write(many);
  }
};
INSTANTIATE_TEST_SUITE_P(, ManyTablesTest, testing::Values("sqlite"), test::database_name);

TEST_P(ManyTablesTest, a_call_with_a_filter_does_not_read_much_of_each) {
  auto const page = test::run(io, journal.history({.type = 2}));
  EXPECT_TRUE(page.flows.empty());
  ASSERT_TRUE(page.next);
  EXPECT_GT(page.next->id.ms, 2000);
  EXPECT_EQ(pages({.type = 2}), Lines{"1-0 user1"});
}

TEST_P(ManyTablesTest, pages_without_a_filter_are_full) {
  for (std::int64_t const limit : {1, 40, 500}) {
    HistoryQuery query{.limit = limit};
    for (std::int64_t ms = 10'000; ms > 10'000 - 3 * limit; ms -= limit) {
      auto const page = test::run(io, journal.history(query));
      ASSERT_EQ(std::int64_t(page.flows.size()), limit);
      EXPECT_EQ(page.flows.front().flow.id.ms, ms);
      EXPECT_EQ(page.flows.back().flow.id.ms, ms - limit + 1);
      query.before = page.next;
    }
  }
  EXPECT_EQ(pages({.limit = 500}).size(), 10'000U);
}

TEST_P(ManyTablesTest, a_page_without_a_filter_is_full_even_if_all_flows_are_in_one_of_them) {
  std::vector<events::Event> many;
  for (int i = 1; i <= 700; ++i)
    many.push_back(event(fmt::format("{}-0", 20'000 + i), fmt::format("ok add 1 main 1 0 1 1 eve e{} ", i)));
  write(many);
  auto const page = test::run(io, journal.history({.limit = 500}));
  ASSERT_EQ(page.flows.size(), 500U);
  EXPECT_EQ(page.flows.back().flow.id.ms, 20'201);
  EXPECT_TRUE(page.next);
}

TEST_P(ManyTablesTest, sums_are_counted_without_reading_much_of_each_at_once) {
  EXPECT_FALSE(count(100'000));
  EXPECT_LT(counted_ms(), 8000);
  int portions = 1;
  while (!count(100'000)) ++portions;
  EXPECT_LT(portions, 20);
  EXPECT_EQ(sums(), (Sums{.outstanding = 9999}));
  EXPECT_EQ(sums(2), (Sums{.outstanding = 1}));
}

TEST_P(HistoryTest, flows_of_all_users_come_by_time_whatever_table_they_are_in) {
  add(1000, 0, "alice");
  add(3000, 0, "bob");
  add(2000, 0, "carol");
  add(2000, 1, "dave");
  EXPECT_EQ(history({}), (Lines{"3000-0 bob", "2000-1 dave", "2000-0 carol", "1000-0 alice"}));
  EXPECT_EQ(history({.from = TimeMs{2000}, .to = TimeMs{3000}}), (Lines{"2000-1 dave", "2000-0 carol"}));
  EXPECT_EQ(history({.from = TimeMs{3001}}), Lines{});
}

TEST_P(HistoryTest, pages_of_any_size_show_each_flow_once_even_if_ids_are_equal) {
  // Outboxes give ids independently, so several users may have the same.
  std::vector<std::string> const users{"A", "B", "a", "b", "zoe", "Zoe", "u_1", "u-1", "u.1", "1"};
  for (std::int64_t ms = 1; ms <= 5; ++ms) {
    for (auto const& user : users) add(ms, 7, user);
  }
  auto const all = pages({.limit = 500});
  EXPECT_EQ(all.size(), 50U);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 50U);
  for (std::int64_t limit : {1, 2, 3, 7, 49, 50, 51}) EXPECT_EQ(pages({.limit = limit}), all) << limit;
}

TEST_P(HistoryTest, a_filter_chooses_by_type_domain_and_kind) {
  write({event("1-0", "ok add 1 main 5 0 5 1 alice o1 "), event("2-0", "ok add 2 main 5 0 5 2 alice o2 "),
         event("3-0", "ok deduct 1 main 1 5 4 3 alice o3 "), event("4-0", "ok add 1 other 5 0 5 4 bob o4 ")});
  EXPECT_EQ(history({.type = 1}), (Lines{"4-0 bob", "3-0 alice", "1-0 alice"}));
  EXPECT_EQ(history({.domain = Domain::from("main")}), (Lines{"3-0 alice", "2-0 alice", "1-0 alice"}));
  EXPECT_EQ(history({.op = Op::deduct}), (Lines{"3-0 alice"}));
  EXPECT_EQ(history({.type = 1, .domain = Domain::from("main"), .op = Op::add}), (Lines{"1-0 alice"}));
  EXPECT_EQ(pages({.type = 1, .limit = 1}), (Lines{"4-0 bob", "3-0 alice", "1-0 alice"}));
}

TEST_P(HistoryTest, a_filter_that_few_flows_pass_ends_its_pages_early_and_misses_nothing) {
  std::vector<events::Event> many;
  for (int i = 1; i <= 9000; ++i) {
    many.push_back(event(fmt::format("{}-0", i),
                         fmt::format("ok add {} main 1 0 1 {} user{} o ", i % 3000 == 1 ? 2 : 1, i, i % 40)));
  }
  write(many);
  EXPECT_LT(history({.type = 2, .limit = 3}).size(), 3U);
  EXPECT_EQ(pages({.type = 2, .limit = 3}), (Lines{"6001-0 user1", "3001-0 user1", "1-0 user1"}));
}

TEST_P(HistoryTest, accounts_of_a_user_are_those_with_a_flow) {
  write({event("1-0", "ok add 2 main 5 0 5 1 alice o1 "), event("2-0", "ok add 1 b:c 5 0 5 2 alice o2 "),
         event("3-0", "ok add 1 a 1 0 1 3 alice o3 "), event("4-0", "ok add 1 a 1 1 2 4 alice o4 "),
         event("5-0", "insufficient_balance deduct 3 x 5 0 0 4 alice o5 "),
         event("6-0", "ok add 1 z 5 0 5 4 bob o ")});
  auto const accounts = [&](AccountsQuery query) {
    Lines lines;
    for (auto const& account : test::run(io, journal.accounts_of_user(std::move(query))))
      lines.push_back(fmt::format("{} {}", account.type, account.domain.str()));
    return lines;
  };
  auto const alice = UserId::from("alice").value();
  EXPECT_EQ(accounts({.uid = alice}), (Lines{"1 a", "1 b:c", "2 main", "3 x"}));
  EXPECT_EQ(accounts({.uid = alice, .limit = 2}), (Lines{"1 a", "1 b:c"}));
  std::pair<TypeId, Domain> const place{1, Domain::from("b:c").value()};
  EXPECT_EQ(accounts({.uid = alice, .from = place}), (Lines{"1 b:c", "2 main", "3 x"}));
  EXPECT_EQ(accounts({.uid = alice, .from = place, .skips_first = true}), (Lines{"2 main", "3 x"}));
  EXPECT_EQ(accounts({.uid = UserId::from("nobody").value()}), Lines{});
}

TEST_P(HistoryTest, accounts_of_a_user_are_in_the_order_of_their_bytes) {
  Lines const in_order{"1 A", "1 B", "1 _", "1 a", "1 a-c", "1 aB", "1 ab"};
  for (auto i = in_order.size(); i-- > 0;)
    write({event(fmt::format("{}-0", 9 - i), fmt::format("ok add {} 5 0 5 2 alice o{} ", in_order[i], i))});
  AccountsQuery query{.uid = UserId::from("alice").value(), .skips_first = true, .limit = 1};
  Lines accounts;
  for (std::size_t i = 0; i <= in_order.size(); ++i) {
    for (auto const& account : test::run(io, journal.accounts_of_user(query))) {
      accounts.push_back(fmt::format("{} {}", account.type, account.domain.str()));
      query.from.emplace(account.type, account.domain);
    }
  }
  EXPECT_EQ(accounts, in_order);
}

TEST_P(HistoryTest, sums_are_counted_up_to_a_moment_and_each_flow_once) {
  add(1000, 0, "alice", 5);
  add(2000, 0, "bob", 7);
  add(3000, 0, "carol", 100, 2);
  EXPECT_EQ(sums(), Sums{});
  EXPECT_TRUE(count(2000));
  EXPECT_EQ(sums(), (Sums{.outstanding = 12}));
  EXPECT_EQ(sums(2), Sums{});
  EXPECT_EQ(counted_ms(), 2000);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(count(4000));
  EXPECT_EQ(sums(), (Sums{.outstanding = 12}));
  EXPECT_EQ(sums(2), (Sums{.outstanding = 100}));
  EXPECT_TRUE(count(1500));  // is counted already
  EXPECT_EQ(sums(), (Sums{.outstanding = 12}));
}

TEST_P(HistoryTest, an_idle_journal_writes_nothing_when_it_is_counted) {
  add(1000, 0, "alice", 5);
  EXPECT_TRUE(count(2000));
  EXPECT_TRUE(count(9000));
  EXPECT_EQ(counted_ms(), 2000);
  add(9500, 0, "alice", 5);
  EXPECT_TRUE(count(9600));
  EXPECT_EQ(sums(), (Sums{.outstanding = 10}));
}

TEST_P(HistoryTest, a_large_journal_is_counted_in_portions) {
  std::vector<events::Event> many;
  for (int i = 1; i <= 16'000; ++i)
    many.push_back(
        event(fmt::format("{}-0", i), fmt::format("ok add 1 main 1 0 1 1 user{} o{} ", i % 50, i)));
  write(many);
  int portions = 1;
  while (!count(100'000)) ++portions;
  EXPECT_GT(portions, 1);
  EXPECT_EQ(sums(), (Sums{.outstanding = 16'000}));
}

TEST_P(HistoryTest, very_many_flows_of_one_millisecond_are_one_portion) {
  std::vector<events::Event> many;
  for (int i = 0; i < 6000; ++i)
    many.push_back(event(fmt::format("5-{}", i), fmt::format("ok add 1 main 1 0 1 5 alice o{} ", i)));
  write(many);
  add(6, 0, "bob", 1);
  int portions = 1;
  while (!count(100)) ++portions;
  EXPECT_LE(portions, 3);
  EXPECT_EQ(sums(), (Sums{.outstanding = 6001}));
}

TEST_P(HistoryTest, servers_that_count_at_once_count_each_flow_once) {
  std::vector<events::Event> many;
  for (int i = 1; i <= 12'000; ++i)
    many.push_back(
        event(fmt::format("{}-0", i), fmt::format("ok add 1 main 1 0 1 1 user{} o{} ", i % 50, i)));
  write(many);
  auto const count_all = [&] {
    asio::io_context context;
    while (!test::run(context, journal.count_flows({100'000}))) {}
  };
  std::jthread const beside(count_all);
  std::jthread const there(count_all);
  count_all();
  EXPECT_EQ(sums(), (Sums{.outstanding = 12'000}));
}

TEST_P(HistoryTest, a_flow_from_before_the_mark_counts_after_the_totals_were_forgotten) {
  add(1000, 0, "alice", 5);
  EXPECT_TRUE(count(5000));
  auto const mark = test::run(io, journal.totals()).mark;
  sql.write_now([&](sql::Session& session) {
    journal.write_flows(session, std::vector{event("2000-0", "ok add 1 main 7 0 7 1 bob late ")});
    forget_totals(session);
  });
  // Whoever counts at this moment must not add to sums that are gone.
  EXPECT_FALSE(sql.write_now(
      [&](sql::Session& session) { return add_totals(session, mark, 9000, {{1, {.outstanding = 1}}}); }));
  EXPECT_EQ(sums(), Sums{});
  EXPECT_TRUE(count(5000));
  EXPECT_EQ(sums(), (Sums{.outstanding = 12}));
}

TEST_P(HistoryTest, sums_may_be_larger_than_a_number_of_64_bits) {
  Points const large = Points(limits::amount_max) * 3000;
  CountMark mark;
  for (int i = 1; i <= 2; ++i) {
    EXPECT_TRUE(sql.write_now([&](sql::Session& session) {
      return add_totals(session, mark, i, {{1, {.outstanding = large, .held = -large}}});
    }));
    mark.counted_ms = i;
  }
  EXPECT_EQ(sums(), (Sums{.outstanding = 2 * large, .held = -2 * large}));
}

TEST_P(HistoryTest, a_journal_of_the_previous_version_gets_its_index_and_its_totals) {
  add(1000, 0, "alice", 5);
  sql.write_now([&](sql::Session& session) {
    for (int i = 0; i < 3; ++i) {
      auto const on = session.dialect() == sql::Dialect::mysql ? fmt::format(" ON score_flow_{}", i) : "";
      session.execute(fmt::format("DROP INDEX score_flow_{}_by_time{}", i, on));
    }
    session.execute("DROP TABLE ledger_total");
    session.execute("DROP TABLE ledger_total_mark");
    session.execute("DELETE FROM schema_migration WHERE component = 'ledger' AND version = 6");
    session.execute("DELETE FROM schema_migration WHERE component = 'ledger_flows' AND version = 3");
  });
  journal.migrate_now();
  EXPECT_TRUE(count(2000));
  EXPECT_EQ(sums(), (Sums{.outstanding = 5}));
  EXPECT_EQ(history({}), Lines{"1000-0 alice"});
}

TEST(ChangeOfAFlow, says_where_points_go) {
  auto const outcome = [](std::string_view op, std::string_view amounts, std::string detail,
                          Status status = Status::ok) {
    Outcome made;
    made.status = status;
    made.op = Op(std::ranges::find(op_names, op) - std::begin(op_names));
    std::array<std::int64_t, 3> numbers{};
    std::istringstream(std::string(amounts)) >> numbers[0] >> numbers[1] >> numbers[2];
    made.amount = Amount::from(numbers[0]).value();
    made.old_balance = Amount::from(numbers[1]).value();
    made.balance = Amount::from(numbers[2]).value();
    made.at = {1000};
    made.detail = std::move(detail);
    return made;
  };
  EXPECT_EQ(change_of(outcome("add", "5 1 6", "")), (Sums{.outstanding = 5}));
  EXPECT_EQ(change_of(outcome("add", "5 1 6", "exp=2000")), (Sums{.outstanding = 5}));
  EXPECT_EQ(change_of(outcome("add", "5 1 6", "eff=1000 exp=0")), (Sums{.outstanding = 5}));
  EXPECT_EQ(change_of(outcome("add", "5 1 1", "eff=1001 exp=0")), (Sums{.waiting = 5}));
  EXPECT_EQ(change_of(outcome("mature", "5 1 6", "exp=0")), (Sums{.outstanding = 5, .waiting = -5}));
  EXPECT_EQ(change_of(outcome("reset", "0 9 0", "")), (Sums{.outstanding = -9}));
  EXPECT_EQ(change_of(outcome("hold", "4 9 5", "exp=0 state=open")), (Sums{.outstanding = -4, .held = 4}));
  EXPECT_EQ(change_of(outcome("capture", "3 5 5", "")), (Sums{.held = -3}));
  EXPECT_EQ(change_of(outcome("release", "1 5 6", "")), (Sums{.outstanding = 1, .held = -1}));
  EXPECT_EQ(change_of(outcome("transfer_out", "2 9 7", "to=bob to_balance=2")), (Sums{.outstanding = -2}));
  EXPECT_EQ(change_of(outcome("transfer_out", "2 9 7", "to=bob state=pending")),
            (Sums{.outstanding = -2, .pending = 2}));
  EXPECT_EQ(change_of(outcome("transfer_done", "2 7 7", "to=bob")), (Sums{.pending = -2}));
  EXPECT_EQ(change_of(outcome("transfer_return", "2 7 9", "return_of=t")),
            (Sums{.outstanding = 2, .pending = -2}));
  EXPECT_EQ(change_of(outcome("transfer_in", "2 0 2", "from=alice")), (Sums{.outstanding = 2}));
  EXPECT_EQ(change_of(outcome("expire", "2 9 7", "")), (Sums{.outstanding = -2}));
  EXPECT_EQ(change_of(outcome("opening", "2 0 2", "")), (Sums{.outstanding = 2}));
  EXPECT_EQ(change_of(outcome("hold", "4 3 3", "exp=0", Status::insufficient_balance)), Sums{});
}

}  // namespace
}  // namespace larder::ledger
