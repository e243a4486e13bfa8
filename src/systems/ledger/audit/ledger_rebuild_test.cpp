// Rebuilds a Redis from the journal.
#include "systems/ledger/audit/ledger_rebuild.hpp"

#include "base/error.hpp"
#include "kit/presence/presence.hpp"
#include "systems/ledger/audit/reckoning_test.hpp"
#include "systems/ledger/lost_redis.hpp"

namespace larder::ledger {
namespace {

// "type value" of every key, and its time to live.
struct Contents {
  std::map<std::string, std::string> values;
  std::map<std::string, std::int64_t> ttls_ms;
};

constexpr char const* dump_script = R"(
local out = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local type, value = redis.call('TYPE', key).ok, {}
  if type == 'string' then value = {redis.call('GET', key)} end
  if type == 'zset' then value = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end
  if type == 'stream' then value = {redis.call('XLEN', key), redis.call('XINFO', 'STREAM', key)[8]} end
  if type == 'hash' then
    for _, field in ipairs(redis.call('HKEYS', key)) do value[#value + 1] = field .. '=' .. redis.call('HGET', key, field) end
    table.sort(value)
  end
  out[#out + 1] = key .. '\t' .. redis.call('PTTL', key) .. '\t' .. type .. ' ' .. table.concat(value, ' ')
end
return out
)";

// What a rebuild cannot know and need not know: leases, and the counters of order
// numbers, which skip far ahead.
bool is_exempt(std::string_view key) {
  return key.ends_with(":lease") || key.ends_with(":score_sn") || key.ends_with(":score_sn_hours");
}

Contents contents(test::RedisServer const& server) {
  Contents found;
  std::istringstream lines(server.cli({"EVAL", dump_script, "0"}));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    auto const key_end = line.find('\t');
    auto const ttl_end = line.find('\t', key_end + 1);
    auto const key = line.substr(0, key_end);
    if (is_exempt(key)) continue;
    found.values[key] = line.substr(ttl_end + 1);
    found.ttls_ms[key] = std::stoll(line.substr(key_end + 1, ttl_end - key_end - 1));
  }
  return found;
}

class RebuildTest : public ReckoningTest {
 protected:
  RebuildReport rebuild_other(RebuildOptions options = {}) {
    return test::run(io, rebuild(other_redis, journal, keys(), clock, std::move(options)));
  }
  void expect_the_same() {
    auto const before = contents(server);
    auto const after = contents(other);
    EXPECT_GT(before.values.size(), 4u);
    EXPECT_EQ(before.values, after.values) << "seed " << seed;
    for (auto const& [key, ttl_ms] : before.ttls_ms) {
      auto const found = after.ttls_ms.find(key);
      if (found == after.ttls_ms.end()) continue;
      EXPECT_EQ(ttl_ms < 0, found->second < 0) << key;
      EXPECT_LT(std::abs(ttl_ms - found->second), 120'000) << key;
    }
  }
  std::string why_not() {
    try {
      rebuild_other();
      return "";
    } catch (SetupError const& error) {
      return error.what();
    }
  }
  Transfer gift(std::string_view id, std::int64_t amount, std::string_view to = "bob") {
    return {.order_id = order(id),
            .type = gold,
            .domain = Domain::from("main").value(),
            .from = user("alice"),
            .to = user(to),
            .amount = Amount::from(amount).value(),
            .remark = "a gift of mine"};
  }
  Hold hold(std::string_view id, std::int64_t amount, std::optional<std::int64_t> expires_in = {}) {
    return {.order_id = order(id),
            .account = account(gold),
            .amount = Amount::from(amount).value(),
            .expires_at = expires_in ? std::optional(clock.now() + *expires_in) : std::nullopt,
            .remark = "room 7"};
  }
  Entry lot(std::string_view id, std::int64_t amount, std::optional<std::int64_t> from,
            std::optional<std::int64_t> to) {
    auto made = entry(id, Op::add, account(gold), amount);
    if (from) made.effective_at = clock.now() + *from;
    if (to) made.expires_at = clock.now() + *to;
    return made;
  }

  test::RedisServer other;
  redis::Redis other_redis{
      io, {.url = redis::parse_url(other.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
};

TEST_P(RebuildTest, gives_every_key_back_as_the_scripts_left_it) {
  auto const over = make_type("over", {}, clock.now() + 2000);
  auto const season = make_type("season", {}, clock.now() + day_ms);
  post(entry("1", Op::add, account(gold), 100, "a remark"));
  post(entry("2", Op::deduct, account(gold), 1000));
  post(entry("3", Op::reset, account(gold, "alice", "eu:shop"), 0));
  post(entry("4", Op::add, account(over), 5));
  post(entry("5", Op::add, account(season), 5));
  auto ending = lot("6", 7, 3000, 5000);
  ending.account = account(season);
  post(ending);
  post(lot("7", 20, {}, 1000));
  post(lot("8", 21, {}, 100'000));
  post(lot("9", 22, 1000, {}));
  post(lot("10", 23, 1000, 200'000));
  post(lot("11", 24, 300'000, 400'000));
  auto const run = [&](auto task) { return test::run(io, std::move(task)); };
  run(ledger.hold(hold("h1", 5)));
  run(ledger.hold(hold("h2", 6, 500)));      // expires
  run(ledger.hold(hold("h3", 7, 100'000)));  // stays open
  run(ledger.hold(hold("h4", 8)));           // is captured
  run(ledger.hold(hold("h5", 9, 100'000)));  // is captured in part, after its lot has expired
  run(ledger.hold(hold("h6", 10)));          // is released
  run(ledger.hold(hold("h7", 10'000)));      // is refused
  auto in_season = hold("h8", 2);
  in_season.account = account(season);
  run(ledger.hold(in_season));
  run(ledger.capture(user("alice"), order("h4"), std::nullopt));
  run(ledger.exchange({.order_id = order("x"),
                       .uid = user("alice"),
                       .domain = Domain::from("main").value(),
                       .from_type = gold,
                       .to_type = silver,
                       .amount = Amount::from(3).value()}));
  run(ledger.transfer(gift("t1", 4)));
  run(ledger.transfer(gift("t2", 10'000)));
  post(entry("12", Op::add, account(gold, "carol"), limits::amount_max));
  run(ledger.transfer(gift("t3", 4, "carol")));
  clock.advance(3000);
  run(ledger.capture(user("alice"), order("h5"), Amount::from(2).value()));
  run(ledger.release(user("alice"), order("h6")));
  post(entry("13", Op::deduct, account(gold), 1));
  journal_all();
  EXPECT_TRUE(run(ledger.change_type(season, {.ends_at = clock.now() + 2 * day_ms})));

  auto const report = rebuild_other();
  EXPECT_EQ(report.problems, 0);
  expect_the_same();
}

TEST_P(RebuildTest, a_type_that_is_over_keeps_its_points_as_long_as_it_may_go_on) {
  auto const season = make_type("season", {}, clock.now() + 1000);
  post(entry("1", Op::add, account(season), 5));
  clock.advance(1000);
  journal_all();
  EXPECT_EQ(rebuild_other().accounts, 1);
  EXPECT_EQ(other.cli({"GET", keys().balance(account(season))}), "5");
  other.cli({"FLUSHALL"});
  clock.advance(day_ms);
  EXPECT_EQ(rebuild_other().accounts, 0);
  EXPECT_EQ(other.cli({"GET", keys().balance(account(season))}), "");
}

TEST_P(RebuildTest, gives_back_what_any_work_left) {
  start_projector();
  std::vector<Task<bool>> tasks;
  for (int i = 0; i < 8; ++i) tasks.push_back(work(i, 250));
  test::run(io, when_all(std::move(tasks)), std::chrono::seconds(300));
  journal_all();
  rebuild_other();
  expect_the_same();
  Lines lines;
  test::run(io, verify(other_redis, journal, keys(), clock,
                       {.difference = [&](auto& line) { lines.push_back(line); }}));
  EXPECT_EQ(lines, Lines{}) << "seed " << seed;
}

TEST_P(RebuildTest, orders_answer_as_they_did_and_new_numbers_are_new) {
  post(entry("1", Op::add, account(gold), 10));
  post(entry("2", Op::deduct, account(gold), 11));
  test::run(io, ledger.transfer(gift("t", 4)));
  std::set<std::string> issued;
  for (int i = 0; i < 100; ++i) issued.insert(test::run(io, ledger.issue_order(gold))->str());
  post(entry(*issued.begin(), Op::add, account(gold), 1));
  journal_all();
  rebuild_other();

  Shared other_shared{.keys = keys(), .journal = journal, .clock = clock, .metrics = metrics};
  Ledger reborn(other_redis, other_shared);
  EXPECT_EQ(brief(test::run(io, reborn.post(entry("1", Op::add, account(gold), 10)))), "ok 0>10 again");
  EXPECT_EQ(brief(test::run(io, reborn.post(entry("2", Op::deduct, account(gold), 11)))),
            "insufficient_balance 10>10 again");
  auto const gift_again = test::run(io, reborn.transfer(gift("t", 4)));
  EXPECT_EQ(brief(gift_again), "ok 10>6 again");
  EXPECT_EQ(gift_again->outcome.word("to_balance"), "4");
  EXPECT_EQ(brief(test::run(io, reborn.post(entry("1", Op::add, account(gold), 9)))), "order_conflict");
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(issued.insert(test::run(io, reborn.issue_order(gold))->str()).second);
  // New flows come after all old flows, in the order of the journal.
  EXPECT_EQ(brief(test::run(io, reborn.post(entry("3", Op::add, account(gold), 1)))), "ok 7>8");
  Lines lines;
  test::run(io, verify(other_redis, journal, keys(), clock,
                       {.difference = [&](auto& line) { lines.push_back(line); }, .journal_patience = 0ms}));
  EXPECT_EQ(lines, Lines{});
}

TEST_P(RebuildTest, a_transfer_under_way_arrives_and_one_that_has_arrived_does_not_again) {
  if (GetParam() == Slots::one) GTEST_SKIP() << "one script";
  post(entry("1", Op::add, account(gold), 10));
  post(entry("2", Op::add, account(gold, "carol"), 1));
  server.cli({"SET", shard("bob").outbox, "not a stream"});
  EXPECT_THROW(test::run(io, ledger.transfer(gift("t", 3))), redis::ReplyError);
  server.cli({"DEL", shard("bob").outbox});
  // The other transfer arrives, but the sender does not learn it.
  server.cli({"RENAME", shard("carol").outbox, "carol's"});
  server.cli({"SET", shard("carol").outbox, "not a stream"});
  EXPECT_THROW(test::run(io, ledger.transfer(gift("u", 2, "carol"))), redis::ReplyError);
  server.cli({"RENAME", "carol's", shard("carol").outbox});
  server.cli({"RENAME", shard("alice").outbox, "alice's"});
  server.cli({"SET", shard("alice").outbox, "not a stream"});
  EXPECT_THROW(test::run(io, ledger.relay("alice 1 main u")), redis::ReplyError);
  server.cli({"RENAME", "alice's", shard("alice").outbox});
  EXPECT_EQ(balance(account(gold, "carol")), 3);
  EXPECT_EQ(view(account(gold)).pending.value(), 5);
  journal_all();
  rebuild_other();
  expect_the_same();

  Shared other_shared{.keys = keys(), .journal = journal, .clock = clock, .metrics = metrics};
  Ledger reborn(other_redis, other_shared);
  for (std::string const id : {"t", "u"}) {
    EXPECT_NE(other.cli({"ZSCORE", shard("alice").relay, "alice 1 main " + id}), "");
    test::run(io, reborn.relay("alice 1 main " + id));
    EXPECT_EQ(other.cli({"ZSCORE", shard("alice").relay, "alice 1 main " + id}), "");
  }
  auto const balance_of = [&](std::string_view uid) {
    return test::run(io, reborn.account(account(gold, uid)))->balance.value();
  };
  EXPECT_EQ(std::tuple(balance_of("alice"), balance_of("bob"), balance_of("carol")), std::tuple(5, 3, 3));
  EXPECT_EQ(test::run(io, reborn.account(account(gold)))->pending.value(), 0);
}

// On one Redis, transfers need no arrivals, except a transfer that came half-done from a cluster.
TEST_P(RebuildTest, from_a_cluster_into_one_redis_nothing_arrives_twice) {
  if (GetParam() == Slots::one) GTEST_SKIP() << "from keys of a cluster";
  post(entry("1", Op::add, account(gold), 10));
  post(entry("2", Op::add, account(gold, "bob"), 1));
  // The transfer arrives, but the sender does not learn it.
  server.cli({"RENAME", shard("bob").outbox, "bob's"});
  server.cli({"SET", shard("bob").outbox, "not a stream"});
  EXPECT_THROW(test::run(io, ledger.transfer(gift("t", 3))), redis::ReplyError);
  server.cli({"RENAME", "bob's", shard("bob").outbox});
  server.cli({"RENAME", shard("alice").outbox, "alice's"});
  server.cli({"SET", shard("alice").outbox, "not a stream"});
  EXPECT_THROW(test::run(io, ledger.relay("alice 1 main t")), redis::ReplyError);
  server.cli({"RENAME", "alice's", shard("alice").outbox});
  journal_all();

  Shared other_shared{.keys = Keys("", false), .journal = journal, .clock = clock, .metrics = metrics};
  test::run(io, rebuild(other_redis, journal, other_shared.keys, clock, {}));
  Lines lines;
  test::run(io, verify(other_redis, journal, other_shared.keys, clock,
                       {.difference = [&](auto& line) { lines.push_back(line); }}));
  EXPECT_EQ(lines, Lines{});
  Ledger reborn(other_redis, other_shared);
  test::run(io, reborn.relay("alice 1 main t"));
  auto const alice = test::run(io, reborn.account(account(gold))).value();
  auto const bob = test::run(io, reborn.account(account(gold, "bob"))).value();
  EXPECT_EQ(std::tuple(alice.balance.value(), alice.pending.value(), bob.balance.value()),
            std::tuple(7, 0, 4));
}

TEST_P(RebuildTest, a_user_may_have_any_number_of_orders) {
  if (GetParam() == Slots::two) GTEST_SKIP() << "the same";
  std::vector<sql::Values> rows;
  for (int i = 0; i < 60'000; ++i) {
    rows.push_back({"alice", clock.now().value, i, fmt::format("o{}", i), gold, "main", "add", "ok", 1, i, 1,
                    i + 1, "", clock.now().value});
  }
  sql.write_now([&](sql::Session& session) {
    session.bulk_insert(fmt::format("score_flow_{}", partition_of(user("alice")) % 2),
                        {"uid", "event_ms", "event_seq", "order_id", "type_id", "domain", "op", "status",
                         "amount", "old_balance", "change_amount", "balance", "remark", "at_ms"},
                        rows, sql::OnConflict::ignore);
    return 0;
  });
  // Each command has the time that a server gives it, from the moment when it is sent.
  redis::Redis patient(io, {.url = redis::parse_url(other.url()), .timeout = 2000ms, .tls_ca = {}}, metrics);
  EXPECT_EQ(test::run(io, rebuild(patient, journal, keys(), clock, {})).orders, 60'000);
}

TEST_P(RebuildTest, of_two_decisions_of_an_order_the_later_is_believed) {
  post(entry("1", Op::add, account(gold), 10));
  auto const key = order_key("1");
  server.cli({"DEL", key});  // so the order is decided again
  post(entry("1", Op::deduct, account(gold), 3));
  journal_all();
  Lines lines;
  rebuild_other({.problem = [&](std::string const& line) { lines.push_back(line); }});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("decided twice"), std::string::npos);
  EXPECT_EQ(other.cli({"GET", key}), server.cli({"GET", key}));
}

TEST_P(RebuildTest, refuses_a_redis_with_anything_of_a_ledger) {
  post(entry("1", Op::add, account(gold), 10));
  journal_all();
  other.cli({"SET", "lb:1", "no ledger"});
  for (std::string const key :
       {"{zed}:main:7:score", "{3}:score_outbox", "7:7001:score_sn", "{zed}:1:score_os"}) {
    other.cli({"SET", key, "1"});
    auto const before = contents(other);
    EXPECT_NE(why_not().find("this Redis lacks what SQL has"), std::string::npos) << key;
    EXPECT_EQ(contents(other).values, before.values);
    other.cli({"DEL", key});
  }
  EXPECT_EQ(why_not(), "");
  EXPECT_NE(why_not().find("is not empty"), std::string::npos);
}

TEST_P(RebuildTest, refuses_while_a_server_works_and_keeps_servers_out) {
  post(entry("1", Op::add, account(gold), 10));
  journal_all();
  presence::Presence a_server(io, other_redis);
  test::run(io, a_server.enter());
  EXPECT_NE(why_not().find("a server works on this Redis"), std::string::npos);
  EXPECT_FALSE(test::run(io, presence::is_closed(other_redis)));
  test::run(io, a_server.leave());

  bool refused = false;
  auto const report = rebuild_other({.progress = [&](RebuildReport const&) {
    refused = other.cli({"EXISTS", "larder:rebuilding"}) == "1";
  }});
  EXPECT_TRUE(refused);
  EXPECT_EQ(report.accounts, 1);
  presence::Presence another(io, other_redis);
  test::run(io, another.enter());
  test::run(io, another.leave());
  EXPECT_EQ(other.cli({"KEYS", "larder:*"}), "");
}

TEST_P(RebuildTest, one_that_was_cut_off_keeps_servers_out_and_can_be_repeated) {
  post(entry("1", Op::add, account(gold), 10));
  post(lot("2", 20, {}, 100'000));
  journal_all();
  struct CutOff {};
  EXPECT_THROW(rebuild_other({.progress = [](RebuildReport const&) { throw CutOff{}; }}), CutOff);
  presence::Presence a_server(io, other_redis);
  EXPECT_THROW(test::run(io, a_server.enter()), SetupError);
  EXPECT_EQ(test::run(io, presence::servers(other_redis)), std::vector<std::string>{});
  EXPECT_EQ(why_not(), "");
  expect_the_same();
  test::run(io, a_server.enter());
  test::run(io, a_server.leave());
}

TEST_P(RebuildTest, a_lost_redis_is_noticed) {
  auto const lost = [&](redis::Redis& at) { return test::run(io, is_lost(at, journal, keys())); };
  EXPECT_FALSE(lost(other_redis));  // there is nothing to lose yet
  post(entry("1", Op::add, account(gold), 10));
  EXPECT_FALSE(lost(redis));
  journal_all();
  EXPECT_FALSE(lost(redis));
  EXPECT_TRUE(lost(other_redis));
  rebuild_other();
  EXPECT_FALSE(lost(other_redis));
}

TEST_P(RebuildTest, tells_where_the_journal_contradicts_itself) {
  post(entry("1", Op::add, account(gold), 10));
  post(entry("2", Op::add, account(gold), 5));
  journal_all();
  execute("DELETE FROM FLOWS WHERE order_id = '1'");
  Lines lines;
  auto const report = rebuild_other({.problem = [&](std::string const& line) { lines.push_back(line); }});
  EXPECT_EQ(report.problems, 1);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].ends_with("it begins with 10, the flows before it end with 0")) << lines[0];
  EXPECT_EQ(other.cli({"GET", balance_key()}), "15");
}

// The way from one Redis to a cluster.
TEST_P(RebuildTest, makes_a_cluster_of_one_redis) {
  if (GetParam() == Slots::two) GTEST_SKIP() << "from keys of one Redis";
  start_projector();
  std::vector<Task<bool>> tasks;
  for (int i = 0; i < 4; ++i) tasks.push_back(work(i, 200));
  test::run(io, when_all(std::move(tasks)), std::chrono::seconds(300));
  journal_all();
  test::run(io, projector->stop());  // a journal belongs to one Redis at a time
  projector.reset();
  test::RedisCluster cluster;
  redis::Redis cluster_redis(io, {.url = redis::parse_url(cluster.url()), .timeout = 5000ms, .tls_ca = {}},
                             metrics);
  Keys const cluster_keys("", true);
  test::run(io, rebuild(cluster_redis, journal, cluster_keys, clock, {}));
  auto const lines = [&] {
    Lines found;
    test::run(io, verify(cluster_redis, journal, cluster_keys, clock,
                         {.difference = [&](auto& line) { found.push_back(line); }}));
    return found;
  };
  EXPECT_EQ(lines(), Lines{}) << "seed " << seed;
  EXPECT_THROW(test::run(io, rebuild(cluster_redis, journal, cluster_keys, clock, {})), SetupError);

  Shared cluster_shared{.keys = cluster_keys, .journal = journal, .clock = clock, .metrics = metrics};
  Ledger moved(cluster_redis, cluster_shared);
  for (int i = 0; i < 6; ++i) {
    auto const of = account(gold, fmt::format("u{}", i));
    auto const here = view(of);
    auto const there = test::run(io, moved.account(of)).value();
    EXPECT_EQ(std::tuple(there.balance, there.held, there.lots.size(), there.holds.size()),
              std::tuple(here.balance, here.held, here.lots.size(), here.holds.size()));
  }
  auto const key = cluster_keys.balance(account(gold, "u3"));
  test::run(io, cluster_redis.command(redis::Use::write, key, {"INCRBY", key, "3"}));
  EXPECT_EQ(lines().size(), 1u);
}

LARDER_IN_ONE_AND_MANY_SLOTS(RebuildTest);

}  // namespace
}  // namespace larder::ledger
