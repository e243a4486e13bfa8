// What the events of guilds and members change: every row of the table, with every key that Redis then has.
#include "systems/cache/cache_events_test.hpp"

namespace larder::cache {
namespace {

TEST_F(CacheEventsTest, a_guild_is_taken_apart) {
  know_a_guild();
  Snapshot const expected = with_changes({}, R"({
    "{drc:v1}:self": 9,
    "guilds set": ["1"],
    "guilds:1": {"id":"1","name":"G","member_count":2,"unavailable":false},
    "channels:1 hash": {"20": {"id":"20","type":0,"last_message_id":null,"guild_id":"1"}},
    "{channels:20}:guild": 1,
    "roles:1 hash": {"1": {"id":"1"}, "40": {"id":"40","name":"mods"}},
    "threads:30": {"id":"30","type":11,"parent_id":"20","message_count":0,"guild_id":"1"},
    "{guilds:1}:threads hash": {"30":"20"},
    "members:1 set": ["7","8"],
    "members:1:7": {"user":"7","roles":["40"]},
    "members:1:8": {"user":"8","roles":[]},
    "users:7": {"id":"7","username":"ada"},
    "users:8": {"id":"8","username":"bob"},
    "users:9 ttl": {"id":"9","username":"bot"},
    "{users:7}:guilds set": ["1"],
    "{users:8}:guilds set": ["1"]})");
  EXPECT_EQ(differences(expected, snapshot()), "");
}

TEST_F(CacheEventsTest, guilds_come_and_go) {
  check({
      {"READY names guilds of this shard",
       {{"READY",
         R"({"user":{"id":"9","username":"bot","bio":"b"},"shard":[0,2],"guilds":[{"id":"1"},{"id":"2"}],
          "application":{"id":"9","flags":18446744073709551615}})"}},
       R"({"guilds set":["1","2"],"users:9 ttl":{"id":"9","username":"bot","bio":"b"},
           "applications:9":{"id":"9","flags":18446744073709551615}})"},
      {"READY of another shard leaves guilds that it does not name",
       {{"READY", R"({"user":{"id":"9"},"shard":[1,2],"guilds":[]})"}},
       "{}"},
      {"READY without a guild of this shard removes everything of that guild",
       {{"READY", R"({"user":{"id":"9"},"shard":[0,2],"guilds":[]})"}},
       R"({"guilds set":"gone","guilds:1":"gone","channels:1 hash":"gone","{channels:20}:guild":"gone","roles:1 hash":"gone","threads:30":"gone",
           "{guilds:1}:threads hash":"gone","members:1 set":"gone","members:1:7":"gone","members:1:8":"gone",
           "{users:7}:guilds set":"gone","{users:8}:guilds set":"gone","users:7":"gone","users:8":"gone",
           "users:7 ttl":{"id":"7","username":"ada"},"users:8 ttl":{"id":"8","username":"bob"}})"},
      {"an unavailable guild is only marked",
       {{"GUILD_CREATE", R"({"id":"1","unavailable":true})"}},
       R"({"guilds:1":{"id":"1","name":"G","member_count":2,"unavailable":true}})"},
      {"an unknown unavailable guild is known from then on",
       {{"GUILD_CREATE", R"({"id":"5","unavailable":true})"}},
       R"({"guilds set":["1","5"],"guilds:5":{"id":"5","unavailable":true}})"},
      {"a deleted guild that is only unavailable keeps everything",
       {{"GUILD_DELETE", R"({"id":"1","unavailable":true})"}},
       R"({"guilds:1":{"id":"1","name":"G","member_count":2,"unavailable":true}})"},
      {"an update merges the guild and replaces the lists that it has",
       {{"GUILD_UPDATE",
         R"({"id":"1","name":"H","roles":[{"id":"41"}],"emojis":[{"id":"50","user":{"id":"7"}}]})"}},
       R"({"guilds:1":{"id":"1","name":"H","member_count":2,"unavailable":false},
           "roles:1 hash":{"41":{"id":"41"}},"emojis:1 hash":{"50":{"id":"50","user":"7"}}})"},
      {"an update of an unknown guild stores what it has",
       {{"GUILD_UPDATE", R"({"id":"6","name":"new"})"}},
       R"({"guilds set":["1","6"],"guilds:6":{"id":"6","name":"new"}})"},
  });
}

