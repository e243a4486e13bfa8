// Dispatches that are refused, ignored or unknown, and what the settings keep.
#include "systems/cache/cache_events_test.hpp"

namespace larder::cache {
namespace {

std::string deep(int levels) {
  return std::string(std::size_t(levels), '[') + std::string(std::size_t(levels), ']');
}

// A dispatch is two levels itself.
TEST_F(CacheEventsTest, a_dispatch_may_be_64_levels_deep) {
  auto const with = [](int levels) {
    return dispatch("GUILD_UPDATE", fmt::format(R"({{"id":"1","x":{}}})", deep(levels)));
  };
  auto const report = apply({with(62), with(63)});
  EXPECT_EQ(report.applied, 1);
  ASSERT_EQ(report.failed.size(), 1);
  EXPECT_EQ(report.failed[0].index, 1);
}

// Not even the frame of a dispatch.
std::vector<std::string> bad_frames() {
  return {
      "",
      "null",
      "[]",
      "{",
      R"({"t":"GUILD_BAN_ADD"})",
      R"({"d":{"id":"1"}})",
      R"({"t":7,"d":{}})",
      R"({"t":"","d":{}})",
      R"({"t":"GUILD_UPDATE","d":[]})",
      R"({"t":"GUILD_UPDATE","d":null})",
      R"({"t":"GUILD_UPDATE","t":"GUILD_UPDATE","d":{"id":"1"}})",
      R"({"t":"GUILD_UPDATE","d":{"id":"1"},"s":-1})",
      R"({"t":"GUILD_UPDATE","d":{"id":"1"},"shard":"0"})",
      R"({"t":"GUILD_UPDATE","d":{"id":"1"}} x)",
      dispatch(std::string(65, 'X'), "{}"),
  };
}

// Guilds with something wrong in them.
std::vector<std::string> bad_guilds() {
  return {
      dispatch("GUILD_UPDATE", R"({"id":1})"),
      dispatch("GUILD_UPDATE", R"({"id":""})"),
      dispatch("GUILD_UPDATE", R"({"id":"01"})"),
      dispatch("GUILD_UPDATE", R"({"id":"-1"})"),
      dispatch("GUILD_UPDATE", R"({"id":"1:2"})"),
      dispatch("GUILD_UPDATE", R"({"id":"18446744073709551616"})"),
      dispatch("GUILD_UPDATE", R"({"name":"no id"})"),
      dispatch("GUILD_UPDATE", R"({"id":"1","id":"1"})"),
      dispatch("GUILD_UPDATE", R"({"id":"1","name":"\ud800"})"),
      dispatch("GUILD_UPDATE", R"({"id":"1","name":"\udc00\ud800"})"),
      dispatch("GUILD_UPDATE", "{\"id\":\"1\",\"name\":\"\xff\"}"),
      dispatch("GUILD_UPDATE", R"({"id":"1","roles":{}})"),
      dispatch("GUILD_UPDATE", R"({"id":"1","roles":[{"id":"41"},7]})"),
      dispatch("GUILD_UPDATE", R"({"id":"1","emojis":[{"id":"50"},{"id":null}]})"),
      dispatch("GUILD_CREATE",
               R"({"id":"1","name":"new","members":[{"user":{"id":"5"}},{"user":{"id":"x"}}]})"),
      dispatch("GUILD_CREATE", R"({"id":"1","channels":[{"id":"21"}],"presences":"none"})"),
      dispatch("GUILD_CREATE", R"({"id":"1","threads":[{"id":"31","parent_id":"x"}]})"),
      dispatch("READY", R"({"user":{"id":"9"},"guilds":[{"id":"1"},{"id":"x"}]})"),
      dispatch("READY", R"({"user":{"id":"9"},"guilds":[],"shard":[2,2]})"),
      dispatch("READY", R"({"guilds":[]})"),
      dispatch("GUILD_DELETE", R"({"id":null})"),
  };
}

std::string many_ids(int count) {
  std::string ids;
  for (int i = 0; i < count; ++i) ids += fmt::format("{}\"{}\"", i == 0 ? "" : ",", 1000 + i);
  return ids;
}

// Other events with something wrong in them.
std::vector<std::string> bad_events() {
  return {
      dispatch("GUILD_MEMBER_ADD", R"({"guild_id":"1"})"),
      dispatch("GUILD_MEMBER_ADD", R"({"guild_id":"1","user":"7"})"),
      dispatch("GUILD_MEMBER_REMOVE", R"({"guild_id":"x","user":{"id":"7"}})"),
      dispatch("GUILD_MEMBERS_CHUNK",
               R"({"guild_id":"1","members":[{"user":{"id":"5","username":"eve"}},{}]})"),
      dispatch("GUILD_ROLE_CREATE", R"({"guild_id":"1","role":[]})"),
      dispatch("GUILD_ROLE_DELETE", R"({"guild_id":"1","role_id":40})"),
      dispatch("MESSAGE_CREATE", R"({"id":"60","guild_id":"1"})"),
      dispatch(
          "MESSAGE_CREATE",
          R"({"id":"60","channel_id":"20","guild_id":"1","author":{"id":"7","username":"x"},"mentions":[1]})"),
      dispatch("MESSAGE_CREATE", R"({"id":"60","channel_id":"20","author":{"id":"7","id":"7"}})"),
      dispatch("MESSAGE_CREATE", R"({"id":"60","channel_id":"20","referenced_message":{"id":"59"}})"),
      dispatch("MESSAGE_DELETE_BULK", R"({"ids":["60",61],"channel_id":"20"})"),
      dispatch("MESSAGE_DELETE_BULK", fmt::format(R"({{"ids":[{}],"channel_id":"20"}})", many_ids(1001))),
      dispatch("INTERACTION_CREATE", R"({"id":"65","type":2,"\u0074oken":"secret"})"),
      dispatch("MESSAGE_REACTION_ADD",
               R"({"message_id":"60","channel_id":"20","user_id":"7","emoji":{"name":"a:b"}})"),
      dispatch("MESSAGE_REACTION_ADD",
               R"({"message_id":"60","channel_id":"20","user_id":"7","emoji":{"name":""}})"),
      dispatch("MESSAGE_REACTION_ADD",
               R"({"message_id":"60","channel_id":"20","user_id":"7","emoji":{"name":"\u0001"}})"),
      dispatch("MESSAGE_REACTION_ADD",
               fmt::format(R"({{"message_id":"60","channel_id":"20","user_id":"7","emoji":{{"name":"{}"}}}})",
                           std::string(65, 'e'))),
      dispatch("MESSAGE_REACTION_ADD",
               R"({"message_id":"60","channel_id":"20","user_id":"7","emoji":{"id":"x","name":"e"}})"),
      dispatch("MESSAGE_POLL_VOTE_ADD",
               R"({"message_id":"60","channel_id":"20","user_id":"7","answer_id":"1"})"),
      dispatch("INVITE_CREATE", R"({"guild_id":"1","channel_id":"20","code":"a:b"})"),
      dispatch("INVITE_CREATE", R"({"guild_id":"1","channel_id":"20","code":7})"),
      dispatch("INVITE_DELETE", R"({"guild_id":"1","code":""})"),
      dispatch("THREAD_MEMBERS_UPDATE", R"({"id":"30","guild_id":"1","added_members":[{"user_id":"7"},{}]})"),
      dispatch("THREAD_MEMBERS_UPDATE", R"({"id":"30","guild_id":"1","removed_member_ids":[7]})"),
      dispatch("THREAD_LIST_SYNC", R"({"guild_id":"1","channel_ids":[20],"threads":[],"members":[]})"),
      dispatch("INTERACTION_CREATE", R"({"id":"65","data":{"resolved":{"users":{"x":{"id":"5"}}}}})"),
      dispatch("STAGE_INSTANCE_CREATE", R"({"id":"70","guild_id":"1"})"),
      dispatch("VOICE_STATE_UPDATE", R"({"guild_id":"1","user_id":"7","channel_id":20})"),
      dispatch("GUILD_SCHEDULED_EVENT_USER_ADD", R"({"guild_id":"1","guild_scheduled_event_id":"73"})"),
      dispatch("GUILD_SOUNDBOARD_SOUNDS_UPDATE",
               R"({"guild_id":"1","soundboard_sounds":[{"name":"no id"}]})"),
  };
}

TEST_F(CacheEventsTest, a_malformed_dispatch_fails_alone) {
  auto cases = bad_frames();
  for (auto const& more : {bad_guilds(), bad_events()}) cases.insert(cases.end(), more.begin(), more.end());
  know_a_guild();
  auto const before = snapshot();
  for (auto const& text : cases) {
    SCOPED_TRACE(text);
    auto const report =
        apply({dispatch("TYPING_START", "{}"), text, dispatch("GUILD_UPDATE", R"({"id":"1","name":"G"})")});
    EXPECT_EQ(report.applied, 1);
    EXPECT_EQ(report.ignored, 1);
    EXPECT_TRUE(report.unknown.empty());
    ASSERT_EQ(report.failed.size(), 1);
    EXPECT_EQ(report.failed[0].index, 1);
    EXPECT_EQ(report.failed[0].code, "invalid_dispatch");
    EXPECT_FALSE(report.failed[0].detail.empty());
    ASSERT_EQ(differences(before, snapshot()), "");
  }
}

TEST_F(CacheEventsTest, ignored_and_unknown_events_change_nothing) {
  know_a_guild();
  auto const before = snapshot();
  std::vector<std::string> ignored;
  for (auto const* const name :
       {"APPLICATION_COMMAND_PERMISSIONS_UPDATE", "AUTO_MODERATION_ACTION_EXECUTION",
        "GUILD_AUDIT_LOG_ENTRY_CREATE", "CHANNEL_INFO", "ENTITLEMENT_CREATE", "ENTITLEMENT_UPDATE",
        "ENTITLEMENT_DELETE", "SUBSCRIPTION_CREATE", "SUBSCRIPTION_UPDATE", "SUBSCRIPTION_DELETE",
        "TYPING_START", "VOICE_CHANNEL_EFFECT_SEND", "VOICE_SERVER_UPDATE", "RESUMED", "RATE_LIMITED",
        "GUILD_INTEGRATIONS_UPDATE"}) {
    ignored.push_back(dispatch(name, R"({"id":"1","guild_id":"1","user_id":"7","token":"t"})"));
  }
  auto const count = ignored.size();
  for (auto const* const name : {"NEW_THING", "NEW_THING", "guild_delete"})
    ignored.push_back(dispatch(name, R"({"id":"1"})"));
  ignored.push_back(dispatch("PRESENCES_REPLACE", "[]"));
  auto const report = apply(ignored);
  EXPECT_EQ(report.ignored, count);
  EXPECT_EQ(report.applied, 0);
  EXPECT_EQ(report.unknown, (std::map<std::string, std::size_t>{
                                {"NEW_THING", 2}, {"PRESENCES_REPLACE", 1}, {"guild_delete", 1}}));
  EXPECT_TRUE(report.failed.empty());
  EXPECT_EQ(differences(before, snapshot()), "");
}

TEST_F(CacheEventsTest, what_is_not_kept_is_not_written) {
  for (auto const resource : {Resource::users, Resource::presences, Resource::messages, Resource::reactions,
                              Resource::roles, Resource::members, Resource::threads, Resource::channels}) {
    shared_.setup.keep[resource].kept = false;
  }
  know_a_guild();
  apply_each(
      {{"PRESENCE_UPDATE", R"({"guild_id":"1","status":"idle","user":{"id":"7"}})"},
       {"GUILD_ROLE_DELETE", R"({"guild_id":"1","role_id":"40"})"},
       {"MESSAGE_CREATE",
        R"({"id":"60","channel_id":"20","guild_id":"1","author":{"id":"7","username":"ada"},"member":{}})"},
       {"MESSAGE_REACTION_ADD",
        R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","emoji":{"name":"x"}})"}});
  EXPECT_EQ(differences(with_changes({}, R"({"{drc:v1}:self":9,"guilds set":["1"],
    "guilds:1":{"id":"1","name":"G","member_count":2,"unavailable":false}})"),
                        snapshot()),
            "");
}

TEST_F(CacheEventsTest, what_is_kept_for_a_time_expires) {
  for (auto const& [resource, seconds] :
       {std::pair(Resource::members, 100), std::pair(Resource::channels, 200),
        std::pair(Resource::guilds, 300), std::pair(Resource::users, 400),
        std::pair(Resource::presences, 500)}) {
    shared_.setup.keep[resource].ttl = std::chrono::seconds(seconds);
  }
  know_a_guild();
  apply_each({{"PRESENCE_UPDATE", R"({"guild_id":"1","status":"idle","user":{"id":"7"}})"}});
  for (auto const& [name, seconds] :
       {std::pair("members:1:7", 100), std::pair("channels:1", 200), std::pair("guilds:1", 300),
        std::pair("users:7", 400), std::pair("users:9", 400), std::pair("presence:1:7", 500)}) {
    EXPECT_GT(ttl_s(name), seconds - 60) << name;
    EXPECT_LE(ttl_s(name), seconds) << name;
  }
  EXPECT_EQ(ttl_s("roles:1"), -1);
}

// A message is as old as its id says.
TEST_F(CacheEventsTest, messages_are_kept_for_a_time_after_they_were_sent) {
  shared_.setup.keep[Resource::messages].ttl = std::chrono::hours(24);
  auto const sent = [](std::int64_t hours_ago) {
    return std::to_string(std::uint64_t(now_ms - 1'420'070'400'000 - hours_ago * 3'600'000) << 22U);
  };
  for (auto const hours_ago : {0, 20, 25}) {
    auto const d = fmt::format(R"({{"id":"{}","channel_id":"20"}})", sent(hours_ago));
    apply_each({{"MESSAGE_CREATE", d.c_str()}});
  }
  EXPECT_GT(ttl_s("messages:" + sent(0)), 86'000);
  EXPECT_LE(ttl_s("messages:" + sent(0)), 86'400);
  EXPECT_GT(ttl_s("messages:" + sent(20)), 14'000);
  EXPECT_LE(ttl_s("messages:" + sent(20)), 14'400);
  EXPECT_EQ(ttl_s("messages:" + sent(25)), -2);
}

}  // namespace
}  // namespace larder::cache
