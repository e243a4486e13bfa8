#include "base/when_all.hpp"
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

TEST_F(LedgerTest, entries_change_the_balance_or_are_refused_by_name) {
  auto const gold = make_type("gold");
  struct Case {
    std::string order;
    Op op;
    std::int64_t amount;
    std::string want;
  };
  auto const max = limits::amount_max;
  std::vector<Case> const cases = {
      {"1", Op::deduct, 1, "insufficient_balance 0>0"},
      {"2", Op::add, 5, "ok 0>5"},
      {"3", Op::deduct, 6, "insufficient_balance 5>5"},
      {"4", Op::deduct, 5, "ok 5>0"},
      {"5", Op::add, 0, "invalid_request"},
      {"6", Op::deduct, 0, "invalid_request"},
      {"7", Op::reset, 100, "ok 0>100"},
      {"8", Op::reset, 0, "ok 100>0"},
      {"9", Op::add, max, fmt::format("ok 0>{}", max)},
      {"10", Op::add, 1, fmt::format("balance_limit {}>{}", max, max)},
      {"11", Op::add, max, fmt::format("balance_limit {}>{}", max, max)},
      {"12", Op::deduct, 1, fmt::format("ok {}>{}", max, max - 1)},
      {"13", Op::add, 1, fmt::format("ok {}>{}", max - 1, max)},
      {"14", Op::reset, 100'000'000'000'000, fmt::format("ok {}>100000000000000", max)},
      {"15", Op::add, 1, "ok 100000000000000>100000000000001"},
      {"16", Op::reset, max, fmt::format("ok 100000000000001>{}", max)},
      {"17", Op::deduct, max, fmt::format("ok {}>0", max)},
  };
  for (auto const& [order, op, amount, want] : cases) {
    EXPECT_EQ(post(entry(order, op, account(gold), amount)), want) << order;
  }
  EXPECT_EQ(balance(account(gold)), 0);
  EXPECT_EQ(waiting("alice"), "15");  // every decided order, including the refused ones
}

TEST_F(LedgerTest, keys_values_and_times_to_live_are_the_documented_ones) {
  auto const gold = make_type("gold");
  auto const ends_at = clock.now() + 10 * day_ms;
  auto const event = make_type("event", {}, ends_at);
  EXPECT_EQ(post(entry("o1", Op::add, account(gold), 5, "a gift")), "ok 0>5");
  EXPECT_EQ(post(entry("o2", Op::add, account(event, "alice", "eu:west"), 7)), "ok 0>7");
  EXPECT_EQ(all_keys(),
            (std::set<std::string>{"{alice}:main:1:score", "{alice}:eu:west:2:score", "{alice}:o1:score_os",
                                   "{alice}:o2:score_os", outbox("alice")}));
  EXPECT_EQ(server.cli({"GET", "{alice}:main:1:score"}), "5");
  EXPECT_EQ(server.cli({"GET", "{alice}:o1:score_os"}),
            fmt::format("ok add 1 main 5 0 5 {}", clock.now().value));
  EXPECT_EQ(server.cli({"PTTL", "{alice}:main:1:score"}), "-1");
  EXPECT_EQ(server.cli({"PEXPIRETIME", "{alice}:eu:west:2:score"}), std::to_string((ends_at + day_ms).value));
  auto const ttl_ms = std::stoll(server.cli({"PTTL", "{alice}:o1:score_os"}));
  EXPECT_LE(ttl_ms, 3 * day_ms);
  EXPECT_GT(ttl_ms, 2 * day_ms);
  EXPECT_EQ(server.cli({"PTTL", outbox("alice")}), "-1");
  auto const event_fields =
      test::run(io, redis.command(redis::Use::read, "", {"XRANGE", outbox("alice"), "-", "+", "COUNT", "1"}));
  auto const fields = event_fields.at(0).at(1);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < fields.size(); ++i) words.emplace_back(fields.at(i).text());
  EXPECT_EQ(words, (std::vector<std::string>{
                       "entry", fmt::format("ok add 1 main 5 0 5 {} alice o1 a gift", clock.now().value)}));
}

