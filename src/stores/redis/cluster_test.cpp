#include "base/error.hpp"
#include "base/random.hpp"
#include "base/when_all.hpp"
#include "stores/redis/redis.hpp"
#include "stores/redis/writable.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

#include <set>

namespace larder::redis {
namespace {

using namespace std::chrono_literals;

class ClusterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { cluster = std::make_unique<test::RedisCluster>(); }
  static void TearDownTestSuite() { cluster.reset(); }
  // A slot that a test moves must not have keys of other tests. Replicas refuse FLUSHALL, but they
  // follow their masters.
  ClusterTest() {
    for (std::size_t i = 0; i < test::RedisCluster::nodes; ++i) cluster->node(i).cli({"FLUSHALL"});
  }
  ~ClusterTest() override {
    for (std::size_t i = 0; i < test::RedisCluster::nodes; ++i) cluster->node(i).start();
    cluster->wait_until_whole();
  }

  std::string set(Use use, std::string const& key, std::string const& value) {
    return std::string(test::run(io, redis.command(use, key, {"SET", key, value})).text());
  }
  std::string get(std::string const& key) {
    return test::run(io, redis.command(Use::read, key, {"GET", key})).optional_text().value_or("nil");
  }
  double redirects() {
    return metrics.counter("larder_redis_redirects_total", "MOVED and ASK answers of a Redis Cluster")
        .Value();
  }
  // The node numbers of a slot's master and of another master.
  std::pair<std::size_t, std::size_t> source_and_target(int slot) {
    auto const source = cluster->master_of(slot);
    for (auto const candidate : {0, 5461, 10923}) {
      auto const target = cluster->master_of(candidate);
      if (target != source) return {source, target};
    }
    throw std::logic_error("a cluster with one master");
  }
  void set_slot(std::size_t node, int slot, std::string const& state, std::size_t other) {
    EXPECT_EQ(
        cluster->node(node).cli({"CLUSTER", "SETSLOT", std::to_string(slot), state, cluster->id_of(other)}),
        "OK");
  }
  void finish_move(int slot, std::size_t source, std::size_t target) {
    set_slot(target, slot, "NODE", target);
    set_slot(source, slot, "NODE", target);
  }
  void migrate_key(std::size_t source, std::size_t target, std::string const& key) {
    EXPECT_EQ(cluster->node(source).cli(
                  {"MIGRATE", "127.0.0.1", std::to_string(cluster->node(target).port()), key, "0", "5000"}),
              "OK");
  }

  static std::unique_ptr<test::RedisCluster> cluster;
  asio::io_context io;
  Metrics metrics;
  Options options{.url = parse_url(cluster->url()), .timeout = 3000ms, .replicas_min = 1, .tls_ca = {}};
  Redis redis{io, options, metrics};
};
std::unique_ptr<test::RedisCluster> ClusterTest::cluster;

Task<bool> set_and_get(Redis& redis, std::string key) {
  co_await redis.command(Use::idempotent_write, key, {"SET", key, key});
  auto const reply = co_await redis.command(Use::read, key, {"GET", key});
  co_return reply.text() == key;
}

TEST_F(ClusterTest, scan_sees_the_keys_of_every_master) {
  std::set<std::string> expected;
  for (int i = 0; i < 3000; ++i) expected.insert(fmt::format("scan{}:x", i));
  std::vector<Task<Reply>> sets;
  for (auto const& key : expected) {
    sets.push_back([](Redis& to, std::string const& name) -> Task<Reply> {
      co_return co_await to.command(Use::write, name, {"SET", name, "1"});
    }(redis, key));
  }
  test::run(io, when_all(std::move(sets)));
  std::set<std::string> found;
  test::run(io, redis.scan("scan*:x", [&](std::vector<std::string> keys) -> Task<void> {
    found.insert(keys.begin(), keys.end());
    co_return;
  }));
  EXPECT_EQ(found, expected);
}

TEST_F(ClusterTest, keys_of_all_slots_work) {
  std::vector<Task<bool>> calls;
  for (int i = 0; i < 5000; ++i) calls.push_back(set_and_get(redis, fmt::format("key:{}", i)));
  auto const results = test::run(io, when_all(std::move(calls)));
  EXPECT_EQ(std::ranges::count(results, true), 5000);
  test::run(io, redis.ping());
}

TEST_F(ClusterTest, slots_are_computed_as_the_cluster_does) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  constexpr std::string_view letters = "{}ab:";
  for (int i = 0; i < 50; ++i) {
    std::string key;
    for (auto length = 1 + random.below(10); length > 0; --length)
      key += letters[random.below(letters.size())];
    EXPECT_EQ(cluster->node(0).cli({"CLUSTER", "KEYSLOT", key}), std::to_string(slot_of(key))) << key;
  }
}

