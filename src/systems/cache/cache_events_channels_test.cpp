// What the events of channels, threads, stages, invites, webhooks and direct messages change.
#include "systems/cache/cache_events_test.hpp"

namespace larder::cache {
namespace {

TEST_F(CacheEventsTest, channels_come_and_go) {
  check({
      {"a channel is created, and updates are merged",
       {{"CHANNEL_CREATE", R"({"guild_id":"1","id":"21","type":2,"name":"v","topic":null})"},
        {"CHANNEL_UPDATE", R"({"guild_id":"1","id":"21","name":"w"})"}},
       R"({"channels:1 hash":{"20":{"id":"20","type":0,"last_message_id":null,"guild_id":"1"},
           "21":{"guild_id":"1","id":"21","type":2,"name":"w","topic":null}},"{channels:21}:guild":1})"},
      {"the time of the newest pin is merged into a channel",
       {{"CHANNEL_PINS_UPDATE",
         R"({"guild_id":"1","channel_id":"20","last_pin_timestamp":"2026-01-02T03:04:05Z"})"}},
       R"({"channels:1 hash":{"20":{"id":"20","type":0,"last_message_id":null,"guild_id":"1",
           "last_pin_timestamp":"2026-01-02T03:04:05Z"}}})"},
      {"and into a thread",
       {{"CHANNEL_PINS_UPDATE", R"({"guild_id":"1","channel_id":"30","last_pin_timestamp":null})"}},
       R"({"threads:30":{"id":"30","type":11,"parent_id":"20","message_count":0,"guild_id":"1","last_pin_timestamp":null}})"},
      {"pins of an unknown channel are nothing",
       {{"CHANNEL_PINS_UPDATE", R"({"guild_id":"1","channel_id":"29","last_pin_timestamp":null})"}},
       "{}"},
      {"the status of a voice channel is merged",
       {{"VOICE_CHANNEL_STATUS_UPDATE", R"({"guild_id":"1","id":"20","status":"busy"})"},
        {"VOICE_CHANNEL_START_TIME_UPDATE", R"({"guild_id":"1","id":"20","voice_start_time":17})"}},
       R"({"channels:1 hash":{"20":{"id":"20","type":0,"last_message_id":null,"guild_id":"1","status":"busy",
           "voice_start_time":17}}})"},
      {"the status of an unknown channel is nothing",
       {{"VOICE_CHANNEL_STATUS_UPDATE", R"({"guild_id":"1","id":"29","status":"busy"})"}},
       "{}"},
      {"a deleted channel takes its threads, messages, invites and stage along",
       {{"THREAD_MEMBER_UPDATE", R"({"id":"30","guild_id":"1","user_id":"9"})"},
        {"MESSAGE_CREATE", R"({"id":"60","channel_id":"20","guild_id":"1"})"},
        {"MESSAGE_CREATE", R"({"id":"61","channel_id":"30","guild_id":"1"})"},
        {"MESSAGE_REACTION_ADD",
         R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","emoji":{"name":"x"}})"},
        {"INVITE_CREATE", R"({"guild_id":"1","channel_id":"20","code":"abc"})"},
        {"INVITE_CREATE", R"({"guild_id":"1","channel_id":"21","code":"def"})"},
        {"STAGE_INSTANCE_CREATE", R"({"id":"70","guild_id":"1","channel_id":"20"})"},
        {"CHANNEL_DELETE", R"({"guild_id":"1","id":"20"})"}},
       R"({"channels:1 hash":"gone","{channels:20}:guild":"gone","threads:30":"gone","{guilds:1}:threads hash":"gone",
           "invites:def":{"guild_id":"1","channel_id":"21","code":"def"},"{guilds:1}:invites hash":{"def":"21"}})"},
  });
}