TEST_F(LedgerTest, a_refused_entry_leaves_no_key) {
  auto const later = make_type("later", clock.now() + 1);
  auto const gold = make_type("gold");
  EXPECT_EQ(post(entry("o", Op::add, account(99), 1)), "type_not_found");
  EXPECT_EQ(post(entry("o", Op::add, account(gold), 0)), "invalid_request");
  EXPECT_EQ(post(entry("o", Op::add, account(later), 1)), "type_not_active");
  EXPECT_EQ(all_keys(), std::set<std::string>{});
}

// C++ callers are checked, too: whatever the scripts or the journal could not take is refused before.
TEST_F(LedgerTest, fields_out_of_range_are_refused_by_name) {
  auto const gold = make_type("gold");
  auto const silver = make_type("silver");
  auto const field = [](auto const& result) {
    if (result) return std::string("none");
    EXPECT_EQ(result.error().code, larder::errors::invalid_request);
    return result.error().field;
  };
  auto const run = [&](auto task) { return field(test::run(io, std::move(task))); };
  ScoreType const good{.name = "copper", .remark = {}, .created_at = {}};
  auto const type_with = [&](auto change) {
    auto type = good;
    change(type);
    return run(ledger.create_type(type));
  };
  std::string const longest(limits::remark_chars_max, 'x');
  EXPECT_EQ(type_with([](auto& type) { type.name = ""; }), "name");
  EXPECT_EQ(type_with([](auto& type) { type.name = "\xFF"; }), "name");
  EXPECT_EQ(type_with([](auto& type) { type.order_ttl_days = 0; }), "order_ttl_days");
  EXPECT_EQ(type_with([](auto& type) { type.order_age_days_max = -1; }), "order_age_days_max");
  EXPECT_EQ(type_with([&](auto& type) { type.remark = longest + "x"; }), "remark");
  EXPECT_EQ(type_with([](auto& type) { type.starts_at = type.ends_at = TimeMs{5}; }), "ends_at");
  EXPECT_EQ(run(ledger.change_type(gold, {.order_ttl_days = 0})), "order_ttl_days");
  EXPECT_EQ(run(ledger.set_rate({.from = gold, .to = silver, .numerator = 0})), "numerator");
  EXPECT_EQ(run(ledger.set_rate({.from = gold, .to = silver, .denominator = 0})), "denominator");
  EXPECT_EQ(run(ledger.post(entry("o", Op::hold, account(gold), 1))), "op");
  EXPECT_EQ(run(ledger.post(entry("o", Op::add, account(gold), 1, longest))), "none");
  for (std::string const& remark : {longest + "x", std::string("a\0b", 3), std::string("caf\xE9")}) {
    EXPECT_EQ(run(ledger.post(entry("p", Op::add, account(gold), 1, remark))), "remark");
    EXPECT_EQ(field(test::run(io, ledger.post_each({entry("p", Op::add, account(gold), 1, remark)})).at(0)),
              "remark");
    EXPECT_EQ(run(ledger.hold({.order_id = OrderId::from("p").value(),
                               .account = account(gold),
                               .amount = Amount::from(1).value(),
                               .expires_at = {},
                               .remark = remark})),
              "remark");
    EXPECT_EQ(run(ledger.transfer({.order_id = OrderId::from("p").value(),
                                   .type = gold,
                                   .domain = account(gold).domain,
                                   .from = account(gold).uid,
                                   .to = UserId::from("bob").value(),
                                   .amount = Amount::from(1).value(),
                                   .remark = remark})),
              "remark");
  }
  EXPECT_EQ(waiting("alice"), "1");
}

