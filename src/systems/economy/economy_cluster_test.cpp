// The economy on a Redis Cluster.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

// SQL may have one from a time before the cluster. Its keys are in different slots.
TEST(KnownRealms, of_a_cluster_have_names) {
  asio::io_context io;
  Metrics metrics;
  test::TempDir const dir;
  test::RedisCluster const cluster;
  redis::Redis redis(io, {.url = redis::parse_url(cluster.url()), .timeout = 5000ms, .tls_ca = {}}, metrics);
  sql::Database sql{"sqlite:" + dir.file("test.db"), 2, metrics};
  TestClock const clock{SystemClock{}.now()};
  Background background{io, redis, sql, clock, {}, metrics};
  background.migrate_now();
  EconomyJournal journal(sql);
  sql.write_now([](sql::Session& session) {
    events::Event const event{
        .id = "1-1", .fields = {{"type", "farm"}, {"user_id", "111"}, {"guild_id", "0"}, {"amount", "1"}}};
    for (auto const* const name : {"default", "main"}) {
      EconomyJournal::write_events(session, RealmId::from(name).value(), EconomyEvent::Of::points,
                                   std::span(&event, 1));
    }
  });
  auto const realms = test::run(io, realms_to_verify(redis, journal));
  EXPECT_EQ(realms, std::vector{RealmId::from("main").value()});
  Lines found;
  test::run(io, verify(redis, journal, realms,
                       {.difference = [&](std::string const& line) { found.push_back(line); }}));
  EXPECT_EQ(found, Lines{"realm main: Redis has lost it; `larder economy rebuild` brings it back"});
}

}  // namespace
}  // namespace larder::economy
