#include "systems/ledger/ledger_journal.hpp"

#include "support/run.hpp"
#include "support/sql_databases.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace larder::ledger {
namespace {

class JournalTest : public test::OnEachDatabase {
 protected:
  JournalTest() { journal.migrate_now(); }

  static events::Event event(std::string id, std::string entry) {
    return {.id = std::move(id), .fields = {{"entry", std::move(entry)}}};
  }
  void write(std::vector<events::Event> const& events) {
    sql.write_now([&](sql::Session& session) { journal.write_flows(session, events); });
  }
  // "order status old>new remark", newest first.
  std::vector<std::string> flows(FlowQuery const& query) {
    std::vector<std::string> lines;
    for (auto const& flow : test::run(io, journal.flows(query))) {
      lines.push_back(fmt::format("{} {} {}>{} {}", flow.order_id.str(), name_of(flow.outcome.status),
                                  flow.outcome.old_balance.value(), flow.outcome.balance.value(),
                                  flow.remark));
    }
    return lines;
  }
  static UserId uid(std::string_view text) { return UserId::from(text).value(); }

  asio::io_context io;
  Metrics metrics;
  sql::Database sql{url, 2, metrics};
  Journal journal{sql, 2};
};

using Lines = std::vector<std::string>;

TEST_P(JournalTest, a_second_start_finds_its_tables_and_refuses_another_number_of_them) {
  Journal(sql, 2).migrate_now();
  EXPECT_THROW(Journal(sql, 3).migrate_now(), SetupError);
  Journal(sql, 2).migrate_now();
}

TEST_P(JournalTest, types_are_kept_whole_and_have_unique_names) {
  ScoreType type{.name = "Spaß 🍕",
                 .starts_at = TimeMs{1},
                 .ends_at = TimeMs{2},
                 .order_ttl_days = 3,
                 .order_age_days_max = 4,
                 .remark = "it's \\ \"so\" :x ?",
                 .created_at = TimeMs{1700000000000}};
  auto const made = test::run(io, journal.create_type(type));
  ASSERT_TRUE(made);
  auto const again = test::run(io, journal.create_type(type));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, errors::type_exists);
  // Names that differ only in case are two names.
  type.name = "SPAß 🍕";
  EXPECT_TRUE(test::run(io, journal.create_type(type)));
  auto const all = test::run(io, journal.types());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].id, made->id);
  EXPECT_EQ(all[0].name, "Spaß 🍕");
  EXPECT_EQ(all[0].starts_at, TimeMs{1});
  EXPECT_EQ(all[0].ends_at, TimeMs{2});
  EXPECT_EQ(all[0].order_ttl_days, 3);
  EXPECT_EQ(all[0].order_age_days_max, 4);
  EXPECT_EQ(all[0].remark, "it's \\ \"so\" :x ?");
  EXPECT_EQ(all[0].created_at, TimeMs{1700000000000});
}

TEST_P(JournalTest, an_event_becomes_one_flow_however_often_it_is_written) {
  auto const first = event("5-1", "ok add 1 main 5 0 5 1700000000000 alice o1 a gift, it's 'so' \\ 🍕");
  write({first});
  write({first, event("5-2", "insufficient_balance deduct 1 main 9 5 5 1700000000001 alice o2 ")});
  write({first});
  EXPECT_EQ(flows({.uid = uid("alice")}),
            (Lines{"o2 insufficient_balance 5>5 ", "o1 ok 0>5 a gift, it's 'so' \\ 🍕"}));
  EXPECT_EQ(flows({.uid = uid("Alice")}), Lines{});
}

TEST_P(JournalTest, flows_come_newest_first_in_the_order_of_their_events) {
  std::vector<events::Event> batch;
  for (int i = 0; i < 12; ++i) {
    batch.push_back(event(fmt::format("7-{}", i), fmt::format("ok add {} {} 1 {} {} {} bob o{} r", i % 2 + 1,
                                                              i % 3 == 0 ? "a" : "b", i, i + 1, 100 + i, i)));
  }
  write(batch);
  EXPECT_EQ(flows({.uid = uid("bob"), .limit = 2}), (Lines{"o11 ok 11>12 r", "o10 ok 10>11 r"}));
  EXPECT_EQ(flows({.uid = uid("bob"), .before = FlowId{.ms = 7, .sequence = 10}, .limit = 2}),
            (Lines{"o9 ok 9>10 r", "o8 ok 8>9 r"}));
  EXPECT_EQ(flows({.uid = uid("bob"), .type = 2, .domain = Domain::from("a").value()}),
            (Lines{"o9 ok 9>10 r", "o3 ok 3>4 r"}));
  EXPECT_EQ(flows({.uid = uid("bob"), .from = TimeMs{104}, .to = TimeMs{106}}),
            (Lines{"o5 ok 5>6 r", "o4 ok 4>5 r"}));
}

TEST_P(JournalTest, the_largest_amounts_and_longest_texts_fit) {
  auto const max = limits::amount_max;
  std::string const user(limits::uid_chars_max, 'u');
  std::string const order(limits::order_id_chars_max, 'o');
  std::string remark;
  for (std::size_t i = 0; i < limits::remark_chars_max; ++i) remark += "🍕";
  write({event("99999999999999-1",
               fmt::format("balance_limit add 1 {} {} {} {} 1 {} {} {}",
                           std::string(limits::domain_chars_max, 'd'), max, max, max, user, order, remark))});
  EXPECT_EQ(flows({.uid = uid(user)}),
            (Lines{fmt::format("{} balance_limit {}>{} {}", order, max, max, remark)}));
}

