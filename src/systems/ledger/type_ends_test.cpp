// The end of a type, and changes of that end.
#include "systems/ledger/type_ends.hpp"

#include "systems/ledger/ledger_background.hpp"
#include "systems/ledger/ledger_scripts.hpp"
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

class TypeEndsTest : public LedgerTest {
 protected:
  using Times = std::set<std::string>;
  TypeEndsTest() { start_projector(); }

  // When the keys of an account vanish; "-1": never.
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

  // How often Redis has written anything.
  std::int64_t changes() {
    auto const info = server.cli({"INFO", "persistence"});
    constexpr std::string_view name = "rdb_changes_since_last_save:";
    return std::stoll(info.substr(info.find(name) + name.size()));
  }

  // Lets transfers go from slot to slot.
  void use_many_slots() {
    if (projector) test::run(io, projector->stop());
    use_keys(Keys("", true));
    projector.reset();
    start_projector();
  }
  static OrderId order(std::string_view id) { return OrderId::from(id).value(); }
  static Amount points(std::int64_t amount) { return Amount::from(amount).value(); }
  std::string hold(std::string_view id, std::int64_t amount, std::optional<TimeMs> expires_at = {}) {
    return brief(test::run(io, ledger.hold({.order_id = order(id),
                                            .account = account(season),
                                            .amount = points(amount),
                                            .expires_at = expires_at,
                                            .remark = {}})));
  }

  UserId bob = UserId::from("bob").value();
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
  EXPECT_EQ(change({.ends_at = end}), "ok");  // a type that is over stays over
  EXPECT_EQ(test::run(io, ledger.type(season))->ends_at, end + 2 * day_ms);
}

// If the answer to the first call was lost, WAIT must also cover what that call has written.
TEST_F(TypeEndsTest, a_call_that_comes_again_writes_again) {
  post(entry("1", Op::add, account(season), 5));
  hold("h", 1);
  EXPECT_EQ(change({.clears_ends_at = true}), "ok");
  test::run(io, projector->stop());
  auto const type = test::run(io, ledger.type(season)).value();
  auto const& keys = shared.keys;
  auto const& shard = keys.shards()[keys.shard_of(account(season).uid)];
  for (auto const& call :
       {scripts::raise_revision(shard, type), scripts::renew_account(keys, account(season), type),
        scripts::renew_order(keys, account(season), type, "h:h")}) {
    auto const before = changes();
    test::run(io, redis.run(redis::Use::idempotent_write, call));
    EXPECT_GT(changes(), before) << call.script().name();
  }
  EXPECT_EQ(expiry("alice"), Times{"-1"});
  EXPECT_EQ(server.cli({"PTTL", shard.revision(season)}), "-1");
  EXPECT_EQ(server.cli({"PTTL", keys.order(account(season).uid, order("h"))}), "-1");
}

TEST_F(TypeEndsTest, after_the_end_there_was_nothing) {
  post(entry("1", Op::add, account(season), 5));
  clock.advance(day_ms);
  auto const at = [&](TimeMs time) {
    return test::run(io, ledger.balance_at(account(season), time)).value().value();
  };
  EXPECT_EQ(at(end + -1), 5);
  EXPECT_EQ(at(end), 0);
  EXPECT_EQ(at(clock.now()), 0);
}

TEST_F(TypeEndsTest, open_holds_and_transfers_under_way_are_remembered_until_another_end_too) {
  use_many_slots();
  auto const alice = account(season).uid;
  post(entry("1", Op::add, account(season), 10));
  EXPECT_EQ(hold("h", 1), "ok 10>9");
  EXPECT_EQ(hold("timed", 1, end + -1000), "ok 9>8");
  EXPECT_EQ(hold("closed", 1), "ok 8>7");
  EXPECT_TRUE(test::run(io, ledger.release(alice, order("closed"))));
  auto const bobs_outbox = outbox("bob");
  server.cli({"SET", bobs_outbox, "not a stream"});
  EXPECT_THROW(test::run(io, ledger.transfer({.order_id = order("t"),
                                              .type = season,
                                              .domain = Domain::from("main").value(),
                                              .from = alice,
                                              .to = bob,
                                              .amount = points(3),
                                              .remark = {}})),
               redis::ReplyError);
  server.cli({"DEL", bobs_outbox});
  auto const forgotten_at = [&](std::string_view id) {
    return server.cli({"PEXPIRETIME", shared.keys.order(alice, order(id))});
  };
  auto const timed = forgotten_at("timed");
  auto const closed = forgotten_at("closed");
  auto const later = end + 30 * day_ms;
  EXPECT_EQ(change({.ends_at = later}), "ok");
  auto const after_the_end = std::to_string((later + day_ms + 3 * day_ms).value);
  EXPECT_EQ(forgotten_at("h"), after_the_end);
  EXPECT_EQ(forgotten_at("t"), after_the_end);
  EXPECT_EQ(forgotten_at("timed"), timed);
  EXPECT_EQ(forgotten_at("closed"), closed);
  EXPECT_EQ(change({.clears_ends_at = true}), "ok");
  EXPECT_EQ(forgotten_at("h"), "-1");
  EXPECT_EQ(forgotten_at("t"), "-1");
}

