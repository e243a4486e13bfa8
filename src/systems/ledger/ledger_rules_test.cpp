#include "systems/ledger/ledger_rules.hpp"

#include "stores/redis/slot.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_state.hpp"
#include "systems/ledger/order_record.hpp"

#include <gtest/gtest.h>

#include <set>

namespace larder::ledger {
namespace {

constexpr TimeMs noon{1'700'000'000'000};

Account account(TypeId type, std::string_view domain, std::string_view uid) {
  return {.type = type, .domain = Domain::from(domain).value(), .uid = UserId::from(uid).value()};
}

Entry entry(Op op, std::int64_t amount) {
  return {.order_id = OrderId::from("o").value(),
          .op = op,
          .account = account(1, "main", "u"),
          .amount = Amount::from(amount).value(),
          .remark = ""};
}

TEST(LedgerRules, an_entry_is_refused_by_the_first_rule_it_breaks) {
  struct Case {
    std::string fact;
    Op op;
    std::int64_t amount;
    std::optional<TimeMs> starts_at;
    std::optional<TimeMs> ends_at;
    std::string_view refusal;  // empty: accepted
    std::string field = {};
  };
  std::vector<Case> const cases = {
      {"a plain add", Op::add, 1, {}, {}, ""},
      {"the largest amount", Op::add, limits::amount_max, {}, {}, ""},
      {"an add of nothing", Op::add, 0, {}, {}, "invalid_request", "amount"},
      {"a deduction of nothing", Op::deduct, 0, {}, {}, "invalid_request", "amount"},
      {"a reset to nothing", Op::reset, 0, {}, {}, ""},
      {"before the start", Op::add, 1, noon + 1, {}, "type_not_active"},
      {"at the start", Op::add, 1, noon, {}, ""},
      {"before the end", Op::add, 1, {}, noon + 1, ""},
      {"at the end", Op::add, 1, {}, noon, "type_not_active"},
      {"within its time", Op::deduct, 1, noon, noon + 1, ""},
      {"the amount counts first", Op::add, 0, noon + 1, {}, "invalid_request", "amount"},
  };
  for (auto const& test : cases) {
    SCOPED_TRACE(test.fact);
    ScoreType const type{.id = 1,
                         .name = "gold",
                         .starts_at = test.starts_at,
                         .ends_at = test.ends_at,
                         .remark = {},
                         .created_at = {}};
    auto refusal = problem_of_entry(entry(test.op, test.amount));
    if (!refusal) refusal = problem_of_inactive_type(type, noon);
    EXPECT_EQ(refusal ? refusal->code.name : "", test.refusal);
    EXPECT_EQ(refusal ? refusal->field : "", test.field);
  }
}

TEST(LedgerRules, a_replay_conflicts_in_the_fields_that_differ) {
  Outcome const first{.status = Status::insufficient_balance,
                      .op = Op::add,
                      .type = 1,
                      .domain = Domain::from("main").value(),
                      .amount = Amount::from(5).value(),
                      .old_balance = {},
                      .balance = {},
                      .at = noon};
  using Fields = std::vector<std::string_view>;
  auto same = entry(Op::add, 5);
  same.remark = "another reason";
  EXPECT_EQ(conflicting_fields(terms_of(same), first), Fields{});
  EXPECT_EQ(conflicting_fields(terms_of(entry(Op::deduct, 5)), first), Fields{"op"});
  EXPECT_EQ(conflicting_fields(terms_of(entry(Op::add, 6)), first), Fields{"amount"});
  auto other = entry(Op::reset, 6);
  other.account = account(2, "shop", "u");
  EXPECT_EQ(conflicting_fields(terms_of(other), first), (Fields{"op", "type", "domain", "amount"}));
}

TEST(LedgerRules, the_end_of_a_type_moves_as_long_as_its_points_are_there_for_certain) {
  struct Case {
    std::string fact;
    std::optional<TimeMs> old_end;
    std::optional<TimeMs> given;
    std::string want;  // the new end relative to noon, or the refusal
  };
  auto const gone = noon + -reopened_within_ms;
  std::vector<Case> const cases = {
      {"a first end", {}, noon + 5, "5"},
      {"a later end", noon + 5, noon + 6, "6"},
      {"an earlier end", noon + 6, noon + 5, "5"},
      {"no end", noon + 5, {}, "none"},
      {"an end in the past is now", noon + 5, noon + -5, "0"},
      {"it is over: it stays so", noon + -5, noon + -3, "-5"},
      {"it is over: it goes on", noon + -5, noon + 3, "3"},
      {"just in time", gone + 1, noon + 3, "3"},
      {"too late", gone, noon + 3, "type_over"},
      {"too late for none", gone, {}, "type_over"},
      {"too late, but nothing changes", gone, noon + -7, std::to_string(-reopened_within_ms)},
      {"before the start", {}, noon + -day_ms + -1, "invalid_request"},
  };
  for (auto const& test : cases) {
    SCOPED_TRACE(test.fact);
    ScoreType const type{.id = 1,
                         .name = "gold",
                         .starts_at = noon + -day_ms,
                         .ends_at = test.old_end,
                         .remark = {},
                         .created_at = {}};
    auto const after = changed(type, {.ends_at = test.given, .clears_ends_at = !test.given}, noon);
    EXPECT_EQ(!after            ? std::string(after.error().code.name)
              : !after->ends_at ? "none"
                                : std::to_string(*after->ends_at - noon),
              test.want);
  }
}

TEST(LedgerRules, orders_are_remembered_as_long_as_they_were_when_it_was_raised) {
  ScoreType type{.id = 1, .name = "gold", .order_ttl_days = 3, .remark = {}, .created_at = {}};
  auto const days = [&](TimeMs decided_at) { return days_surely_remembered(type, decided_at); };
  auto const set = [&](std::int64_t ttl, TimeMs now) {
    type = changed(type, {.order_ttl_days = ttl}, now).value();
  };
  using Days = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(days(noon), 3);
  set(10, noon);
  EXPECT_EQ(std::pair(days(noon + 1), days(noon + 3'600'000)), (Days{3, 10}));
  set(20, noon + day_ms);
  EXPECT_EQ(std::pair(days(noon + 3'600'000), days(noon + 2 * day_ms)), (Days{3, 20}));
  set(2, noon + 3 * day_ms);
  EXPECT_EQ(std::pair(days(noon), days(noon + 4 * day_ms)), (Days{2, 2}));
  set(5, noon + 5 * day_ms);
  EXPECT_EQ(std::pair(days(noon + 4 * day_ms), days(noon + 6 * day_ms)), (Days{2, 5}));
}

TEST(LedgerState, lots_are_never_more_than_the_balance_whatever_the_flows_say) {
  auto const flow = [](std::string_view record) {
    return Flow{.id = {.ms = 1, .sequence = 0},
                .order_id = OrderId::from("o").value(),
                .outcome = parse_record(record),
                .remark = {}};
  };
  AccountState state;
  EXPECT_EQ(state.apply(flow("ok add 1 main 60 0 60 1 exp=1000")), std::nullopt);
  EXPECT_EQ(state.apply(flow("ok add 1 main 40 60 100 1 exp=2000")), std::nullopt);
  EXPECT_NE(state.apply(flow("ok add 1 main 5 0 5 1")), std::nullopt);  // the other points were lost
  EXPECT_EQ(state, AccountState{.balance = 5});
  EXPECT_EQ(state.apply(flow("ok add 1 main 40 5 45 1 exp=2000")), std::nullopt);
  EXPECT_NE(state.apply(flow("ok add 1 main 5 45 30 1")), std::nullopt);
  EXPECT_EQ(state, (AccountState{.balance = 30, .lots = {{2000, 30}}}));
}

TEST(LedgerKeys, follow_the_format) {
  struct Case {
    std::string format;
    bool cluster;
    std::string balance;
    std::string order;
  };
  auto const user = account(12, "shop:eu", "alice");
  auto const partition = std::to_string(partition_of(user.uid));
  std::vector<Case> const cases = {
      {"", false, "{alice}:shop:eu:12:score", "{alice}:7:x:score_os"},
      {"", true, "{" + partition + "}:alice:shop:eu:12:score", "{" + partition + "}:alice:7:x:score_os"},
      {"<score_type>:<domain>:<uid>", false, "12:shop:eu:alice:score", "alice:7:x:score_os"},
      {"game:{<uid>}:<score_type>:<domain>", false, "game:{alice}:12:shop:eu:score",
       "game:{alice}:7:x:score_os"},
      {"<uid>:{<bucket>}:<domain>:<score_type>", true, "alice:{" + partition + "}:shop:eu:12:score",
       "alice:{" + partition + "}:7:x:score_os"},
  };
  for (auto const& [format, cluster, balance, order] : cases) {
    SCOPED_TRACE(format);
    Keys const keys(format, cluster);
    EXPECT_EQ(keys.balance(user), balance);
    EXPECT_EQ(keys.order(user.uid, OrderId::from("7:x").value()), order);
  }
  EXPECT_EQ(Keys::counter(12, 12003), "12:12003:score_sn");
}

TEST(LedgerKeys, refuse_a_format_that_could_mix_accounts_up) {
  struct Case {
    std::string format;
    bool cluster;
    std::string why;
  };
  std::vector<Case> const cases = {
      {"<domain>:<score_type>", false, "<uid> must stand in it once"},
      {"<uid>:<score_type>", false, "<domain> must stand in it once"},
      {"<uid>:<domain>", false, "<score_type> must stand in it once"},
      {"<uid>:<uid>:<domain>:<score_type>", false, "<uid> must stand in it once"},
      {"{<uid>}:<uid>:<domain>:<score_type>", false, "<uid> must stand in it once"},
      {"<uid><domain>:<score_type>", false, "<uid> must stand in it once"},
      {"x<uid>:<domain>:<score_type>", false, "<uid> must stand in it once"},
      {"{<uid>:<domain>}:<score_type>", false, "<uid> must stand in it once"},
      {"<uid>:<domain>:<score_type>:", false, "'' is neither"},
      {":<uid>:<domain>:<score_type>", false, "'' is neither"},
      {"<uid>::<domain>:<score_type>", false, "'' is neither"},
      {"{}:<uid>:<domain>:<score_type>", false, "'{}' is neither"},
      {"a b:<uid>:<domain>:<score_type>", false, "'a b' is neither"},
      {"<what>:<uid>:<domain>:<score_type>", false, "'<what>' is neither"},
      {"{<uid>}:{<domain>}:<score_type>", false, "only one hash tag"},
      {"{<uid>}:<domain>:<score_type>", true, "must contain the hash tag {<bucket>}"},
      {"<bucket>:<uid>:<domain>:<score_type>", true, "must contain the hash tag {<bucket>}"},
  };
  for (auto const& [format, cluster, why] : cases) {
    SCOPED_TRACE(format);
    try {
      Keys const keys(format, cluster);
      ADD_FAILURE() << "was accepted";
    } catch (SetupError const& error) {
      std::string const what = error.what();
      EXPECT_NE(what.find(why), what.npos) << what;
      EXPECT_NE(what.find("an example is {<"), what.npos) << what;
    }
  }
}

TEST(LedgerKeys, of_one_user_share_a_slot_on_a_cluster) {
  Keys const keys("", true);
  EXPECT_EQ(keys.outboxes().size(), 1024u);
  for (int i = 0; i < 1000; ++i) {
    auto const user = account(i, "main", fmt::format("user{}", i));
    auto const slot = redis::slot_of(keys.balance(user));
    EXPECT_EQ(redis::slot_of(keys.order(user.uid, OrderId::from("o").value())), slot);
    EXPECT_EQ(redis::slot_of(keys.arrival(user.uid, UserId::from("x").value(), OrderId::from("o").value())),
              slot);
    auto const& shard = keys.shards()[keys.shard_of(user.uid)];
    for (auto const& key : {shard.outbox, shard.schedule, shard.relay, shard.open_holds}) {
      EXPECT_EQ(redis::slot_of(key), slot);
    }
    auto const account_keys = keys.account(user);
    for (auto const& key : {account_keys.more, account_keys.expiring, account_keys.due}) {
      EXPECT_EQ(redis::slot_of(key), slot);
    }
  }
}

TEST(LedgerKeys, a_users_partition_never_changes) {
  // Stored flows and outboxes depend on these values.
  EXPECT_EQ(partition_of(UserId::from("foo").value()), 12182 % 1024);
  EXPECT_EQ(partition_of(UserId::from("bar").value()), 5061 % 1024);
  EXPECT_EQ(Keys("", false).outboxes(), (std::vector<std::string>{"{0}:score_outbox", "{1}:score_outbox",
                                                                  "{2}:score_outbox", "{3}:score_outbox"}));
}

}  // namespace
}  // namespace larder::ledger
