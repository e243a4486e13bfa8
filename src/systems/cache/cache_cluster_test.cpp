// The same cache on a cluster: every object lies in a slot of its own.
#include "systems/cache/cache_test.hpp"

namespace larder::cache {

namespace {

TEST(CacheClusterTest, objects_go_in_and_come_out) {
  test::RedisCluster cluster;
  asio::io_context io{1};
  TestClock clock{{1'800'000'000'000}};
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(cluster.url())}, metrics};
  EventCounts counts;
  CacheShared shared{.setup = {.keys = CacheKeys("drc", "v1"), .keep = {}}, .clock = clock, .counts = counts};
  Cache cache{redis, shared};
  auto const list = [&](CollectionKind kind, std::string parent) {
    return test::run(io, cache.list({.kind = kind, .parent = std::move(parent)}, {})).value().items;
  };
  auto const guild = fmt::format(
      R"({{"t":"GUILD_CREATE","d":{{"id":"1","name":"g","owner_id":"100","channels":[{{"id":"2"}}],"roles":[{{"id":"1"}}],)"
      R"("members":[{{"user":{},"roles":[]}}]}}}})",
      ada);
  auto const message = fmt::format(
      R"({{"t":"MESSAGE_CREATE","d":{{"id":"50","channel_id":"2","guild_id":"1","author":{},"member":{{"nick":"a"}}}}}})",
      ada);
  std::vector<std::string_view> const events = {guild, message};
  ASSERT_TRUE(test::run(io, cache.apply(events)).value().failed.empty());
  ASSERT_TRUE(
      test::run(io, cache.put({.kind = ObjectKind::ban, .parent = "1", .id = "101"}, R"({"reason":"r"})")));
  EXPECT_EQ(list(CollectionKind::members, "1").size(), 1);
  EXPECT_EQ(list(CollectionKind::channels, "1").size(), 1);
  EXPECT_EQ(list(CollectionKind::bans, "1"),
            (std::vector<std::string>{R"({"reason":"r","user":{"id":"101"}})"}));
  EXPECT_EQ(
      list(CollectionKind::messages_of_channel, "2"),
      (std::vector<std::string>{fmt::format(
          R"({{"id":"50","channel_id":"2","guild_id":"1","author":{},"member":{{"roles":[],"nick":"a"}}}})",
          ada)}));
  EXPECT_EQ(test::run(io, cache.get({.kind = ObjectKind::channel, .id = "2"})),
            R"({"id":"2","guild_id":"1","last_message_id":"50"})");
  EXPECT_TRUE(test::run(io, cache.permissions("1", "100", "2")));
  // Nobody can check an index and an object in one step, so an id whose object has expired stays in its
  // index.
  test::run(io, redis.command(redis::Use::write, "drc:v1:bans:1:101", {"DEL", "drc:v1:bans:1:101"}));
  EXPECT_TRUE(list(CollectionKind::bans, "1").empty());
  auto const index = shared.setup.keys.bans_of("1");
  EXPECT_EQ(test::run(io, redis.command(redis::Use::read, index, {"SCARD", index})).integer(), 1);
  EXPECT_TRUE(test::run(io, cache.remove({.kind = ObjectKind::widget, .parent = "1"})).has_value());
}

}  // namespace

}  // namespace larder::cache