TEST_F(TypeEndsTest, the_order_of_a_hold_that_was_closed_meanwhile_stays_as_it_is) {
  post(entry("1", Op::add, account(season), 10));
  EXPECT_EQ(hold("h", 1), "ok 10>9");
  EXPECT_TRUE(test::run(io, ledger.release(account(season).uid, order("h"))));
  EXPECT_EQ(change({.clears_ends_at = true}), "ok");
  auto const key = shared.keys.order(account(season).uid, order("h"));
  auto const forgotten_at = server.cli({"PEXPIRETIME", key});
  auto const renew =
      scripts::renew_order(shared.keys, account(season), *test::run(io, ledger.type(season)), "h:h");
  EXPECT_EQ(test::run(io, redis.run(redis::Use::idempotent_write, renew)).integer(), 0);
  EXPECT_EQ(server.cli({"PEXPIRETIME", key}), forgotten_at);
}

class MovesBeforeTheEnd : public TypeEndsTest, public testing::WithParamInterface<Slots> {
 protected:
  MovesBeforeTheEnd() {
    if (GetParam() == Slots::two) use_many_slots();
  }
  std::string transfer(std::string_view id, std::int64_t amount) {
    return brief(test::run(io, ledger.transfer({.order_id = order(id),
                                                .type = season,
                                                .domain = account(season).domain,
                                                .from = account(season).uid,
                                                .to = bob,
                                                .amount = points(amount),
                                                .remark = {}})));
  }
  std::string capture(std::string_view id, std::int64_t amount) {
    return brief(test::run(io, ledger.capture(account(season).uid, order(id), points(amount))));
  }
};

TEST_P(MovesBeforeTheEnd, keep_it) {
  auto lot = entry("lot", Op::add, account(season), 20);
  lot.expires_at = clock.now() + 2000;
  auto const settled = [&] { return std::to_string(balance(account(season))); };
  struct Case {
    std::string_view name;
    std::function<std::string()> move;
    std::string told;
  };
  std::vector<Case> const cases = {
      {"a lot", [&] { return post(lot); }, "ok 0>20"},
      {"again", [&] { return post(lot); }, "ok 0>20 again"},
      {"hold", [&] { return hold("h", 5); }, "ok 20>15"},
      {"hold for a while", [&] { return hold("timed", 1, clock.now() + 1000); }, "ok 15>14"},
      {"refused hold", [&] { return hold("h2", 15); }, "insufficient_balance 14>14"},
      {"capture", [&] { return capture("h", 3); }, "ok 20>15"},
      {"transfer", [&] { return transfer("t", 4); }, "ok 16>12"},
      {"again", [&] { return transfer("t", 4); }, "ok 16>12 again"},
      {"refused transfer", [&] { return transfer("t2", 13); }, "insufficient_balance 12>12"},
      {"fill", [&] { return post(entry("f", Op::add, account(season, "bob"), limits::amount_max - 4)); },
       fmt::format("ok 4>{}", limits::amount_max)},
      {"transfer that comes back", [&] { return transfer("t3", 1); }, "balance_limit 12>12"},
      {"capture too late", [&] { return clock.advance(1000), capture("timed", 1); }, "hold_closed"},
      {"settle", [&] { return clock.advance(1000), settled(); }, "0"},
  };
  for (auto const& [name, move, told] : cases) {
    EXPECT_EQ(move(), told) << name;
    EXPECT_EQ(expiry("alice"), a_day_after(end)) << name;
    if (name.starts_with("transfer")) EXPECT_EQ(expiry("bob"), a_day_after(end)) << name;
  }
}

LARDER_IN_ONE_AND_MANY_SLOTS(MovesBeforeTheEnd);

TEST_F(TypeEndsTest, of_two_changes_at_once_the_keys_get_the_later) {
  post(entry("1", Op::add, account(season), 5));
  // Another server changes the end, and is cut off before it writes the keys.
  EXPECT_TRUE(test::run(io, journal.change_type(season, {.ends_at = end + 1000}, clock.now())));
  auto const old = test::run(io, journal.types()).at(0);
  EXPECT_EQ(change({.ends_at = end + 2000}), "ok");
  // It was cut off for a while only, and now writes the end that it knows.
  auto const renew = scripts::renew_account(shared.keys, account(season), old);
  EXPECT_EQ(test::run(io, redis.run(redis::Use::idempotent_write, renew)).integer(), 0);
  EXPECT_EQ(expiry("alice"), a_day_after(end + 2000));
}