TEST_F(ClusterTest, a_slot_that_has_moved_is_found_again) {
  std::string const key = "{moved}:k";
  int const slot = slot_of(key);
  EXPECT_EQ(set(Use::write, key, "1"), "OK");
  auto const [source, target] = source_and_target(slot);
  set_slot(target, slot, "IMPORTING", source);
  set_slot(source, slot, "MIGRATING", target);
  migrate_key(source, target, key);
  finish_move(slot, source, target);
  auto const before = redirects();
  EXPECT_EQ(get(key), "1");
  EXPECT_EQ(redirects(), before + 1);
  EXPECT_EQ(set(Use::write, key, "2"), "OK");
  EXPECT_EQ(redirects(), before + 1);
}

TEST_F(ClusterTest, a_slot_on_its_way_is_served_from_both_ends) {
  std::string const stays = "{way}:stays";
  std::string const leaves = "{way}:leaves";
  std::string const fresh = "{way}:fresh";
  int const slot = slot_of(stays);
  set(Use::write, stays, "s");
  set(Use::write, leaves, "l");
  auto const [source, target] = source_and_target(slot);
  set_slot(target, slot, "IMPORTING", source);
  set_slot(source, slot, "MIGRATING", target);
  migrate_key(source, target, leaves);

  auto const before = redirects();
  EXPECT_EQ(get(stays), "s");
  EXPECT_EQ(redirects(), before);
  EXPECT_EQ(get(leaves), "l");
  EXPECT_EQ(set(Use::write, fresh, "f"), "OK");
  EXPECT_EQ(redirects(), before + 2);  // an ASK counts for one command and does not change the map

  // While the keys are on both nodes, Redis answers TRYAGAIN.
  std::string both;
  asio::co_spawn(
      io,
      [&]() -> Task<void> {
        auto const reply = co_await redis.command(Use::read, stays, {"MGET", stays, leaves});
        both = fmt::format("{}{}", reply.at(0).text(), reply.at(1).text());
      },
      asio::detached);
  auto& retries = metrics.counter("larder_redis_retries_total", "Redis commands sent again");
  ASSERT_TRUE(test::eventually(io, [&] { return retries.Value() > 2; }));
  EXPECT_EQ(both, "");
  migrate_key(source, target, stays);
  finish_move(slot, source, target);
  ASSERT_TRUE(test::eventually(io, [&] { return !both.empty(); }));
  EXPECT_EQ(both, "sl");
}

TEST_F(ClusterTest, a_script_runs_on_every_node) {
  Script const script("add", "return redis.call('INCRBY', KEYS[1], ARGV[1])");
  for (int i = 0; i < 30; ++i) {
    auto const key = fmt::format("script:{}:{}", i, random_hex(4));
    auto const call = ScriptCall(script).keys(key).args(5);
    EXPECT_EQ(test::run(io, redis.run(Use::write, call)).integer(), 5);
    EXPECT_EQ(test::run(io, redis.run(Use::write, call)).integer(), 10);
  }
}

TEST_F(ClusterTest, a_write_that_no_replica_has_is_not_acknowledged) {
  std::string const key = "{wait}:k";
  auto const master = cluster->master_of(slot_of(key));
  EXPECT_EQ(set(Use::write, key, "before"), "OK");
  auto const replica = (master + test::RedisCluster::masters) % test::RedisCluster::nodes;
  cluster->node(replica).pause();
  for (auto const use : {Use::write, Use::idempotent_write}) {
    try {
      set(use, key, "unconfirmed");
      ADD_FAILURE() << "was acknowledged";
    } catch (StoreError const& error) {
      EXPECT_TRUE(error.outcome_unknown()) << error.what();
    }
  }
  EXPECT_EQ(get(key), "unconfirmed");  // the write took effect, and reads go on
  cluster->node(replica).resume();
  ASSERT_TRUE(test::eventually([&] {
    try {
      return set(Use::idempotent_write, key, "after") == "OK";
    } catch (StoreError const&) {
      return false;
    }
  }));
}

// Adds numbers to sets with a script until it is told to stop, and remembers the acknowledged ones.
struct Load {
  Task<void> client(int number) {
    static Script const script("load", "redis.call('SADD', KEYS[1], ARGV[1]) return ARGV[1]");
    auto const key = fmt::format("load:{}", number);
    for (int i = 0; !stop; ++i) {
      auto const member = std::to_string(i);
      try {
        auto const reply =
            co_await redis.run(Use::idempotent_write, ScriptCall(script).keys(key).args(member));
        EXPECT_EQ(reply.text(), member);
        acknowledged[key].insert(member);
      } catch (StoreError const&) {
        ++failures;
      }
    }
    --running;
  }
  void start(asio::io_context& io, int clients) {
    running = clients;
    for (int i = 0; i < clients; ++i) asio::co_spawn(io, client(i), asio::detached);
  }
  std::size_t least() const {  // how far the slowest client has come
    std::size_t least = SIZE_MAX;
    for (auto const& [key, members] : acknowledged) least = std::min(least, members.size());
    return least;
  }