TEST_F(LedgerTest, a_replay_answers_as_the_first_time_and_changes_nothing) {
  auto const gold = make_type("gold");
  EXPECT_EQ(post(entry("o", Op::add, account(gold), 5)), "ok 0>5");
  auto const first_at = clock.now();
  EXPECT_EQ(post(entry("p", Op::add, account(gold), 1)), "ok 5>6");
  clock.advance(1000);
  auto const receipt =
      test::run(io, ledger.post(entry("o", Op::add, account(gold), 5, "other words"))).value();
  EXPECT_TRUE(receipt.replayed);
  EXPECT_EQ(receipt.outcome.old_balance.value(), 0);
  EXPECT_EQ(receipt.outcome.balance.value(), 5);
  EXPECT_EQ(receipt.outcome.at, first_at);
  EXPECT_EQ(balance(account(gold)), 6);
  EXPECT_EQ(waiting("alice"), "2");
  // The same order id of another user is another order.
  EXPECT_EQ(post(entry("o", Op::add, account(gold, "bob"), 5)), "ok 0>5");
}

TEST_F(LedgerTest, a_refusal_is_remembered) {
  auto const gold = make_type("gold");
  EXPECT_EQ(post(entry("o", Op::deduct, account(gold), 5)), "insufficient_balance 0>0");
  EXPECT_EQ(post(entry("p", Op::add, account(gold), 100)), "ok 0>100");
  EXPECT_EQ(post(entry("o", Op::deduct, account(gold), 5)), "insufficient_balance 0>0 again");
  EXPECT_EQ(balance(account(gold)), 100);
}

TEST_F(LedgerTest, an_order_used_for_something_else_is_a_conflict_that_names_the_fields) {
  auto const gold = make_type("gold");
  auto const silver = make_type("silver");
  EXPECT_EQ(post(entry("o", Op::add, account(gold), 5)), "ok 0>5");
  auto const before = all_keys();
  auto const conflict =
      test::run(io, ledger.post(entry("o", Op::deduct, account(silver, "alice", "shop"), 6)));
  ASSERT_FALSE(conflict);
  EXPECT_EQ(conflict.error().code, errors::order_conflict);
  EXPECT_EQ(boost::json::serialize(conflict.error().more.at("fields")), R"(["op","type","domain","amount"])");
  EXPECT_EQ(all_keys(), before);
  EXPECT_EQ(waiting("alice"), "1");
  EXPECT_EQ(balance(account(gold)), 5);
}

TEST_F(LedgerTest, a_type_counts_only_in_its_time_and_still_answers_replays_afterwards) {
  auto const event = make_type("event", clock.now() + 1000, clock.now() + 2000);
  EXPECT_EQ(post(entry("o", Op::add, account(event), 5)), "type_not_active");
  clock.advance(1000);
  EXPECT_EQ(post(entry("o", Op::add, account(event), 5)), "ok 0>5");
  EXPECT_EQ(post(entry("p", Op::deduct, account(event), 9)), "insufficient_balance 5>5");
  clock.advance(1000);
  EXPECT_EQ(post(entry("o", Op::add, account(event), 5)), "ok 0>5 again");
  EXPECT_EQ(post(entry("p", Op::deduct, account(event), 9)), "insufficient_balance 5>5 again");
  EXPECT_EQ(post(entry("o", Op::add, account(event), 6)), "order_conflict");
  EXPECT_EQ(post(entry("q", Op::add, account(event), 5)), "type_not_active");
}

TEST_F(LedgerTest, types_have_unique_names_and_are_known_to_everybody) {
  auto const gold = make_type("gold");
  auto const again = test::run(
      io,
      ledger.create_type({.name = "gold", .starts_at = {}, .ends_at = {}, .remark = {}, .created_at = {}}));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, errors::type_exists);
  make_type("silver", TimeMs{5}, TimeMs{6});
  auto const types = test::run(io, ledger.types());
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types[0].name, "gold");
  EXPECT_EQ(types[0].starts_at, std::nullopt);
  EXPECT_EQ(types[0].order_ttl_days, 3);
  EXPECT_EQ(types[0].created_at, clock.now());
  EXPECT_EQ(types[1].starts_at, TimeMs{5});
  EXPECT_EQ(types[1].ends_at, TimeMs{6});
  EXPECT_EQ(test::run(io, ledger.type(gold)).value().name, "gold");
  EXPECT_EQ(test::run(io, ledger.type(99)).error().code, errors::type_not_found);
}