TEST_F(CacheEventsTest, threads_come_and_go) {
  check({
      {"a thread is created, with the bot's own member",
       {{"THREAD_CREATE", R"({"id":"31","guild_id":"1","type":11,"parent_id":"20","newly_created":true,
           "member":{"flags":1,"join_timestamp":"t"}})"}},
       R"({"threads:31":{"id":"31","guild_id":"1","type":11,"parent_id":"20"},
           "thread-members:31 hash":{"9":{"flags":1,"join_timestamp":"t","id":"31","user_id":"9"}},
           "{guilds:1}:threads hash":{"30":"20","31":"20"}})"},
      {"an update is merged",
       {{"THREAD_UPDATE", R"({"id":"30","guild_id":"1","name":"t"})"}},
       R"({"threads:30":{"id":"30","type":11,"parent_id":"20","message_count":0,"guild_id":"1","name":"t"}})"},
      {"a deleted thread takes its members and messages along",
       {{"THREAD_MEMBER_UPDATE", R"({"id":"30","guild_id":"1","user_id":"9"})"},
        {"MESSAGE_CREATE", R"({"id":"61","channel_id":"30","guild_id":"1"})"},
        {"THREAD_DELETE", R"({"id":"30","guild_id":"1","parent_id":"20","type":11})"}},
       R"({"threads:30":"gone","{guilds:1}:threads hash":"gone"})"},
      {"a list of the active threads of one channel",
       {{"THREAD_CREATE", R"({"id":"31","guild_id":"1","type":11,"parent_id":"20"})"},
        {"THREAD_CREATE", R"({"id":"32","guild_id":"1","type":11,"parent_id":"21"})"},
        {"THREAD_UPDATE",
         R"({"id":"33","guild_id":"1","parent_id":"20","thread_metadata":{"archived":true}})"},
        {"THREAD_LIST_SYNC",
         R"({"guild_id":"1","channel_ids":["20"],"threads":[{"id":"31","type":11,"parent_id":"20","name":"t"}],
           "members":[{"id":"31","user_id":"9","flags":0}]})"}},
       R"({"threads:30":"gone","threads:31":{"id":"31","type":11,"parent_id":"20","name":"t","guild_id":"1"},
           "threads:32":{"id":"32","guild_id":"1","type":11,"parent_id":"21"},
           "threads:33":{"id":"33","guild_id":"1","parent_id":"20","thread_metadata":{"archived":true}},
           "thread-members:31 hash":{"9":{"id":"31","user_id":"9","flags":0}},
           "{guilds:1}:threads hash":{"31":"20","32":"21","33":"20"}})"},
      {"a list of the active threads of the guild",
       {{"THREAD_CREATE", R"({"id":"32","guild_id":"1","type":11,"parent_id":"21"})"},
        {"THREAD_LIST_SYNC", R"({"guild_id":"1","threads":[],"members":[]})"}},
       R"({"threads:30":"gone","{guilds:1}:threads hash":"gone"})"},
      {"the bot's own member is merged",
       {{"THREAD_MEMBER_UPDATE", R"({"id":"30","guild_id":"1","flags":1,"muted":true})"},
        {"THREAD_MEMBER_UPDATE", R"({"id":"30","guild_id":"1","user_id":"9","flags":2})"}},
       R"({"thread-members:30 hash":{"9":{"id":"30","user_id":"9","flags":2,"muted":true}}})"},
      {"members of a thread are added and removed",
       {{"THREAD_MEMBER_UPDATE", R"({"id":"30","guild_id":"1","user_id":"8"})"},
        {"THREAD_MEMBERS_UPDATE", R"({"id":"30","guild_id":"1","member_count":3,"removed_member_ids":["8"],
           "added_members":[{"id":"30","user_id":"7","flags":1,"member":{"user":{"id":"7"},"nick":"n"},
           "presence":{"user":{"id":"7"},"status":"idle"}}]})"}},
       R"({"thread-members:30 hash":{"7":{"id":"30","user_id":"7","flags":1,"member":"7"}},
           "members:1:7":{"user":"7","nick":"n","roles":["40"]},"{guilds:1}:presences set":["7"],
           "presence:1:7":{"user":"7","status":"idle","guild_id":"1"},
           "threads:30":{"id":"30","type":11,"parent_id":"20","message_count":0,"guild_id":"1","member_count":3}})"},
  });
}

TEST_F(CacheEventsTest, stages_and_invites_come_and_go) {
  check({
      {"a stage",
       {{"STAGE_INSTANCE_CREATE", R"({"id":"70","guild_id":"1","channel_id":"20","topic":"a"})"},
        {"STAGE_INSTANCE_UPDATE", R"({"id":"70","guild_id":"1","channel_id":"20","topic":"b"})"}},
       R"({"stage-instances:20":{"id":"70","guild_id":"1","channel_id":"20","topic":"b"},"{guilds:1}:stages set":["20"]})"},
      {"a deleted stage",
       {{"STAGE_INSTANCE_CREATE", R"({"id":"70","guild_id":"1","channel_id":"20"})"},
        {"STAGE_INSTANCE_DELETE", R"({"id":"70","guild_id":"1","channel_id":"20"})"}},
       "{}"},
      {"an invite that lasts for ever",
       {{"INVITE_CREATE", R"({"guild_id":"1","channel_id":"20","code":"a-B9","max_age":0,"inviter":{"id":"7"},
           "target_user":{"id":"5","username":"eve"}})"}},
       R"({"invites:a-B9":{"guild_id":"1","channel_id":"20","code":"a-B9","max_age":0,"inviter":"7","target_user":"5"},
           "{guilds:1}:invites hash":{"a-B9":"20"},"users:5 ttl":{"id":"5","username":"eve"}})"},
      {"a deleted invite",
       {{"INVITE_CREATE", R"({"guild_id":"1","channel_id":"20","code":"abc","max_age":60})"},
        {"INVITE_DELETE", R"({"guild_id":"1","channel_id":"20","code":"abc"})"}},
       "{}"},
  });
}