  Redis& redis;
  bool stop = false;
  int running = 0;
  int failures = 0;
  std::map<std::string, std::set<std::string>> acknowledged;
};

TEST_F(ClusterTest, a_master_without_a_replica_that_keeps_up_is_noticed) {
  auto const problem = [&] { return test::run(io, problem_of_writes(redis)); };
  auto& replica =
      cluster->node((cluster->master_of(0) + test::RedisCluster::masters) % test::RedisCluster::nodes);
  for (bool const hangs : {false, true}) {
    EXPECT_EQ(problem(), "");
    hangs ? replica.pause() : replica.kill();
    EXPECT_TRUE(test::eventually([&] { return problem().starts_with("a master has 0 of the 1 replicas"); }))
        << hangs;
    Redis content(io, {.url = options.url, .timeout = 3000ms, .replicas_min = 0, .tls_ca = {}}, metrics);
    EXPECT_EQ(test::run(io, problem_of_writes(content)), "");
    hangs ? replica.resume() : replica.start();
    EXPECT_TRUE(test::eventually([&] { return problem().empty(); })) << hangs;
  }
}

TEST_F(ClusterTest, writes_that_wait_for_a_replica_do_not_hold_up_reads_for_ever) {
  auto const master = cluster->master_of(slot_of("load:0"));
  auto const replica = (master + test::RedisCluster::masters) % test::RedisCluster::nodes;
  cluster->node(replica).pause();
  options.timeout = 1000ms;
  Redis impatient(io, options, metrics);
  Load load{.redis = impatient, .acknowledged = {}};
  load.start(io, 40);
  EXPECT_TRUE(test::eventually(io, [&] { return load.failures > 20; }));
  for (int i = 0; i < 5; ++i)
    EXPECT_NO_THROW(test::run(io, impatient.command(Use::read, "load:0", {"SCARD", "load:0"})));
  EXPECT_TRUE(load.acknowledged["load:0"].empty());
  load.stop = true;
  ASSERT_TRUE(test::eventually(io, [&] { return load.running == 0; }));
}

class FailoverTest : public ClusterTest, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(, FailoverTest, testing::Values("kill", "pause"),
                         [](auto const& info) { return info.param; });

TEST_P(FailoverTest, loses_nothing_that_was_acknowledged_and_goes_on_with_the_new_master) {
  Load load{.redis = redis, .acknowledged = {}};
  load.start(io, 40);
  ASSERT_TRUE(test::eventually(io, [&] { return load.acknowledged.size() == 40 && load.least() > 20; }));
  int const slot = slot_of("load:0");
  auto const victim = cluster->master_of(slot);
  if (GetParam() == "kill") {
    cluster->node(victim).kill();
  } else {
    cluster->node(victim).pause();
  }
  std::atomic<bool> promoted = false;
  std::thread watcher([&] {
    cluster->wait_for_new_master(slot, victim);
    promoted = true;
  });
  EXPECT_TRUE(test::eventually(io, [&] { return promoted.load(); }));
  watcher.join();
  // The new master has no replica until the old master is back, so nothing is acknowledged until then. An old
  // master that was only paused believes for a moment that it is still the master.
  cluster->node(victim).start();
  auto const at_return = load.acknowledged["load:0"].size();
  EXPECT_TRUE(test::eventually(io, [&] { return load.acknowledged["load:0"].size() > at_return + 20; }));
  load.stop = true;
  ASSERT_TRUE(test::eventually(io, [&] { return load.running == 0; }));
  std::size_t checked = 0;
  for (auto const& [key, members] : load.acknowledged) {
    auto const reply = test::run(io, redis.command(Use::read, key, {"SMEMBERS", key}));
    std::set<std::string> stored;
    for (std::size_t i = 0; i < reply.size(); ++i) stored.emplace(reply.at(i).text());
    EXPECT_TRUE(std::ranges::includes(stored, members)) << key;
    checked += members.size();
  }
  EXPECT_GT(checked, 800u);
}

TEST_F(ClusterTest, a_cluster_that_is_gone_fails_without_hanging) {
  for (std::size_t i = 0; i < test::RedisCluster::nodes; ++i) cluster->node(i).kill();
  try {
    set(Use::write, "k", "v");
    ADD_FAILURE();
  } catch (StoreError const& error) {
    EXPECT_FALSE(error.outcome_unknown()) << error.what();
  }
  EXPECT_THROW(test::run(io, redis.ping()), StoreError);
}

}  // namespace
}  // namespace larder::redis
