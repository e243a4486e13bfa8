#include "systems/cache/cache_test.hpp"
#include "systems/cache/permissions.hpp"

namespace larder::cache {

namespace {

class CacheReadTest : public CacheTest {
 protected:
  // The names of what member 100 of guild 1 may effectively do, or the refusal.
  std::string rights(std::optional<std::string> channel = {}) {
    auto const found = run(cache.permissions("1", "100", std::move(channel)));
    if (!found) return fmt::format("{}: {}", found.error().code.name, found.error().detail);
    std::string names;
    for (auto const& name : permission_names(found->effective)) names += (names.empty() ? "" : " ") + name;
    return names;
  }
};

TEST_F(CacheReadTest, a_lookup_gives_many_objects_of_all_kinds_in_their_order) {
  apply("GUILD_CREATE", fmt::format(R"({{"id":"1","channels":[{{"id":"2"}}],"roles":[{{"id":"1"}}],)"
                                    R"("members":[{{"user":{},"roles":[]}}]}})",
                                    ada));
  std::vector<ObjectKey> keys;
  for (int i = 0; i < 250; ++i) {
    keys.push_back({.kind = ObjectKind::member, .parent = "1", .id = i % 2 == 0 ? "100" : "999"});
    keys.push_back({.kind = ObjectKind::channel, .parent = "1", .id = "2"});
    keys.push_back({.kind = ObjectKind::role, .parent = "1", .id = "malformed"});
    keys.push_back({.kind = ObjectKind::user, .id = fmt::to_string(100 + i)});
  }
  auto const before = server.stat("total_commands_processed");
  auto const found = run(cache.lookup(keys));
  EXPECT_LE(server.stat("total_commands_processed") - before, 5);
  ASSERT_EQ(found.size(), keys.size());
  EXPECT_EQ(found[0], fmt::format(R"({{"user":{},"roles":[]}})", ada));
  EXPECT_EQ(found[1], R"({"id":"2","guild_id":"1"})");
  EXPECT_EQ(found[2], std::nullopt);
  EXPECT_EQ(found[3], ada);
  EXPECT_EQ(found[4], std::nullopt);
  EXPECT_EQ(found[7], std::nullopt);
  EXPECT_EQ(run(cache.lookup({})).size(), 0);
}

TEST_F(CacheReadTest, what_leads_to_a_channel_lives_as_long_as_the_channel) {
  shared.setup.keep[Resource::channels].ttl = std::chrono::seconds(60);
  apply("CHANNEL_CREATE", R"({"id":"2","guild_id":"1","type":0})");
  EXPECT_EQ(cli({"TTL", "{drc:v1:channels:2}:guild"}), "60");
  cli({"EXPIRE", "{drc:v1:channels:2}:guild", "10"});
  apply("MESSAGE_CREATE", R"({"id":"50","channel_id":"2","guild_id":"1"})");
  EXPECT_EQ(cli({"TTL", "{drc:v1:channels:2}:guild"}), "60");
}

// A user who joins is kept for ever, but a text that the same batch has removed must not come back.
TEST_F(CacheReadTest, a_text_that_was_removed_stays_removed_when_it_is_to_expire) {
  Workspace workspace;
  workspace.remove_text("a");
  workspace.expire_text("a", {});
  EXPECT_FALSE(workspace.all_changes().texts.at("a").only_expire);
  EXPECT_EQ(workspace.text("a"), std::nullopt);
  EXPECT_TRUE(workspace.complete());
}

TEST_F(CacheReadTest, permissions_come_from_roles_overwrites_threads_and_timeouts) {
  EXPECT_EQ(rights(), "not_cached: the guild is not cached");
  apply("GUILD_CREATE",
        R"({"id":"1","owner_id":"7","roles":[{"id":"1","permissions":"1024"},)"
        R"({"id":"5","permissions":"4503599627370496"},{"id":"6","permissions":"8"}],)"
        R"("channels":[{"id":"2","type":0,"permission_overwrites":)"
        R"([{"id":"5","type":0,"allow":"274877906944","deny":"0"},)"
        R"({"id":"100","type":1,"allow":"0","deny":"4503599627370496"}]}],)"
        R"("threads":[{"id":"20","parent_id":"2","type":11},{"id":"21","parent_id":"9","type":11}]})");
  EXPECT_EQ(rights(), "not_cached: the member is not cached");
  apply("GUILD_MEMBER_ADD", fmt::format(R"({{"guild_id":"1","user":{},"roles":["5"]}})", ada));
  EXPECT_EQ(rights(), "VIEW_CHANNEL BYPASS_SLOWMODE");
  EXPECT_EQ(rights("2"), "VIEW_CHANNEL SEND_MESSAGES_IN_THREADS");
  EXPECT_EQ(rights("20"), "VIEW_CHANNEL SEND_MESSAGES_IN_THREADS");
  EXPECT_EQ(rights("21"), "not_cached: the parent of the thread is not cached");
  EXPECT_EQ(rights("3"), "not_cached: the channel is not cached");
  // The clock shows 2027-01-15T08:00:00Z.
  auto const timeout = [&](std::string_view until) {
    apply("GUILD_MEMBER_UPDATE",
          fmt::format(R"({{"guild_id":"1","user":{{"id":"100"}},"communication_disabled_until":"{}"}})",
                      until));
  };
  timeout("2027-01-15T08:00:01.000000+00:00");
  EXPECT_EQ(rights("2"), "VIEW_CHANNEL");
  clock.advance(2'000);
  EXPECT_EQ(rights("2"), "VIEW_CHANNEL SEND_MESSAGES_IN_THREADS");
  apply("GUILD_MEMBER_UPDATE", R"({"guild_id":"1","user":{"id":"100"},"roles":["5","6"]})");
  EXPECT_TRUE(rights("2").starts_with("CREATE_INSTANT_INVITE KICK_MEMBERS"));
  cli({"SADD", "{drc:v1:roles:1}:gone", "6"});
  EXPECT_EQ(rights("2"), "VIEW_CHANNEL SEND_MESSAGES_IN_THREADS");
}

TEST_F(CacheReadTest, events_are_counted_once_and_the_newest_sequence_is_kept) {
  std::vector<std::string_view> const dispatches = {R"({"t":"TYPING_START","d":{},"s":4,"shard":1})",
                                                    R"({"t":"TYPING_START","d":{},"s":5,"shard":1})",
                                                    R"({"t":"NEW_THING","d":{},"s":2})"};
  run(cache.apply(dispatches)).value();
  auto const counted = counts.take();
  EXPECT_EQ(counted.events, (std::map<std::string, std::int64_t>{{"TYPING_START", 2}, {"unknown", 1}}));
  EXPECT_EQ(counted.shards.at(1).sequence, 5);
  EXPECT_EQ(counted.shards.at(0).sequence, 2);
  EXPECT_EQ(counted.shards.at(0).at, clock.now());
  EXPECT_TRUE(counts.take().events.empty());
}

}  // namespace

}  // namespace larder::cache
