// Exports and forgets users.
#include "systems/ledger/ledger_privacy.hpp"

#include "kit/events/privacy/pseudonyms.hpp"
#include "kit/events/privacy/search_test.hpp"
#include "systems/ledger/audit/ledger_rebuild.hpp"
#include "systems/ledger/audit/reckoning_test.hpp"
#include "systems/ledger/ledger_scripts.hpp"

namespace larder::ledger {
namespace {

constexpr std::string_view forgotten_id = "80351110224678912";

class PrivacyTest : public ReckoningTest {
 protected:
  static UserId forgotten() { return user(forgotten_id); }
  static UserId pseudonym() { return privacy::pseudonym_of(std::string(64, '7'), forgotten(), 0); }
  Account own(TypeId type = 0) { return account(type == 0 ? gold : type, forgotten_id); }

  Transfer transfer(std::string_view id, std::string_view from, std::string_view to, std::int64_t points) {
    return {.order_id = order(id),
            .type = gold,
            .domain = Domain::from("main").value(),
            .from = user(from),
            .to = user(to),
            .amount = Amount::from(points).value(),
            .remark = "secret gift"};
  }
  // Everything that an account can have.
  void live() {
    post(entry("a1", Op::add, own(), 100, "secret remark"));
    auto lot = entry("a2", Op::add, own(), 10, "secret lot");
    lot.expires_at = clock.now() + 1'000'000;
    post(lot);
    auto later = entry("a3", Op::add, own(), 20, "secret later");
    later.effective_at = clock.now() + 1'000'000;
    post(later);
    post(entry("a4", Op::deduct, own(), 10'000));
    test::run(io, ledger.hold({.order_id = order(fmt::format("hold-{}", forgotten_id)),
                               .account = own(),
                               .amount = Amount::from(7).value(),
                               .expires_at = clock.now() + 2'000'000,
                               .remark = "secret hold"}));
    post(entry("b1", Op::add, account(gold, "bob"), 50, fmt::format("for inviting {}", forgotten_id)));
    EXPECT_TRUE(test::run(io, ledger.transfer(transfer("t1", forgotten_id, "bob", 5))));
    EXPECT_TRUE(
        test::run(io, ledger.transfer(transfer(fmt::format("to-{}", forgotten_id), "bob", forgotten_id, 6))));
    EXPECT_TRUE(test::run(io, ledger.exchange({.order_id = order("x1"),
                                               .uid = forgotten(),
                                               .domain = Domain::from("main").value(),
                                               .from_type = gold,
                                               .to_type = silver,
                                               .amount = Amount::from(4).value()})));
    journal_all();
  }
  void forget(UserId by = pseudonym()) {
    journal_all();  // with a thousand outboxes, the next look would take too long
    test::run(io, forget_user({redis, journal, keys(), clock}, {.user = forgotten(), .pseudonym = by}));
    journal_all();
  }
  std::string everything() { return privacy::redis_text(server) + privacy::sql_text(sql); }
  void expect_forgotten() {
    auto const all = everything();
    EXPECT_EQ(privacy::lines_with(all, forgotten_id), "");
    EXPECT_EQ(privacy::lines_with(all, "secret"), "");
  }
  // What all accounts of a type have together, by the journal.
  std::map<std::int64_t, std::int64_t> totals() {
    std::map<std::int64_t, std::int64_t> sums;
    auto const rows = sql.read_now([](sql::Session& session) {
      return session.query(
          "SELECT type_id, SUM(change_amount) FROM (SELECT * FROM score_flow_0 UNION ALL SELECT * FROM "
          "score_flow_1) AS flows GROUP BY type_id");
    });
    for (auto const& row : rows) sums[row.int64(0)] = row.int64(1);
    return sums;
  }
};
INSTANTIATE_TEST_SUITE_P(slots, PrivacyTest, testing::Values(Slots::one, Slots::two));

TEST_P(PrivacyTest, afterwards_nothing_of_the_id_is_left_and_everything_fits) {
  live();
  ASSERT_EQ(differences(), Lines{});
  auto const before = view(own());
  auto const sums = totals();
  ASSERT_EQ(sums.size(), 2U);
  forget();
  expect_forgotten();
  EXPECT_EQ(differences(), Lines{});
  EXPECT_EQ(totals(), sums);
  auto const after = view(account(gold, pseudonym().str()));
  EXPECT_EQ(after.balance, before.balance);
  EXPECT_EQ(after.held, before.held);
  EXPECT_EQ(after.waiting, before.waiting);
  EXPECT_EQ(after.lots.size(), before.lots.size());
  EXPECT_EQ(balance(own()), 0);
}

TEST_P(PrivacyTest, a_repetition_changes_nothing) {
  live();
  forget();
  auto const all = everything();
  forget();
  EXPECT_EQ(everything(), all);
}

TEST_P(PrivacyTest, lots_and_holds_of_the_pseudonym_go_on) {
  live();
  forget();
  clock.advance(3'000'000);
  auto const after = view(account(gold, pseudonym().str()));
  EXPECT_EQ(after.held.value(), 0);
  EXPECT_EQ(after.waiting.value(), 0);
  journal_all();
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(PrivacyTest, who_comes_back_is_somebody_else) {
  live();
  forget();
  EXPECT_EQ(post(entry("a1", Op::add, own(), 3)), "ok 0>3");  // the order is free again
  journal_all();
  EXPECT_EQ(differences(), Lines{});
  forget();  // the same job once more: what is new stays
  EXPECT_EQ(balance(own()), 3);
  forget(privacy::pseudonym_of(std::string(64, '7'), forgotten(), 1));
  expect_forgotten();
  EXPECT_EQ(differences(), Lines{});
}

// A crash: the account has changed hands, but SQL does not know yet.
TEST_P(PrivacyTest, a_job_that_was_cut_off_goes_on) {
  live();
  test::run(io, redis.run(redis::Use::idempotent_write,
                          scripts::forget_account(keys(), own(), pseudonym(), clock.now())));
  test::run(io, redis.run(redis::Use::idempotent_write,
                          scripts::forget_account(keys(), own(), pseudonym(), clock.now())));
  EXPECT_EQ(post(entry("new", Op::add, own(), 3)), "ok 0>3");  // meanwhile somebody new begins
  forget();
  EXPECT_EQ(balance(own()), 3);
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(PrivacyTest, dead_and_lost_events_lose_the_id) {
  live();
  auto const box = shard(forgotten_id).outbox;
  auto const words = fmt::format("ok add 1 main 1 0 1 5 {} d1 secret", forgotten_id);
  server.cli({"XADD", box + ":dead", "*", "event", "1-1", "why", "bad", "entry", words});
  server.cli({"XADD", box + ":lost", "*", "entry", words});
  std::vector<std::string> sections;
  test::run(io, export_user({redis, journal, keys(), clock}, forgotten(),
                            [&](std::string_view section, json::object const&) {
                              if (sections.empty() || sections.back() != section)
                                sections.emplace_back(section);
                            }));
  EXPECT_EQ(sections, (std::vector<std::string>{"accounts", "flows", "set_aside"}));
  forget();
  expect_forgotten();
}

TEST_P(PrivacyTest, a_rebuild_gives_the_forgotten_state) {
  live();
  forget();
  test::RedisServer other;
  redis::Redis other_redis{
      io, {.url = redis::parse_url(other.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
  test::run(io, rebuild(other_redis, journal, keys(), clock,
                        {.problem = [](std::string const& line) { ADD_FAILURE() << line; }}));
  EXPECT_EQ(privacy::lines_with(privacy::redis_text(other), forgotten_id), "");
  Lines lines;
  test::run(io, verify(other_redis, journal, keys(), clock,
                       {.difference = [&](std::string const& line) { lines.push_back(line); },
                        .journal_patience = 0ms}));
  EXPECT_EQ(lines, Lines{});
}

}  // namespace
}  // namespace larder::ledger