TEST_F(LedgerTest, a_type_that_another_larder_made_is_looked_up_at_most_once_a_second) {
  auto const gold = make_type("gold");
  Shared of_another{.keys = Keys("", false), .journal = journal, .clock = clock, .metrics = metrics};
  Ledger another(redis, of_another);
  EXPECT_EQ(test::run(io, another.type(gold)).value().name, "gold");
  auto const silver = make_type("silver");
  EXPECT_FALSE(test::run(io, another.type(silver)));
  clock.advance(1000);
  EXPECT_EQ(test::run(io, another.type(silver)).value().name, "silver");
}

TEST_F(LedgerTest, an_unknown_type_is_refused_by_every_operation) {
  EXPECT_EQ(test::run(io, ledger.account(account(99))).error().code, errors::type_not_found);
  EXPECT_EQ(test::run(io, ledger.issue_order(99)).error().code, errors::type_not_found);
  EXPECT_EQ(post(entry("o", Op::reset, account(99), 1)), "type_not_found");
}

TEST_F(LedgerTest, an_account_without_entries_has_nothing) {
  auto const gold = make_type("gold");
  EXPECT_EQ(balance(account(gold)), 0);
  EXPECT_EQ(all_keys(), std::set<std::string>{});
}

TEST_F(LedgerTest, an_order_can_be_looked_up) {
  auto const gold = make_type("gold");
  auto const alice = UserId::from("alice").value();
  auto const id = OrderId::from("o").value();
  EXPECT_EQ(test::run(io, ledger.order(alice, id)).error().code, errors::order_not_found);
  post(entry("o", Op::deduct, account(gold), 5));
  auto const outcome = test::run(io, ledger.order(alice, id)).value();
  EXPECT_EQ(outcome.status, Status::insufficient_balance);
  EXPECT_EQ(outcome.amount.value(), 5);
}

TEST_F(LedgerTest, issued_orders_are_unique_whoever_asks) {
  auto const gold = make_type("gold");
  auto const silver = make_type("silver");
  Ledger other(redis, shared);
  std::vector<Task<Result<OrderId>>> calls;
  for (int i = 0; i < 500; ++i) {
    calls.push_back(ledger.issue_order(gold));
    calls.push_back(other.issue_order(gold));
    calls.push_back(other.issue_order(silver));
  }
  std::set<std::string> issued;
  std::set<std::string> counters;
  for (auto const& order : test::run(io, when_all(std::move(calls)))) {
    auto const text = order.value().str();
    issued.insert(text);
    auto const shard = std::stoll(text.substr(text.find(':') + 1));
    counters.insert(fmt::format("{}:{}:score_sn", shard / 1000, shard));
    counters.insert(fmt::format("{}:{}:score_sn_hours", shard / 1000, shard));
  }
  EXPECT_EQ(issued.size(), 1500u);
  EXPECT_EQ(counters.size(), 64u);  // 16 shards for each of two types, each with its hours
  EXPECT_EQ(all_keys(), counters);
}

TEST_F(LedgerTest, an_issued_order_grows_too_old_before_it_can_be_forgotten) {
  auto const gold = make_type("gold");  // orders are remembered for 3 days
  auto const early = test::run(io, ledger.issue_order(gold)).value();
  auto const used = test::run(io, ledger.issue_order(gold)).value();
  EXPECT_EQ(post(entry(used.str(), Op::add, account(gold), 5)), "ok 0>5");
  clock.advance(2 * day_ms);
  auto const late = test::run(io, ledger.issue_order(gold)).value();
  clock.advance(day_ms - 2 * 3'600'000);
  Ledger another(redis, shared);  // this one has seen no mark yet
  EXPECT_EQ(brief(test::run(io, another.post(entry(early.str(), Op::deduct, account(gold, "bob"), 5)))),
            "insufficient_balance 0>0");
  clock.advance(2 * 3'600'000);
  EXPECT_EQ(post(entry(early.str(), Op::add, account(gold), 5)), "order_too_old");
  EXPECT_EQ(post(entry(used.str(), Op::add, account(gold), 5)), "ok 0>5 again");
  EXPECT_EQ(post(entry(late.str(), Op::add, account(gold), 5)), "ok 5>10");
  EXPECT_EQ(post(entry("own-1", Op::add, account(gold), 5)), "ok 10>15");
  EXPECT_EQ(post(entry(fmt::format("7:{}", gold * 1000 + 1000), Op::add, account(gold), 5)), "ok 15>20");
}