// A change is cut off after this many steps: SQL has it; also the shards know it.
class CutOffChange : public TypeEndsTest, public testing::WithParamInterface<int> {};

TEST_P(CutOffChange, is_finished_by_another_server) {
  auto lot = entry("1", Op::add, account(season), 5);
  lot.expires_at = end + 1000;
  post(lot);
  EXPECT_EQ(hold("h", 1), "ok 5>4");
  EXPECT_TRUE(test::run(io, journal.change_type(season, {.clears_ends_at = true}, clock.now())));
  for (int step = 0; step < GetParam(); ++step)
    EXPECT_FALSE(test::run(io, work_on_type(redis, shared, season)));
  EXPECT_EQ(expiry("alice"), a_day_after(end));

  Metrics of_another;
  Background another(io, redis, sql, clock, {}, of_another);
  test::run(io, another.load_types());
  test::run(io, another.start());
  auto const due = [&] {
    return server.cli({"ZSCORE", std::string(Keys::types_due), std::to_string(season)});
  };
  EXPECT_TRUE(test::eventually(io, [&] { return !due().empty(); }));
  clock.advance(type_work_after_ms);
  EXPECT_TRUE(test::eventually(io, [&] { return due().empty(); }));
  EXPECT_EQ(expiry("alice"), Times{"-1"});
  EXPECT_EQ(server.cli({"PEXPIRETIME", shared.keys.order(account(season).uid, order("h"))}), "-1");
  EXPECT_FALSE(test::run(io, journal.types()).at(0).ends_cursor);
  test::run(io, another.stop());
}

INSTANTIATE_TEST_SUITE_P(After, CutOffChange, testing::Values(0, 1));

TEST_F(TypeEndsTest, a_change_goes_on_behind_its_cursor) {
  std::vector<std::string> users;  // of the first flow table, sorted
  for (int i = 100; users.size() < 4; ++i) {
    auto const uid = fmt::format("u{}", i);
    if (partition_of(UserId::from(uid).value()) % 2 != 0) continue;
    users.push_back(uid);
    post(entry("1", Op::add, account(season, uid), 5));
  }
  EXPECT_TRUE(test::run(io, journal.change_type(season, {.clears_ends_at = true}, clock.now())));
  EXPECT_FALSE(test::run(io, work_on_type(redis, shared, season)));
  auto const at = flows({.uid = UserId::from(users[1]).value()}).at(0).id;
  EXPECT_TRUE(test::run(
      io, journal.move_ends_cursor(season, 1, fmt::format("0 {} {} {} 1", users[1], at.ms, at.sequence))));
  EXPECT_TRUE(test::run(io, work_on_type(redis, shared, season)));
  EXPECT_EQ(expiry(users[0]), a_day_after(end)) << "whoever was here before has done it";
  EXPECT_EQ(expiry(users[1]), a_day_after(end));
  EXPECT_EQ(expiry(users[2]), Times{"-1"});
  EXPECT_EQ(expiry(users[3]), Times{"-1"});
}

class StaleServer : public TypeEndsTest {
 protected:
  StaleServer() {
    post(entry("0", Op::add, account(season), 100));
    test::run(io, of_another.types.refresh(journal));
  }
  static Exchange exchange(std::string_view id, TypeId from, TypeId to) {
    return {.order_id = order(id),
            .uid = account(from).uid,
            .domain = account(from).domain,
            .from_type = from,
            .to_type = to,
            .amount = points(1)};
  }

  TypeId other = make_type("other");
  Shared of_another{.keys = shared.keys, .journal = journal, .clock = clock, .metrics = metrics};
  Ledger another{redis, of_another};
};