TEST_P(JournalTest, pages_of_any_size_give_every_flow_once_user_by_user) {
  std::map<std::string, Lines> expected;
  for (std::string const user : {"alice", "Alice", "al", "bob", "b.o@b", "b|ob", "zoe_1"}) {
    std::vector<events::Event> batch;
    for (int i = 0; i < 7; ++i) {
      // Several flows in one millisecond. For equal ids, the order id decides.
      auto const order = fmt::format("{}{}", i % 2 ? "o" : "x", 9 - i);
      auto const id = fmt::format("{}-{}", 5 + i / 3, i / 2);
      batch.push_back(event(id, fmt::format("ok add 1 main 1 {} {} 17 {} {} r", i, i + 1, user, order)));
      expected[user].push_back(fmt::format("{} {}", id, order));
    }
    write(batch);
    std::ranges::sort(expected[user]);
  }
  for (int const size : {1, 2, 3, 7, 10, 1000}) {
    std::map<std::string, Lines> found;
    std::size_t changes = 0;
    for (std::int64_t table = 0; table < journal.flow_tables(); ++table) {
      std::optional<UserFlow> last;
      for (;;) {
        auto const page = test::run(io, journal.page(table, last, size));
        if (page.empty()) break;
        for (auto const& [user, flow] : page) {
          if (!last || last->uid != user) ++changes;
          found[user.str()].push_back(fmt::format("{} {}", flow.id.str(), flow.order_id.str()));
          last = UserFlow{.uid = user, .flow = flow};
        }
      }
    }
    EXPECT_EQ(found, expected) << size;
    EXPECT_EQ(changes, expected.size()) << size;
    Lines alices;
    std::optional<UserFlow> last;
    for (;;) {
      auto const page = test::run(io, journal.page_of(uid("alice"), last, size));
      if (page.empty()) break;
      for (auto const& [user, flow] : page)
        alices.push_back(fmt::format("{} {}", flow.id.str(), flow.order_id.str()));
      last = page.back();
    }
    EXPECT_EQ(alices, expected["alice"]) << size;
  }
}

TEST_P(JournalTest, knows_which_accounts_and_orders_have_flows) {
  std::vector<Account> accounts;
  std::vector<OrderClue> orders;
  std::vector<bool> known;
  for (int i = 0; i < 500; ++i) {
    auto const user = fmt::format("u{}", i / 2);
    known.push_back(i % 3 != 0);
    if (known.back()) {
      write({event(fmt::format("{}-0", 1000 + i),
                   fmt::format("ok add {} main 1 0 1 17 {} o{} r", i, user, i))});
    }
    accounts.push_back({.type = i, .domain = Domain::from("main").value(), .uid = uid(user)});
    orders.push_back({.uid = uid(user),
                      .order_id = OrderId::from(fmt::format("o{}", i)).value(),
                      .op = Op::add,
                      .from_ms = 1000 + i,
                      .to_ms = 1000 + i});
  }
  EXPECT_EQ(test::run(io, journal.has_accounts(accounts)), known);
  EXPECT_EQ(test::run(io, journal.has_orders(orders)), known);
  EXPECT_EQ(test::run(io, journal.has_accounts({})), std::vector<bool>{});
  EXPECT_EQ(test::run(io, journal.has_orders({})), std::vector<bool>{});
  OrderClue const here = orders[1];
  auto other_op = here;
  other_op.op = Op::hold;
  auto too_early = here;
  too_early.from_ms = too_early.to_ms = 1000;
  EXPECT_EQ(test::run(io, journal.has_orders({here})), std::vector<bool>{true});
  EXPECT_EQ(test::run(io, journal.has_orders({other_op})), std::vector<bool>{false});
  EXPECT_EQ(test::run(io, journal.has_orders({too_early})), std::vector<bool>{false});
}

TEST_P(JournalTest, finds_the_users_of_an_order_in_every_table) {
  std::vector<std::string> expected;
  for (int i = 0; i < 6; ++i) {
    auto const user = fmt::format("u{}", i);
    write(
        {event(fmt::format("{}-0", 1000 + i), fmt::format("ok add 1 main 1 0 1 17 {} gift r", user)),
         event(fmt::format("{}-1", 1000 + i), fmt::format("ok add 1 main 1 1 2 17 {} gift r", user)),
         event(fmt::format("{}-2", 1000 + i), fmt::format("ok add 1 main 1 1 2 17 {} other-{} r", user, i))});
    expected.push_back(user);
  }
  auto const users_of = [&](std::string_view order, std::int64_t limit) {
    std::vector<std::string> users;
    for (auto const& user : test::run(io, journal.users_of_order(OrderId::from(order).value(), limit)))
      users.push_back(user.str());
    std::ranges::sort(users);
    return users;
  };
  EXPECT_EQ(users_of("gift", 20), expected);
  EXPECT_EQ(users_of("gift", 4).size(), 4U);
  EXPECT_EQ(users_of("other-3", 20), std::vector<std::string>{"u3"});
  EXPECT_EQ(users_of("GIFT", 20), std::vector<std::string>{}) << "order ids differ in case";
  EXPECT_TRUE(test::run(io, journal.has_flows(uid("u1"))));
  EXPECT_FALSE(test::run(io, journal.has_flows(uid("nobody"))));
}

LARDER_ON_EACH_DATABASE(JournalTest);

}  // namespace
}  // namespace larder::ledger