TEST_F(CacheEventsTest, a_deleted_guild_leaves_only_strangers) {
  know_a_guild();
  put_webhook(R"({"id":"90","guild_id":"1","channel_id":"20","application_id":null})");
  apply_each({
      {"MESSAGE_CREATE", R"({"id":"60","channel_id":"20","guild_id":"1","author":{"id":"7"},"poll":{}})"},
      {"MESSAGE_CREATE", R"({"id":"61","channel_id":"30","guild_id":"1","author":{"id":"7"}})"},
      {"MESSAGE_REACTION_ADD",
       R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","emoji":{"name":"x"}})"},
      {"MESSAGE_REACTION_ADD",
       R"({"message_id":"62","channel_id":"21","guild_id":"1","user_id":"7","emoji":{"name":"x"}})"},
      {"MESSAGE_POLL_VOTE_ADD",
       R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","answer_id":1})"},
      {"THREAD_MEMBER_UPDATE", R"({"id":"30","guild_id":"1","user_id":"9","flags":1})"},
      {"THREAD_MEMBERS_UPDATE", R"({"id":"39","guild_id":"1","added_members":[{"user_id":"7"}]})"},
      {"PRESENCE_UPDATE", R"({"guild_id":"1","status":"idle","user":{"id":"7"}})"},
      {"PRESENCE_UPDATE", R"({"guild_id":"1","status":"idle","user":{"id":"77"}})"},
      {"VOICE_STATE_UPDATE", R"({"guild_id":"1","user_id":"7","channel_id":"20"})"},
      {"GUILD_BAN_ADD", R"({"guild_id":"1","user":{"id":"66"}})"},
      {"INVITE_CREATE", R"({"guild_id":"1","channel_id":"20","code":"abc"})"},
      {"STAGE_INSTANCE_CREATE", R"({"id":"70","guild_id":"1","channel_id":"20"})"},
      {"INTEGRATION_CREATE", R"({"id":"71","guild_id":"1"})"},
      {"AUTO_MODERATION_RULE_CREATE", R"({"id":"72","guild_id":"1"})"},
      {"GUILD_SCHEDULED_EVENT_CREATE", R"({"id":"73","guild_id":"1"})"},
      {"GUILD_SCHEDULED_EVENT_USER_ADD", R"({"guild_scheduled_event_id":"73","guild_id":"1","user_id":"7"})"},
      {"GUILD_EMOJIS_UPDATE", R"({"guild_id":"1","emojis":[{"id":"74"}]})"},
      {"GUILD_STICKERS_UPDATE", R"({"guild_id":"1","stickers":[{"id":"75"}]})"},
      {"GUILD_DELETE", R"({"id":"1"})"},
  });
  Snapshot const left = with_changes({}, R"({"{drc:v1}:self":9,"users:7 ttl":{"id":"7","username":"ada"},
    "users:8 ttl":{"id":"8","username":"bob"},"users:9 ttl":{"id":"9","username":"bot"}})");
  EXPECT_EQ(differences(left, snapshot()), "");
}

