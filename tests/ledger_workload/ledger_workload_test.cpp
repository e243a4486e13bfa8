#include "support/redis_servers.hpp"
#include "workload.hpp"

namespace larder::ledger {
namespace {

redis::Options at(std::string const& url, int replicas_min = 0) {
  return {.url = redis::parse_url(url), .timeout = 2000ms, .replicas_min = replicas_min, .tls_ca = {}};
}

// Their keys are not checked: there are too many commands.
test::RedisServer::Options const durable{.settings = {"appendonly yes", "appendfsync always"},
                                         .check_keys = false};
test::RedisCluster::Options const unwatched{.check_keys = false};

TEST_F(LedgerWorkload, on_one_redis_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisServer server(durable);
  run({.redis = at(server.url()), .steps = 150});
}

TEST_F(LedgerWorkload, from_slot_to_slot_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisServer server(durable);
  run({.redis = at(server.url()), .cluster_keys = true, .steps = 100});
}

TEST_F(LedgerWorkload, on_one_redis_that_is_killed_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisServer server(durable);
  run({.redis = at(server.url()), .cluster_keys = true, .steps = 80, .in_the_middle = [&] {
         server.kill();
         server.start();
       }});
}

TEST_F(LedgerWorkload, when_a_larder_dies_the_other_does_what_it_had_claimed) {
  test::RedisServer server(durable);
  run({.redis = at(server.url()), .cluster_keys = true, .steps = 80, .in_the_middle = [&] {
         kill_one_larder();
       }});
}

TEST_F(LedgerWorkload, on_a_cluster_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisCluster cluster(unwatched);
  run({.redis = at(cluster.url(), 1), .cluster_keys = true, .one_redis = false, .steps = 40});
}

TEST_F(LedgerWorkload, on_a_cluster_whose_master_is_killed_nothing_is_lost_and_nothing_counts_twice) {
  test::RedisCluster cluster(unwatched);
  run({.redis = at(cluster.url(), 1),
       .cluster_keys = true,
       .one_redis = false,
       .steps = 40,
       .in_the_middle = [&] {
         auto const slot = redis::slot_of(fmt::format("{{{}}}", partition_of(UserId::from("user0").value())));
         auto const victim = cluster.master_of(slot);
         cluster.node(victim).kill();
         cluster.wait_for_new_master(slot, victim);
         cluster.node(victim).start();  // now it is a replica; without one, nothing is acknowledged
       }});
}

}  // namespace
}  // namespace larder::ledger