TEST_F(LedgerTest, a_longer_memory_does_not_make_forgotten_orders_usable_again) {
  auto const gold = make_type("gold");  // orders are remembered for 3 days
  auto const used = test::run(io, ledger.issue_order(gold)).value();
  EXPECT_EQ(post(entry(used.str(), Op::add, account(gold), 5)), "ok 0>5");
  clock.advance(2 * day_ms);
  auto const change =
      test::run(io, ledger.change_type(gold, {.order_ttl_days = 30, .order_age_days_max = 30}));
  ASSERT_TRUE(change);
  clock.advance(day_ms / 2);
  auto const later = test::run(io, ledger.issue_order(gold)).value();
  server.cli({"DEL", shared.keys.order(account(gold).uid, used)});  // as Redis does after 3 days
  clock.advance(day_ms);
  EXPECT_EQ(post(entry(used.str(), Op::add, account(gold), 5)), "order_too_old");
  clock.advance(20 * day_ms);
  EXPECT_EQ(post(entry(later.str(), Op::add, account(gold), 5)), "ok 5>10");
}

TEST_F(LedgerTest, flows_tell_everything_newest_first_in_pages) {
  start_projector();
  auto const gold = make_type("gold");
  auto const silver = make_type("silver");
  auto const start = clock.now();
  std::string const remark = "caf\xC3\xA9 'quoted' \\ \xF0\x9F\x8D\x95";
  post(entry("1", Op::add, account(gold), 5, remark));
  clock.advance(1000);
  post(entry("2", Op::deduct, account(gold), 9));
  clock.advance(1000);
  post(entry("3", Op::add, account(silver, "alice", "shop"), 3));
  post(entry("4", Op::add, account(gold, "bob"), 1));
  post(entry("1", Op::add, account(gold), 5));  // a replay makes no flow

  FlowQuery const alice{
      .uid = UserId::from("alice").value(), .type = {}, .domain = {}, .from = {}, .to = {}, .before = {}};
  auto const orders = [&](FlowQuery query) {
    std::vector<std::string> found;
    for (auto const& flow : flows(std::move(query))) found.push_back(flow.order_id.str());
    return found;
  };
  using Orders = std::vector<std::string>;
  EXPECT_EQ(orders(alice), (Orders{"3", "2", "1"}));
  auto const all = flows(alice);
  EXPECT_EQ(all[2].remark, remark);
  EXPECT_EQ(all[2].outcome.at, start);
  EXPECT_EQ(all[2].outcome.change(), 5);
  EXPECT_EQ(all[1].outcome.status, Status::insufficient_balance);
  EXPECT_EQ(all[1].outcome.amount.value(), 9);
  EXPECT_EQ(all[1].outcome.change(), 0);

  auto query = alice;
  query.type = gold;
  EXPECT_EQ(orders(query), (Orders{"2", "1"}));
  query = alice;
  query.domain = Domain::from("shop").value();
  EXPECT_EQ(orders(query), Orders{"3"});
  query = alice;
  query.from = start + 1000;
  EXPECT_EQ(orders(query), (Orders{"3", "2"}));
  query.to = start + 2000;
  EXPECT_EQ(orders(query), Orders{"2"});
  query = alice;
  query.limit = 2;
  EXPECT_EQ(orders(query), (Orders{"3", "2"}));
  query.before = all[1].id;
  EXPECT_EQ(orders(query), Orders{"1"});
  EXPECT_EQ(waiting("alice"), "0");
}

TEST_F(LedgerTest, the_number_of_flow_tables_stays_what_it_was) {
  Journal(sql, 2).migrate_now();
  try {
    Journal(sql, 3).migrate_now();
    ADD_FAILURE();
  } catch (SetupError const& error) {
    EXPECT_NE(std::string_view(error.what()).find("ledger.flow_tables = 2"), std::string_view::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace larder::ledger
