// The end of a type, and another one.
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

class TypeEndsTest : public LedgerTest {
 protected:
  using Times = std::set<std::string>;
  TypeEndsTest() { start_projector(); }

  // When the keys of an account vanish, "-1": never.
  Times expiry(std::string_view uid, std::string_view domain = "main") {
    Times times;
    auto const keys = shared.keys.account(account(season, uid, domain));
    for (auto const& key : {keys.balance, keys.more, keys.expiring, keys.due}) {
      times.insert(server.cli({"PEXPIRETIME", key}));
    }
    times.erase("-2");  // no such key
    return times;
  }
  static Times a_day_after(TimeMs end) { return {std::to_string((end + day_ms).value)}; }
  std::string change(TypeChange change) {
    auto const changed = test::run(io, ledger.change_type(season, std::move(change)));
    return changed ? "ok" : std::string(changed.error().code.name);
  }

  TimeMs end = clock.now() + 3'600'000;
  TypeId season = make_type("season", {}, end);
};

TEST_F(TypeEndsTest, another_end_reaches_the_keys_of_all_accounts) {
  auto lot = entry("1", Op::add, account(season, "alice", "eu:shop"), 5);
  lot.expires_at = end + 1000;
  post(lot);
  for (int i = 0; i < 20; ++i) post(entry("1", Op::add, account(season, fmt::format("u{}", i)), 5));
  EXPECT_EQ(change({.ends_at = end + 1000}), "ok");
  EXPECT_EQ(expiry("alice", "eu:shop"), a_day_after(end + 1000));
  EXPECT_EQ(expiry("u7"), a_day_after(end + 1000));
  EXPECT_EQ(change({.clears_ends_at = true}), "ok");
  EXPECT_EQ(expiry("alice", "eu:shop"), Times{"-1"});
  EXPECT_EQ(expiry("u19"), Times{"-1"});
}

TEST_F(TypeEndsTest, a_type_ended_by_mistake_goes_on_with_its_points) {
  post(entry("1", Op::add, account(season), 5));
  EXPECT_EQ(change({.ends_at = TimeMs{1}}), "ok");
  EXPECT_EQ(test::run(io, ledger.type(season))->ends_at, clock.now()) << "what was counted cannot be undone";
  EXPECT_EQ(expiry("alice"), a_day_after(clock.now()));
  EXPECT_EQ(post(entry("2", Op::add, account(season), 5)), "type_not_active");
  EXPECT_EQ(balance(account(season)), 0);
  auto const ended = clock.now();
  clock.advance(1000);
  EXPECT_EQ(change({.ends_at = TimeMs{1}}), "ok");  // a retry
  EXPECT_EQ(test::run(io, ledger.type(season))->ends_at, ended);
  EXPECT_EQ(change({.clears_ends_at = true}), "ok");
  EXPECT_EQ(balance(account(season)), 5);
}

TEST_F(TypeEndsTest, a_type_that_ended_by_itself_goes_on_only_while_its_points_are_there) {
  post(entry("1", Op::add, account(season), 5));
  EXPECT_EQ(expiry("alice"), a_day_after(end));
  clock.advance(end - clock.now());
  EXPECT_EQ(balance(account(season)), 0);
  EXPECT_EQ(change({.ends_at = end + 2 * day_ms}), "ok");
  EXPECT_EQ(balance(account(season)), 5);
  EXPECT_EQ(expiry("alice"), a_day_after(end + 2 * day_ms));
  clock.advance(2 * day_ms + reopened_within_ms);
  EXPECT_EQ(change({.ends_at = clock.now() + day_ms}), "type_over");
  EXPECT_EQ(change({.clears_ends_at = true}), "type_over");
  EXPECT_EQ(change({.remark = "it was good"}), "ok");
  EXPECT_EQ(change({.ends_at = end}), "ok");  // over is over
  EXPECT_EQ(test::run(io, ledger.type(season))->ends_at, end + 2 * day_ms);
}

TEST_F(TypeEndsTest, a_lot_that_is_not_in_the_balance_takes_nothing_that_is_not_there) {
  auto lot = entry("1", Op::add, account(season), 100);
  lot.expires_at = clock.now() + 1000;
  post(lot);
  server.cli({"SET", shared.keys.balance(account(season)), "5"});
  clock.advance(1000);
  EXPECT_EQ(balance(account(season)), 0);
  EXPECT_EQ(flows({.uid = account(season).uid, .limit = 1}).at(0).outcome.change(), -5);
}

}  // namespace
}  // namespace larder::ledger