TEST_F(CacheEventsTest, an_invite_expires_with_its_max_age) {
  apply_each({{"INVITE_CREATE", R"({"guild_id":"1","channel_id":"20","code":"abc","max_age":3600})"}});
  EXPECT_GT(ttl_s("invites:abc"), 3500);
  EXPECT_LE(ttl_s("invites:abc"), 3600);
}

TEST_F(CacheEventsTest, webhooks_of_a_channel_or_an_application_are_out_of_date_together) {
  know_a_guild();
  auto const before = snapshot();
  auto const put_three = [&] {
    put_webhook(R"({"id":"90","guild_id":"1","channel_id":"20","application_id":"5","user":{"id":"7"}})");
    put_webhook(R"({"id":"91","guild_id":"1","channel_id":"20","application_id":null})");
    put_webhook(R"({"id":"92","guild_id":"1","channel_id":"21","application_id":"5"})");
  };
  put_three();
  apply_each({{"WEBHOOKS_UPDATE", R"({"guild_id":"1","channel_id":"20"})"}});
  EXPECT_EQ(
      differences(
          with_changes(before,
                       R"({"webhooks:92":{"id":"92","guild_id":"1","channel_id":"21","application_id":"5"},
    "{guilds:1}:webhooks hash":{"92":"21:5"}})"),
          snapshot()),
      "");
  put_three();
  apply_each({{"INTEGRATION_DELETE", R"({"guild_id":"1","id":"71","application_id":"5"})"}});
  EXPECT_EQ(
      differences(
          with_changes(before,
                       R"({"webhooks:91":{"id":"91","guild_id":"1","channel_id":"20","application_id":null},
    "{guilds:1}:webhooks hash":{"91":"20:0"}})"),
          snapshot()),
      "");
  put_three();
  apply_each({{"CHANNEL_DELETE", R"({"guild_id":"1","id":"20"})"},
              {"CHANNEL_DELETE", R"({"guild_id":"1","id":"21"})"}});
  EXPECT_EQ(
      differences(
          with_changes(before, R"({"channels:1 hash":"gone","{channels:20}:guild":"gone","threads:30":"gone",
    "{guilds:1}:threads hash":"gone"})"),
          snapshot()),
      "");
}

TEST_F(CacheEventsTest, direct_messages_have_no_guild) {
  check({
      {"a channel of direct messages",
       {{"CHANNEL_CREATE", R"({"id":"22","type":1,"recipients":[{"id":"5","username":"eve"}]})"}},
       R"({"channels:@me hash":{"22":{"id":"22","type":1,"recipients":["5"]}},"users:5 ttl":{"id":"5","username":"eve"}})"},
      {"a direct message moves its channel on",
       {{"CHANNEL_CREATE", R"({"id":"22","type":1})"},
        {"MESSAGE_CREATE",
         R"({"id":"60","channel_id":"22","content":"hi","author":{"id":"5","username":"eve"}})"}},
       R"({"channels:@me hash":{"22":{"id":"22","type":1,"last_message_id":"60"}},"users:5 ttl":{"id":"5","username":"eve"},
           "messages:60":{"id":"60","channel_id":"22","content":"hi","author":"5"},
           "{channels:22}:messages zset":{"60":1420070400000}})"},
      {"a deleted channel takes its messages along",
       {{"CHANNEL_CREATE", R"({"id":"22","type":1})"},
        {"MESSAGE_CREATE", R"({"id":"60","channel_id":"22"})"},
        {"CHANNEL_PINS_UPDATE", R"({"channel_id":"22","last_pin_timestamp":null})"},
        {"CHANNEL_DELETE", R"({"id":"22","type":1})"}},
       "{}"},
  });
}

}  // namespace
}  // namespace larder::cache