TEST_F(StaleServer, writes_the_new_end_whatever_it_does) {
  EXPECT_TRUE(test::run(io, ledger.set_rate({.from = season, .to = other})));
  auto lot = entry("lot", Op::add, account(season), 5);
  lot.expires_at = end + -1000;
  auto const told = [&](auto task) { return test::run(io, std::move(task)).has_value(); };
  std::vector<std::pair<std::string_view, std::function<bool()>>> const moves = {
      {"post", [&] { return told(another.post(entry("1", Op::add, account(season), 5))); }},
      {"post each",
       [&] {
         auto const made = test::run(io, another.post_each({entry("2", Op::add, account(other), 5),
                                                            entry("3", Op::add, account(season), 5),
                                                            entry("4", Op::add, account(season), 5)}));
         return std::ranges::all_of(made, [](auto const& one) { return one.has_value() && !one->replayed; });
       }},
      {"post all", [&] { return told(another.post_all({entry("5", Op::add, account(season), 5)})); }},
      {"a lot", [&] { return told(another.post(lot)); }},
      {"hold",
       [&] {
         return told(another.hold({.order_id = order("h"),
                                   .account = account(season),
                                   .amount = points(1),
                                   .expires_at = {},
                                   .remark = {}}));
       }},
      {"release", [&] { return told(another.release(account(season).uid, order("h"))); }},
      {"exchange", [&] { return told(another.exchange(exchange("x", season, other))); }},
      {"transfer",
       [&] {
         return told(another.transfer({.order_id = order("t"),
                                       .type = season,
                                       .domain = account(season).domain,
                                       .from = account(season).uid,
                                       .to = bob,
                                       .amount = points(1),
                                       .remark = {}}));
       }},
      {"settle",
       [&] { return clock.advance(end + -1000 - clock.now()), told(another.account(account(season))); }},
  };
  auto newest = end;
  for (auto const& [name, move] : moves) {
    newest = newest + 1000;
    EXPECT_EQ(change({.ends_at = newest}), "ok");
    EXPECT_NE(of_another.types.find(season)->ends_at, newest);
    EXPECT_TRUE(move()) << name;
    EXPECT_EQ(of_another.types.find(season)->ends_at, newest) << name;
    EXPECT_EQ(expiry("alice"), a_day_after(newest)) << name;
  }
  EXPECT_EQ(expiry("bob"), a_day_after(newest));
}

TEST_F(StaleServer, neither_posts_nor_shows_points_after_an_end_that_it_does_not_know) {
  EXPECT_EQ(change({.ends_at = TimeMs{1}}), "ok");
  EXPECT_EQ(test::run(io, another.account(account(season)))->balance.value(), 0);
  EXPECT_EQ(change({.ends_at = end}), "ok");
  EXPECT_EQ(test::run(io, another.account(account(season)))->balance.value(), 100);
  EXPECT_EQ(change({.ends_at = TimeMs{1}}), "ok");
  auto const late = test::run(io, another.post(entry("late", Op::add, account(season), 5)));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code.name, "type_not_active");
}

TEST_F(StaleServer, posts_nothing_while_it_cannot_learn_the_end) {
  EXPECT_EQ(change({.ends_at = end + 1000}), "ok");
  // As if SQL were a copy from before the change.
  sql.write_now([&](sql::Session& session) {
    return session.execute("UPDATE score_type SET ends_revision = 0, ends_at_ms = ? WHERE id = ?",
                           {end.value, season});
  });
  EXPECT_THROW(test::run(io, another.post(entry("1", Op::add, account(season), 5))), StoreError);
  EXPECT_THROW(test::run(io, another.post_each({entry("1", Op::add, account(season), 5)})), StoreError);
  EXPECT_EQ(expiry("alice"), a_day_after(end + 1000));
  EXPECT_EQ(balance(account(season)), 100);
}

TEST_F(TypeEndsTest, what_a_type_leaves_behind_is_removed_when_it_is_over) {
  auto lot = entry("1", Op::add, account(season), 5);
  lot.expires_at = end + 1000 * day_ms;
  post(lot);
  EXPECT_EQ(hold("h", 1), "ok 5>4");
  auto const endless = make_type("endless");
  auto other_lot = entry("2", Op::add, account(endless), 5);
  other_lot.expires_at = end + 1000 * day_ms;
  post(other_lot);
  auto const& shard = shared.keys.shards()[shared.keys.shard_of(account(season).uid)];
  clock.advance(end + day_ms - clock.now());
  EXPECT_FALSE(has_work(*test::run(io, ledger.type(season)), clock.now()));
  clock.advance(clear_after_ms);
  EXPECT_TRUE(has_work(*test::run(io, ledger.type(season)), clock.now()));
  EXPECT_TRUE(test::run(io, work_on_type(redis, shared, season)));
  EXPECT_EQ(server.cli({"HGETALL", shard.open_holds}), "");
  EXPECT_EQ(server.cli({"ZRANGE", shard.schedule, "0", "-1"}), fmt::format("alice {} main", endless));
  EXPECT_FALSE(has_work(test::run(io, journal.types()).at(0), clock.now()));
}

TEST_F(TypeEndsTest, a_change_that_is_cut_off_does_not_say_that_nothing_happened) {
  server.kill();
  try {
    test::run(io, ledger.change_type(season, {.ends_at = end + 1000}));
    ADD_FAILURE();
  } catch (StoreError const& error) {
    EXPECT_TRUE(error.outcome_unknown()) << error.what();
  }
  EXPECT_EQ(test::run(io, ledger.types()).at(0).ends_at, end + 1000);
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
