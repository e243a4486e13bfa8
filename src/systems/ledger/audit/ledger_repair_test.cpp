// What an operator does after a loss.
#include "base/error.hpp"
#include "kit/presence/presence.hpp"
#include "systems/ledger/audit/ledger_rebuild.hpp"
#include "systems/ledger/audit/reckoning_test.hpp"
#include "systems/ledger/ledger_background.hpp"

namespace larder::ledger {
namespace {

class RepairTest : public ReckoningTest {
 protected:
  void rebuild_on(redis::Redis& at) { test::run(io, rebuild(at, journal, keys(), clock, {})); }

  test::RedisServer other;
  redis::Redis other_redis{
      io, {.url = redis::parse_url(other.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
};
LARDER_IN_ONE_AND_MANY_SLOTS(RepairTest);

TEST_P(RepairTest, an_older_copy_does_not_pass_for_a_whole_ledger) {
  post(entry("1", Op::add, account(gold), 10));
  journal_all();
  rebuild_on(other_redis);
  EXPECT_THROW(rebuild_on(other_redis), presence::NotEmptyError);
  post(entry("2", Op::add, account(gold), 10));
  journal_all();
  EXPECT_THROW(rebuild_on(other_redis), LostRedisError);
  EXPECT_FALSE(test::run(io, presence::is_closed(other_redis)));
}

// One outbox is lost. The events that wait in another one are nowhere else.
TEST_P(RepairTest, what_waits_in_other_outboxes_survives_the_repair_of_a_loss) {
  auto const of_bob = account(gold, "bob");
  if (outbox("alice") == outbox("bob")) GTEST_SKIP() << "they share an outbox";
  post(entry("1", Op::add, account(gold), 10));
  post(entry("2", Op::add, of_bob, 10));
  journal_all();
  test::run(io, projector->stop());
  projector.reset();
  EXPECT_EQ(post(entry("3", Op::add, of_bob, 5)), "ok 10>15");
  server.cli({"DEL", outbox("alice"), events::projected_key(outbox("alice"))});

  Background starting(io, redis, sql, clock, {.cluster = GetParam() == Slots::two}, metrics);
  EXPECT_THROW(test::run(io, starting.start()), LostRedisError);
  EXPECT_EQ(test::run(io, starting.save_events()), events::UnsavedEvents{});
  server.cli({"FLUSHALL"});
  rebuild_on(redis);
  EXPECT_EQ(balance(of_bob), 15);
  EXPECT_EQ(balance(account(gold)), 10);
  EXPECT_EQ(differences(), Lines{});
}

}  // namespace
}  // namespace larder::ledger
