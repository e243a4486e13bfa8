// What an event reports of the objects that it updates or deletes.
#include "systems/cache/cache_test.hpp"

namespace larder::cache {

namespace {

class BeforeTest : public CacheTest {
 protected:
  struct Step {
    std::string_view event;
    std::string data;
    Texts before;
  };
  void play(std::vector<Step> const& steps) {
    for (auto const& [event, data, before] : steps)
      EXPECT_EQ(apply(event, data), before) << event << " " << data;
  }
  static std::string user(std::string_view name) {
    return fmt::format(R"({{"id":"100","username":"{}"}})", name);
  }
  static std::string d(std::string_view more) { return fmt::format(R"({{"guild_id":"1",{}}})", more); }
};

TEST_F(BeforeTest, events_find_guilds_roles_members_and_users) {
  play({
      {"GUILD_CREATE", R"({"id":"1","name":"a","roles":[{"id":"1"}]})", {}},
      {"GUILD_UPDATE",
       R"({"id":"1","name":"b"})",
       {R"({"id":"1","name":"a","roles":[{"id":"1"}],"emojis":[],"stickers":[]})"}},
      {"GUILD_ROLE_CREATE", d(R"("role":{"id":"5","name":"a"})"), {}},
      {"GUILD_ROLE_UPDATE", d(R"("role":{"id":"5","name":"b"})"), {R"({"id":"5","name":"a"})"}},
      {"GUILD_ROLE_DELETE", d(R"("role_id":"5")"), {R"({"id":"5","name":"b"})"}},
      {"GUILD_MEMBER_ADD", d(fmt::format(R"("user":{})", user("a"))), {}},
      {"GUILD_MEMBER_UPDATE",
       d(fmt::format(R"("user":{})", user("b"))),
       {fmt::format(R"({{"user":{}}})", user("a"))}},
      {"USER_UPDATE", user("c"), {user("b")}},
      {"PRESENCE_UPDATE", d(R"("user":{"id":"100"},"status":"idle")"), {}},
      {"PRESENCE_UPDATE",
       d(R"("user":{"id":"100"},"status":"offline")"),
       {R"({"guild_id":"1","user":{"id":"100"},"status":"idle"})"}},
      {"VOICE_STATE_UPDATE", d(R"("user_id":"100","channel_id":"2")"), {}},
      {"VOICE_STATE_UPDATE",
       d(R"("user_id":"100","channel_id":null)"),
       {R"({"guild_id":"1","user_id":"100","channel_id":"2"})"}},
      {"GUILD_BAN_ADD", d(fmt::format(R"("user":{})", user("c"))), {}},
      {"GUILD_BAN_REMOVE",
       d(fmt::format(R"("user":{})", user("c"))),
       {fmt::format(R"({{"reason":null,"user":{}}})", user("c"))}},
      {"GUILD_MEMBER_REMOVE",
       d(fmt::format(R"("user":{})", user("c"))),
       {fmt::format(R"({{"user":{}}})", user("c"))}},
  });
}

TEST_F(BeforeTest, events_find_channels_and_threads) {
  play({
      {"CHANNEL_CREATE", d(R"("id":"2","name":"a")"), {}},
      {"CHANNEL_UPDATE", d(R"("id":"2","name":"b")"), {d(R"("id":"2","name":"a")")}},
      {"CHANNEL_PINS_UPDATE",
       d(R"("channel_id":"2","last_pin_timestamp":"t")"),
       {d(R"("id":"2","name":"b")")}},
      {"CHANNEL_DELETE", d(R"("id":"2")"), {d(R"("id":"2","name":"b","last_pin_timestamp":"t")")}},
      {"CHANNEL_CREATE", R"({"id":"3","type":1,"a":1})", {}},
      {"CHANNEL_UPDATE", R"({"id":"3","type":1,"a":2})", {R"({"id":"3","type":1,"a":1})"}},
      {"THREAD_CREATE", d(R"("id":"20","parent_id":"2","a":1)"), {}},
      {"THREAD_UPDATE", d(R"("id":"20","parent_id":"2","a":2)"), {d(R"("id":"20","parent_id":"2","a":1)")}},
      {"THREAD_DELETE", d(R"("id":"20","parent_id":"2")"), {d(R"("id":"20","parent_id":"2","a":2)")}},
  });
}

TEST_F(BeforeTest, events_find_other_objects) {
  play({
      {"STAGE_INSTANCE_CREATE", d(R"("id":"4","channel_id":"2")"), {}},
      {"STAGE_INSTANCE_UPDATE", d(R"("id":"4","channel_id":"2","a":1)"), {d(R"("id":"4","channel_id":"2")")}},
      {"STAGE_INSTANCE_DELETE", d(R"("id":"4","channel_id":"2")"), {d(R"("id":"4","channel_id":"2","a":1)")}},
      {"INVITE_CREATE", d(R"("code":"abc")"), {}},
      {"INVITE_DELETE", d(R"("code":"abc")"), {d(R"("code":"abc")")}},
      {"INTEGRATION_CREATE", d(R"("id":"6")"), {}},
      {"INTEGRATION_UPDATE", d(R"("id":"6","a":1)"), {R"({"id":"6"})"}},
      {"INTEGRATION_DELETE", d(R"("id":"6")"), {R"({"id":"6","a":1})"}},
      {"AUTO_MODERATION_RULE_CREATE", d(R"("id":"6")"), {}},
      {"AUTO_MODERATION_RULE_DELETE", d(R"("id":"6")"), {d(R"("id":"6")")}},
      {"GUILD_SCHEDULED_EVENT_CREATE", d(R"("id":"6")"), {}},
      {"GUILD_SCHEDULED_EVENT_DELETE", d(R"("id":"6")"), {d(R"("id":"6")")}},
      {"MESSAGE_CREATE", R"({"id":"50","channel_id":"3","content":"a"})", {}},
      {"MESSAGE_CREATE", R"({"id":"51","channel_id":"3"})", {}},
      {"MESSAGE_UPDATE",
       R"({"id":"50","channel_id":"3","content":"b"})",
       {R"({"id":"50","channel_id":"3","content":"a"})"}},
      {"MESSAGE_DELETE_BULK",
       R"({"ids":["50","51","52"],"channel_id":"3"})",
       {R"({"id":"50","channel_id":"3","content":"b"})", R"({"id":"51","channel_id":"3"})"}},
      {"MESSAGE_DELETE", R"({"id":"50","channel_id":"3"})", {}},
  });
}

TEST_F(BeforeTest, an_event_finds_what_the_event_before_it_in_the_same_batch_has_written) {
  auto const report = apply_all({{"MESSAGE_CREATE", R"({"id":"50","channel_id":"3","content":"a"})"},
                                 {"MESSAGE_UPDATE", R"({"id":"50","channel_id":"3","content":"b"})"},
                                 {"MESSAGE_DELETE", R"({"id":"50","channel_id":"3"})"}},
                                {.before = true});
  ASSERT_EQ(report.before.size(), 2);
  EXPECT_EQ(report.before[0].object, R"({"id":"50","channel_id":"3","content":"a"})");
  EXPECT_EQ(report.before[1].object, R"({"id":"50","channel_id":"3","content":"b"})");
  EXPECT_EQ(report.before[1].index, 2);
}

}  // namespace

}  // namespace larder::cache
