// Takes the balances of an existing installation in.
#include "systems/ledger/ledger_adoption.hpp"

#include "kit/presence/presence.hpp"
#include "systems/ledger/audit/ledger_rebuild.hpp"
#include "systems/ledger/audit/reckoning_test.hpp"

namespace larder::ledger {
namespace {

class AdoptionTest : public ReckoningTest {
 protected:
  struct CutOff {};

  void write(std::string_view uid, std::string const& value) { server.cli({"SET", balance_key(uid), value}); }
  // "2 with 8; known 0; refused 0"
  std::string adopt_all(bool dry_run = false) {
    refused.clear();
    auto const report = test::run(
        io, adopt(redis, journal, keys(), clock,
                  {.dry_run = dry_run, .refused = [this](auto const& line) { refused.push_back(line); }}));
    std::ranges::sort(refused);
    return fmt::format("{} with {}; known {}; refused {}", report.adopted, report.points, report.known,
                       report.refused);
  }
  // Why a server cannot start; empty if it can.
  std::string why_not() {
    presence::Presence a_server(io, redis);
    try {
      test::run(io, a_server.enter());
      test::run(io, a_server.leave());
    } catch (SetupError const& error) {
      return std::string(error.what());
    }
    return std::string();
  }
  std::string vanishes_at(std::string const& key) { return server.cli({"PEXPIRETIME", key}); }
  Lines refused;
};

TEST_P(AdoptionTest, gives_every_balance_a_first_flow_once) {
  write("alice", "7");
  write("bob", "1");
  write("carol", "0");
  EXPECT_EQ(adopt_all(), "3 with 8; known 0; refused 0");
  EXPECT_EQ(adopt_all(), "0 with 0; known 3; refused 0") << "the flows are in the outbox";
  journal_all();
  EXPECT_EQ(adopt_all(), "0 with 0; known 3; refused 0") << "the flows are in the journal";
  EXPECT_EQ(differences(), Lines{});
  EXPECT_EQ(post(entry("1", Op::deduct, account(gold), 2)), "ok 7>5");
  EXPECT_EQ(history(account(gold)), (Lines{"opening 7 0>7", "deduct 2 7>5"}));
  EXPECT_EQ(history(account(gold, "carol")), (Lines{"opening 0 0>0"}));
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(AdoptionTest, a_rebuild_brings_adopted_balances_back) {
  write("alice", "7");
  adopt_all();
  journal_all();
  test::run(io, projector->stop());
  projector.reset();
  server.cli({"FLUSHALL"});
  test::run(io, rebuild(redis, journal, keys(), clock, {}));
  EXPECT_EQ(balance(account(gold)), 7);
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(AdoptionTest, a_dry_run_writes_nothing) {
  write("alice", "7");
  write("bob", "x");
  auto const before = all_keys();
  EXPECT_EQ(adopt_all(true), "1 with 7; known 0; refused 1");
  EXPECT_EQ(all_keys(), before);
  EXPECT_EQ(adopt_all(), "1 with 7; known 0; refused 1");
}

TEST_P(AdoptionTest, names_the_keys_that_it_cannot_take_in) {
  auto const other = keys().balance(account(99));
  server.cli({"SET", other, "5"});
  write("alice", "1.5");
  server.cli({"HSET", balance_key("bob"), "a", "b"});
  write("carol", "3");
  EXPECT_EQ(adopt_all(), "1 with 3; known 0; refused 3");
  Lines expected{other + ": there is no type 99; create it first",
                 balance_key("alice") + ": it is not a whole number from 0 to 9007199254740991",
                 balance_key("bob") + ": it is not a whole number from 0 to 9007199254740991"};
  std::ranges::sort(expected);
  EXPECT_EQ(refused, expected);
  EXPECT_EQ(server.cli({"GET", balance_key("alice")}), "1.5");
}

TEST_P(AdoptionTest, leaves_accounts_that_have_flows_alone) {
  write("alice", "7");
  EXPECT_EQ(post(entry("1", Op::add, account(gold, "bob"), 4)), "ok 0>4");
  EXPECT_EQ(adopt_all(), "1 with 7; known 1; refused 0");
  EXPECT_EQ(history(account(gold, "bob")), Lines{"add 4 0>4"});
}

TEST_P(AdoptionTest, waits_until_no_server_is_running) {
  write("alice", "7");
  server.cli({"SET", std::string(presence::server_prefix) + "x", "host, process 1"});
  EXPECT_THROW(adopt_all(), SetupError);
  EXPECT_EQ(waiting("alice"), "0");
  EXPECT_EQ(server.cli({"EXISTS", "larder:rebuilding"}), "0");
}

TEST_P(AdoptionTest, keeps_servers_out_meanwhile) {
  write("alice", "7");
  std::string closed_by;
  auto const note = [&](AdoptReport const&) { closed_by = server.cli({"GET", "larder:rebuilding"}); };
  test::run(io, adopt(redis, journal, keys(), clock, {.progress = note}));
  EXPECT_EQ(closed_by, "ledger adopt");
  EXPECT_EQ(why_not(), "");

  server.cli({"SET", "larder:rebuilding", "ledger adopt"});  // killed
  EXPECT_TRUE(why_not().contains("`larder ledger adopt`")) << why_not();
  EXPECT_THROW(test::run(io, rebuild(redis, journal, keys(), clock, {})), SetupError);
  EXPECT_EQ(adopt_all(), "0 with 0; known 1; refused 0");
  EXPECT_EQ(why_not(), "");

  server.cli({"SET", "larder:rebuilding", "economy"});
  EXPECT_THROW(adopt_all(), SetupError);
  EXPECT_EQ(server.cli({"GET", "larder:rebuilding"}), "economy");
}

TEST_P(AdoptionTest, a_failure_after_a_balance_was_taken_in_keeps_servers_out) {
  write("alice", "7");
  write("bob", "x");
  auto const fail = [](AdoptReport const&) { throw StoreError("SQL is unavailable", false); };
  for (int run = 0; run < 2; ++run) {  // the second one fails before it takes anything in
    try {
      test::run(io, adopt(redis, journal, keys(), clock, {.progress = fail}));
      FAIL() << "it did not fail";
    } catch (StoreError const& error) {
      std::string_view const what = error.what();
      EXPECT_TRUE(what.contains("SQL is unavailable")) << what;
      EXPECT_TRUE(what.contains("run `larder ledger adopt` again")) << what;
    }
    EXPECT_TRUE(why_not().contains("`larder ledger adopt`")) << why_not();
  }
  EXPECT_THROW(
      test::run(io, adopt(redis, journal, keys(), clock, {.progress = [](auto&) { throw CutOff{}; }})),
      CutOff);
  write("carol", "2");
  // Redis scans in an order of its own: bob may have come before alice each time.
  auto const report = adopt_all();
  EXPECT_TRUE(report == "1 with 2; known 1; refused 1" || report == "2 with 9; known 0; refused 1") << report;
  EXPECT_EQ(why_not(), "");
  server.cli({"DEL", balance_key("bob")});
  journal_all();
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(AdoptionTest, a_failure_before_any_balance_is_taken_in_lets_servers_start) {
  server.cli({"SET", keys().balance(account(99)), "5"});  // is refused, because it has no type
  EXPECT_THROW(
      test::run(io, adopt(redis, journal, keys(), clock, {.progress = [](auto&) { throw CutOff{}; }})),
      CutOff);
  EXPECT_EQ(why_not(), "");
}

TEST_P(AdoptionTest, every_balance_vanishes_when_its_type_says_so) {
  auto const season = make_type("season", {}, clock.now() + 1000);
  for (std::string const points : {"0", "7"}) {
    server.cli({"SET", keys().balance(account(season, "u" + points)), points});
    server.cli({"SET", keys().balance(account(gold, "u" + points)), points, "PX", "1000000"});
  }
  EXPECT_EQ(adopt_all(), "4 with 14; known 0; refused 0");
  auto const end = fmt::to_string((clock.now() + 1000 + day_ms).value);
  for (std::string const uid : {"u0", "u7"}) {
    EXPECT_EQ(vanishes_at(keys().balance(account(season, uid))), end) << uid;
    EXPECT_EQ(vanishes_at(keys().balance(account(gold, uid))), "-1") << uid;
  }
  journal_all();
  EXPECT_EQ(differences(), Lines{});
}

TEST_P(AdoptionTest, verify_does_not_ask_for_flows_of_orders_of_the_original_service) {
  server.cli({"SET", order_key("a"), "1_1_2_5_7"});
  server.cli({"LPUSH", order_key("b"), "x"});
  server.cli({"HSET", balance_key("bob"), "a", "b"});
  EXPECT_EQ(differences(),
            (Lines{"account bob 1 main: balance of another type in Redis, no flow in the journal",
                   "order alice b: 'of another type' in Redis, no flow in the journal"}));
}

LARDER_IN_ONE_AND_MANY_SLOTS(AdoptionTest);

}  // namespace
}  // namespace larder::ledger
