// What goes in as an event comes out as Discord's API has it.
#include "systems/cache/cache_test.hpp"

namespace larder::cache {

namespace {

struct RoundTrip {
  std::string_view event;
  std::string d;
  std::vector<std::string_view> key;
  std::string whole;
};

// Objects that come out exactly as they went in.
RoundTrip same(std::string_view event, std::string d, std::vector<std::string_view> key) {
  return {event, d, std::move(key), d};
}

std::vector<RoundTrip> round_trips() {
  auto const scheduled =
      fmt::format(R"({{"id":"7","guild_id":"1","creator_id":"100","creator":{},"entity":[]}})", ada);
  auto const invite = fmt::format(
      R"({{"code":"aB-3","guild_id":"1","channel_id":"2","inviter":{},"target_user":{},"max_age":0}})", ada,
      bob);
  auto const voice = fmt::format(
      R"({{"guild_id":"1","channel_id":"2","user_id":"100","member":{{"user":{},"roles":[],"nick":null}},"mute":false}})",
      ada);
  return {
      same("AUTO_MODERATION_RULE_CREATE", R"({"id":"9","guild_id":"1","name":"no","actions":[]})",
           {"automod_rule", "1", "9"}),
      same("CHANNEL_CREATE",
           R"({"id":"2","guild_id":"1","type":0,"permission_overwrites":[],"new_field":1.0})",
           {"channel", "1", "2"}),
      same("CHANNEL_CREATE", R"({"id":"2","guild_id":"1","type":0})", {"channel", "2"}),
      same("CHANNEL_CREATE", fmt::format(R"({{"id":"3","type":1,"recipients":[{},{}]}})", ada, bob),
           {"channel", "3"}),
      same("CHANNEL_CREATE", fmt::format(R"({{"id":"3","type":1,"recipients":[{}]}})", ada),
           {"channel", "@me", "3"}),
      {"GUILD_BAN_ADD",
       fmt::format(R"({{"guild_id":"1","user":{}}})", ada),
       {"ban", "1", "100"},
       fmt::format(R"({{"reason":null,"user":{}}})", ada)},
      {"GUILD_MEMBER_ADD",
       fmt::format(R"({{"guild_id":"1","user":{},"roles":["5"],"joined_at":"x"}})", ada),
       {"member", "1", "100"},
       fmt::format(R"({{"user":{},"roles":["5"],"joined_at":"x"}})", ada)},
      {"GUILD_MEMBER_ADD",
       fmt::format(R"({{"guild_id":"1","user":{}}})", ada),
       {"user", "100"},
       std::string(ada)},
      {"GUILD_ROLE_CREATE",
       R"({"guild_id":"1","role":{"id":"5","permissions":"9007199254740993"}})",
       {"role", "1", "5"},
       R"({"id":"5","permissions":"9007199254740993"})"},
      same("GUILD_SCHEDULED_EVENT_CREATE", scheduled, {"scheduled_event", "1", "7"}),
      {"GUILD_EMOJIS_UPDATE",
       fmt::format(R"({{"guild_id":"1","emojis":[{{"id":"8","user":{}}}]}})", ada),
       {"emoji", "1", "8"},
       fmt::format(R"({{"id":"8","user":{}}})", ada)},
      {"GUILD_STICKERS_UPDATE",
       fmt::format(R"({{"guild_id":"1","stickers":[{{"id":"8","user":{}}}]}})", ada),
       {"sticker", "1", "8"},
       fmt::format(R"({{"id":"8","user":{}}})", ada)},
      {"INTEGRATION_CREATE",
       fmt::format(R"({{"id":"6","guild_id":"1","user":{}}})", ada),
       {"integration", "1", "6"},
       fmt::format(R"({{"id":"6","user":{}}})", ada)},
      same("INVITE_CREATE", invite, {"invite", "aB-3"}),
      same("INVITE_CREATE", invite, {"invite", "1", "aB-3"}),
      {"PRESENCE_UPDATE",
       fmt::format(R"({{"user":{},"guild_id":"1","status":"idle","activities":[]}})", ada),
       {"presence", "1", "100"},
       R"({"user":{"id":"100"},"guild_id":"1","status":"idle","activities":[]})"},
      same("STAGE_INSTANCE_CREATE", R"({"id":"4","guild_id":"1","channel_id":"2","topic":"t"})",
           {"stage_instance", "2"}),
      same("THREAD_CREATE", R"({"id":"20","guild_id":"1","parent_id":"2","type":11})", {"thread", "20"}),
      same("THREAD_CREATE", R"({"id":"20","guild_id":"1","parent_id":"2","type":11})", {"channel", "20"}),
      same("THREAD_CREATE", R"({"id":"20","guild_id":"1","parent_id":"2","type":11})",
           {"channel", "1", "20"}),
      same("VOICE_STATE_UPDATE", voice, {"voice_state", "1", "100"}),
      same("USER_UPDATE", std::string(ada), {"user", "100"}),
  };
}

class AssembleTest : public CacheTest {};

TEST_F(AssembleTest, what_an_event_brings_comes_out_in_discords_form) {
  for (auto const& [event, d, key, whole] : round_trips()) {
    cli({"FLUSHALL"});
    apply(event, d);
    EXPECT_EQ(get(key), whole) << event;
  }
}

TEST_F(AssembleTest, what_is_stored_comes_out_raw) {
  apply("GUILD_MEMBER_ADD", fmt::format(R"({{"guild_id":"1","user":{},"roles":[]}})", ada));
  apply("GUILD_BAN_ADD", fmt::format(R"({{"guild_id":"1","user":{}}})", ada));
  EXPECT_EQ(get({"member", "1", "100"}, Form::raw), R"({"user":"100","roles":[]})");
  EXPECT_EQ(get({"ban", "1", "100"}, Form::raw), "null");
}

TEST_F(AssembleTest, a_nested_user_that_is_not_cached_has_only_its_id) {
  apply("GUILD_MEMBER_ADD", fmt::format(R"({{"guild_id":"1","user":{},"roles":[]}})", ada));
  cli({"DEL", "drc:v1:users:100"});
  EXPECT_EQ(get({"member", "1", "100"}), R"({"user":{"id":"100"},"roles":[]})");
  EXPECT_EQ(get({"user", "100"}), "not cached");
}

TEST_F(AssembleTest, a_text_that_is_not_json_is_not_cached) {
  cli({"SET", "drc:v1:users:100", "{\"id\":"});
  cli({"SET", "drc:v1:users:101", "[1]"});
  cli({"SET", "drc:v1:members:1:100", R"( {"user" : "100"} )"});
  EXPECT_EQ(get({"user", "100"}), "not cached");
  EXPECT_EQ(get({"user", "101"}), "not cached");
  EXPECT_EQ(get({"member", "1", "100"}), R"({"user":{"id":"100"}})");
}

TEST_F(AssembleTest, a_reason_may_have_been_stored_without_quotes) {
  cli({"SET", "drc:v1:bans:1:100", "being rude"});
  cli({"SET", "drc:v1:bans:1:101", "\"spam\""});
  EXPECT_EQ(get({"ban", "1", "100"}), R"({"reason":"being rude","user":{"id":"100"}})");
  EXPECT_EQ(get({"ban", "1", "101"}), R"({"reason":"spam","user":{"id":"101"}})");
}

TEST_F(AssembleTest, a_guild_has_its_roles_emojis_and_stickers_in_order) {
  apply("GUILD_CREATE",
        fmt::format(
            R"({{"id":"1","name":"g","member_count":1,"roles":[{{"id":"10"}},{{"id":"9"}},{{"id":"1"}}],)"
            R"("emojis":[{{"id":"8","user":{}}}],"stickers":[],"channels":[{{"id":"2","type":0}}],)"
            R"("members":[{{"user":{},"roles":[]}}],"features":[],)"
            R"("soundboard_sounds":[{{"sound_id":"3","user":{}}}]}})",
            ada, bob, bob));
  EXPECT_EQ(
      get({"guild", "1"}),
      fmt::format(R"({{"id":"1","name":"g","member_count":1,"features":[],)"
                  R"("soundboard_sounds":[{{"sound_id":"3","user":{}}}],)"
                  R"("roles":[{{"id":"1"}},{{"id":"9"}},{{"id":"10"}}],"emojis":[{{"id":"8","user":{}}}],)"
                  R"("stickers":[]}})",
                  bob, ada));
  EXPECT_EQ(get({"channel", "2"}), R"({"id":"2","type":0,"guild_id":"1"})");
}

TEST_F(AssembleTest, a_guild_that_was_never_available_has_only_its_id) {
  apply("GUILD_CREATE", R"({"id":"1","unavailable":true})");
  EXPECT_EQ(get({"guild", "1"}), R"({"id":"1","unavailable":true})");
}

TEST_F(AssembleTest, a_channel_is_found_without_its_guild_as_long_as_it_exists) {
  auto const with_channels = [](std::string_view channels) {
    return fmt::format(R"({{"id":"1","channels":[{}]}})", channels);
  };
  apply("GUILD_CREATE", with_channels(R"({"id":"2"},{"id":"3"},{"id":"4"})"));
  EXPECT_EQ(get({"channel", "3"}), R"({"id":"3","guild_id":"1"})");
  apply("GUILD_CREATE", with_channels(R"({"id":"2"},{"id":"4"})"));
  apply("CHANNEL_DELETE", R"({"id":"2","guild_id":"1"})");
  EXPECT_EQ(cli({"KEYS", "{drc:v1:channels:*}:guild"}), "{drc:v1:channels:4}:guild");
  apply("GUILD_DELETE", R"({"id":"1"})");
  EXPECT_EQ(cli({"KEYS", "*"}), "");
}

TEST_F(AssembleTest, an_object_of_another_guild_is_not_found) {
  apply("THREAD_CREATE", R"({"id":"20","guild_id":"1","parent_id":"2","type":11})");
  EXPECT_EQ(get({"thread", "5", "20"}), "not cached");
  EXPECT_EQ(get({"channel", "5", "20"}), "not cached");
}

TEST_F(AssembleTest, a_deleted_role_is_left_out_of_members) {
  apply("GUILD_MEMBER_ADD", fmt::format(R"({{"guild_id":"1","user":{},"roles":["5","6"]}})", ada));
  cli({"SADD", "{drc:v1:roles:1}:gone", "5"});
  EXPECT_EQ(get({"member", "1", "100"}), fmt::format(R"({{"user":{},"roles":["6"]}})", ada));
}

TEST_F(AssembleTest, thread_members_have_their_member) {
  apply("THREAD_CREATE", R"({"id":"20","guild_id":"1","parent_id":"2","type":11})");
  apply("THREAD_MEMBERS_UPDATE",
        fmt::format(
            R"({{"id":"20","guild_id":"1","member_count":1,"added_members":[{{"id":"20","user_id":"100",)"
            R"("flags":0,"member":{{"user":{},"roles":[]}},"presence":null}}]}})",
            ada));
  EXPECT_EQ(get({"thread_member", "20", "100"}),
            fmt::format(R"({{"id":"20","user_id":"100","flags":0,"member":{{"user":{},"roles":[]}}}})", ada));
}

TEST_F(AssembleTest, an_application_has_its_users) {
  auto const application = fmt::format(
      R"({{"id":"30","owner":{0},"bot":{1},"team":{{"id":"31","members":[{{"user":{0},"role":"admin"}}]}}}})",
      ada, bob);
  EXPECT_EQ(put({"application", "30"}, application), "ok");
  EXPECT_EQ(get({"application", "30"}), application);
  EXPECT_EQ(
      get({"application", "30"}, Form::raw),
      R"({"id":"30","owner":"100","bot":"101","team":{"id":"31","members":[{"user":"100","role":"admin"}]}})");
}

}  // namespace

}  // namespace larder::cache