// More than one step can remove. Some of it goes in the same request.
TEST_F(CacheEventsTest, a_large_guild_and_a_large_channel_are_removed_to_their_end) {
  auto const bytes = [&] { return server_.stat("used_memory_dataset"); };
  auto const bytes_before = bytes();
  std::string members;
  std::vector<std::string> messages;
  std::vector<std::string> last;
  for (int i = 0; i < 1200; ++i) {
    members += fmt::format(R"({}{{"user":{{"id":"{}"}}}})", members.empty() ? "" : ",", 10'000 + i);
    messages.push_back(
        dispatch("MESSAGE_CREATE",
                 fmt::format(R"({{"id":"{}","channel_id":"22","content":"{:x>4000}"}})", 20'000 + i, "")));
    if (i % 20 != 0) continue;
    last.push_back(dispatch("GUILD_MEMBER_REMOVE",
                            fmt::format(R"({{"guild_id":"1","user":{{"id":"{}"}}}})", 10'000 + i)));
    last.push_back(dispatch("MESSAGE_DELETE", fmt::format(R"({{"id":"{}","channel_id":"22"}})", 20'000 + i)));
  }
  apply({dispatch("GUILD_MEMBERS_CHUNK", fmt::format(R"({{"guild_id":"1","members":[{}]}})", members))});
  apply(messages);
  last.push_back(dispatch("GUILD_DELETE", R"({"id":"1"})"));
  last.push_back(dispatch("CHANNEL_DELETE", R"({"id":"22","type":1})"));
  auto const bytes_of_both = bytes() - bytes_before;
  apply(last);
  EXPECT_EQ(differences({}, snapshot()), "");
  // Buffers of Redis count, too.
  EXPECT_TRUE(test::eventually([&] { return bytes() - bytes_before < bytes_of_both / 3; }))
      << bytes() << " of " << bytes_of_both;
}

TEST_F(CacheEventsTest, lists_of_a_guild_create_replace_what_was_cached) {
  check({
      {"hashes are replaced, a full list of members too; archived threads stay",
       {{"THREAD_UPDATE",
         R"({"id":"31","guild_id":"1","type":11,"parent_id":"20","thread_metadata":{"archived":true}})"},
        {"PRESENCE_UPDATE", R"({"guild_id":"1","status":"idle","user":{"id":"7"}})"},
        {"GUILD_CREATE", R"({"id":"1","member_count":1,"channels":[{"id":"21","type":2}],"roles":[],
           "emojis":[{"id":"50"}],"stickers":[{"id":"51","user":{"id":"8","username":"bob"}}],
           "voice_states":[{"user_id":"8","channel_id":"21"}],"members":[{"user":{"id":"8"},"nick":null}],
           "presences":[{"user":{"id":"8"},"status":"dnd"}],"stage_instances":[{"id":"70","channel_id":"21"}],
           "guild_scheduled_events":[{"id":"73","creator":{"id":"8"},"user_count":3}],
           "threads":[{"id":"32","type":11,"parent_id":"21","member":{"flags":1}}],
           "soundboard_sounds":[{"sound_id":"80","user":{"id":"8"}}]})"}},
       R"({"guilds:1":{"id":"1","member_count":1,"soundboard_sounds":[{"sound_id":"80","user":"8"}]},
           "channels:1 hash":{"21":{"id":"21","type":2,"guild_id":"1"}},
           "{channels:20}:guild":"gone","{channels:21}:guild":1,"roles:1 hash":"gone",
           "emojis:1 hash":{"50":{"id":"50"}},"stickers:1 hash":{"51":{"id":"51","user":"8"}},
           "voice-states:1 hash":{"8":{"user_id":"8","channel_id":"21","guild_id":"1"}},
           "members:1 set":["8"],"members:1:8":{"user":"8","nick":null},"members:1:7":"gone","users:7":"gone",
           "users:7 ttl":{"id":"7","username":"ada"},"{users:7}:guilds set":"gone",
           "presence:1:8":{"user":"8","status":"dnd","guild_id":"1"},"{guilds:1}:presences set":["8"],
           "stage-instances:21":{"id":"70","channel_id":"21","guild_id":"1"},"{guilds:1}:stages set":["21"],
           "scheduled-events:1 hash":{"73":{"id":"73","creator":"8","user_count":3}},
           "threads:30":"gone","threads:32":{"id":"32","type":11,"parent_id":"21","guild_id":"1"},
           "threads:31":{"id":"31","guild_id":"1","type":11,"parent_id":"20","thread_metadata":{"archived":true}},
           "thread-members:32 hash":{"9":{"flags":1,"id":"32","user_id":"9"}},
           "{guilds:1}:threads hash":{"31":"20","32":"21"}})"},
      {"a partial list of members is added",
       {{"PRESENCE_UPDATE", R"({"guild_id":"1","status":"idle","user":{"id":"7"}})"},
        {"GUILD_CREATE",
         R"({"id":"1","member_count":70000,"large":true,"channels":[{"id":"20"}],"roles":[{"id":"1"}],
           "threads":[{"id":"30","parent_id":"20"}],"members":[{"user":{"id":"5","username":"eve"}}],
           "presences":[{"user":{"id":"5"},"status":"online"}]})"}},
       R"({"guilds:1":{"id":"1","member_count":70000,"large":true},"channels:1 hash":{"20":{"id":"20","guild_id":"1"}},
           "roles:1 hash":{"1":{"id":"1"}},"threads:30":{"id":"30","parent_id":"20","guild_id":"1"},
           "members:1 set":["5","7","8"],"members:1:5":{"user":"5"},"users:5":{"id":"5","username":"eve"},
           "{users:5}:guilds set":["1"],"{guilds:1}:presences set":["5","7"],
           "presence:1:5":{"user":"5","status":"online","guild_id":"1"},
           "presence:1:7":{"user":"7","status":"idle","guild_id":"1"}})"},
  });
}

TEST_F(CacheEventsTest, somebody_who_has_left_is_a_stranger) {
  check({
      {"somebody who has left and is named again is a stranger",
       {{"GUILD_MEMBER_REMOVE", R"({"guild_id":"1","user":{"id":"7"}})"},
        {"GUILD_BAN_ADD", R"({"guild_id":"1","user":{"id":"7","username":"ada"}})"}},
       R"({"members:1 set":["8"],"members:1:7":"gone","{users:7}:guilds set":"gone","users:7":"gone",
           "users:7 ttl":{"id":"7","username":"ada"},"bans:1:7":null,"{guilds:1}:bans set":["7"],
           "guilds:1":{"id":"1","name":"G","member_count":1,"unavailable":false}})"},
  });
}

TEST_F(CacheEventsTest, members_come_and_go) {
  check({
      {"a new member counts once",
       {{"GUILD_MEMBER_ADD", R"({"guild_id":"1","user":{"id":"5","username":"eve"},"roles":[]})"}},
       R"({"members:1 set":["5","7","8"],"members:1:5":{"user":"5","roles":[]},"users:5":{"id":"5","username":"eve"},
           "{users:5}:guilds set":["1"],"guilds:1":{"id":"1","name":"G","member_count":3,"unavailable":false}})"},
      {"a known member who is added again does not count",
       {{"GUILD_MEMBER_ADD", R"({"guild_id":"1","user":{"id":"7"},"nick":"a"})"}},
       R"({"members:1:7":{"user":"7","nick":"a"}})"},
      {"an update merges the member and the user",
       {{"GUILD_MEMBER_UPDATE", R"({"guild_id":"1","user":{"id":"7","bot":false},"nick":"a"})"}},
       R"({"members:1:7":{"user":"7","nick":"a","roles":["40"]},"users:7":{"id":"7","username":"ada","bot":false}})"},
      {"an update of an unknown member stores what it has",
       {{"GUILD_MEMBER_UPDATE", R"({"guild_id":"1","user":{"id":"5","username":"eve"},"nick":"e"})"}},
       R"({"members:1 set":["5","7","8"],"members:1:5":{"user":"5","nick":"e"},"users:5":{"id":"5","username":"eve"},
           "{users:5}:guilds set":["1"]})"},
      {"a removed member takes the presence and the voice state along",
       {{"PRESENCE_UPDATE", R"({"guild_id":"1","status":"idle","user":{"id":"7"}})"},
        {"VOICE_STATE_UPDATE", R"({"guild_id":"1","user_id":"7","channel_id":"20"})"},
        {"GUILD_MEMBER_REMOVE", R"({"guild_id":"1","user":{"id":"7"}})"}},
       R"({"members:1 set":["8"],"members:1:7":"gone","{users:7}:guilds set":"gone","users:7":"gone",
           "users:7 ttl":{"id":"7","username":"ada"},"guilds:1":{"id":"1","name":"G","member_count":1,"unavailable":false}})"},
      {"the user of a removed member stays while another guild has that user",
       {{"GUILD_MEMBER_ADD", R"({"guild_id":"2","user":{"id":"7"}})"},
        {"GUILD_MEMBER_REMOVE", R"({"guild_id":"1","user":{"id":"7"}})"}},
       R"({"members:1 set":["8"],"members:1:7":"gone","members:2 set":["7"],"members:2:7":{"user":"7"},
           "{users:7}:guilds set":["2"],"guilds:1":{"id":"1","name":"G","member_count":1,"unavailable":false}})"},
      {"a stranger who joins stays",
       {{"GUILD_BAN_ADD", R"({"guild_id":"1","user":{"id":"5","username":"eve"}})"},
        {"GUILD_BAN_REMOVE", R"({"guild_id":"1","user":{"id":"5","username":"eve"}})"},
        {"GUILD_MEMBER_ADD", R"({"guild_id":"1","user":{"id":"5"}})"}},
       R"({"members:1 set":["5","7","8"],"members:1:5":{"user":"5"},"users:5":{"id":"5","username":"eve"},
           "{users:5}:guilds set":["1"],"guilds:1":{"id":"1","name":"G","member_count":3,"unavailable":false}})"},
      {"a chunk adds members and presences",
       {{"GUILD_MEMBERS_CHUNK",
         R"({"guild_id":"1","members":[{"user":{"id":"5","username":"eve"}},{"user":{"id":"7"}}],
           "presences":[{"user":{"id":"5"},"status":"idle"},{"user":{"id":"7"},"status":"offline"}]})"}},
       R"({"members:1 set":["5","7","8"],"members:1:5":{"user":"5"},"members:1:7":{"user":"7"},
           "users:5":{"id":"5","username":"eve"},"{users:5}:guilds set":["1"],
           "presence:1:5":{"user":"5","status":"idle","guild_id":"1"},"{guilds:1}:presences set":["5"]})"},
      {"a presence merges its user, and offline removes it",
       {{"PRESENCE_UPDATE",
         R"({"guild_id":"1","status":"idle","user":{"id":"7","avatar":"a"},"activities":[]})"}},
       R"({"presence:1:7":{"user":"7","status":"idle","guild_id":"1","activities":[]},"{guilds:1}:presences set":["7"],
           "users:7":{"id":"7","username":"ada","avatar":"a"}})"},
      {"somebody who goes offline has no presence",
       {{"PRESENCE_UPDATE", R"({"guild_id":"1","status":"idle","user":{"id":"7"}})"},
        {"PRESENCE_UPDATE", R"({"guild_id":"1","status":"offline","user":{"id":"7"}})"}},
       "{}"},
      {"a voice state names its member and its guild",
       {{"VOICE_STATE_UPDATE",
         R"({"guild_id":"1","user_id":"7","channel_id":"20","member":{"user":{"id":"7"},"mute":true}})"}},
       R"({"voice-states:1 hash":{"7":{"guild_id":"1","user_id":"7","channel_id":"20","member":"7"}},
           "members:1:7":{"user":"7","roles":["40"],"mute":true}})"},
      {"whoever leaves the voice channel has no voice state",
       {{"VOICE_STATE_UPDATE", R"({"guild_id":"1","user_id":"7","channel_id":"20"})"},
        {"VOICE_STATE_UPDATE", R"({"guild_id":"1","user_id":"7","channel_id":null})"}},
       "{}"},
      {"a ban has no reason",
       {{"GUILD_BAN_ADD", R"({"guild_id":"1","user":{"id":"8"}})"}},
       R"({"bans:1:8":null,"{guilds:1}:bans set":["8"]})"},
      {"a lifted ban is gone",
       {{"GUILD_BAN_ADD", R"({"guild_id":"1","user":{"id":"8"}})"},
        {"GUILD_BAN_REMOVE", R"({"guild_id":"1","user":{"id":"8"}})"}},
       "{}"},
      {"the bot's own user is merged",
       {{"USER_UPDATE", R"({"id":"9","banner":"b"})"}},
       R"({"users:9 ttl":{"id":"9","username":"bot","banner":"b"}})"},
  });
}

}  // namespace
}  // namespace larder::cache
