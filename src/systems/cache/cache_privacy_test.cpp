// Exports and forgets users of Discord.
#include "systems/cache/cache_privacy.hpp"

#include "kit/events/privacy/search_test.hpp"
#include "systems/cache/cache_test.hpp"

namespace larder::cache {
namespace {

constexpr std::string_view forgotten_id = "80351110224678912";
constexpr std::string_view secret_user = R"({"id":"80351110224678912","username":"Secretname"})";

class CachePrivacyTest : public CacheTest {
 protected:
  void SetUp() override {
    apply("GUILD_CREATE",
          fmt::format(R"({{"id":"1000","name":"g","owner_id":"{0}","roles":[{{"id":"1000","name":"all"}}],
                         "channels":[{{"id":"2000","type":0,"name":"c","permission_overwrites":
                           [{{"id":"{0}","type":1,"allow":"0","deny":"0"}}]}}],
                         "members":[{{"user":{1},"nick":"Secretname","roles":[]}},{{"user":{2},"roles":[]}}],
                         "emojis":[{{"id":"3000","name":"e","user":{1}}}],
                         "voice_states":[{{"user_id":"{0}","channel_id":"2000","session_id":"s"}}],
                         "presences":[{{"user":{{"id":"{0}"}},"status":"online","activities":[]}}]}})",
                      forgotten_id, secret_user, ada));
    message("5000", secret_user, "Secretname was here");
    message("5001", ada, fmt::format("hello <@{}>", forgotten_id));
    apply("MESSAGE_REACTION_ADD",
          fmt::format(R"({{"user_id":"{}","channel_id":"2000","message_id":"5001","guild_id":"1000",
                         "emoji":{{"id":null,"name":"x"}}}})",
                      forgotten_id));
    apply("GUILD_BAN_ADD", fmt::format(R"({{"guild_id":"1000","user":{}}})", secret_user));
  }
  void message(std::string_view id, std::string_view author, std::string const& content) {
    apply("MESSAGE_CREATE",
          fmt::format(R"({{"id":"{}","channel_id":"2000","guild_id":"1000","author":{},"content":"{}"}})", id,
                      author, content));
  }
  std::string forget(std::string_view id = forgotten_id) {
    return run(forget_user(redis, shared.setup, clock, UserId::from(id).value()));
  }
};

TEST_F(CachePrivacyTest, afterwards_nothing_of_the_user_is_left) {
  EXPECT_EQ(forget(), "");
  auto const all = privacy::redis_text(server);
  EXPECT_EQ(privacy::lines_with(all, forgotten_id), "");
  EXPECT_EQ(privacy::lines_with(all, "Secretname"), "");
  EXPECT_EQ(get({"message", "5000"}), "not cached");
  EXPECT_NE(get({"message", "5001"}).find("hello <@0>"), std::string::npos);
  EXPECT_NE(get({"guild", "1000"}).find(R"("owner_id":"0")"), std::string::npos);
  EXPECT_EQ(list(CollectionKind::members, "1000").size(), 1U);
  EXPECT_EQ(list(CollectionKind::messages_of_channel, "2000").size(), 1U);
}

TEST_F(CachePrivacyTest, a_repetition_changes_nothing) {
  forget();
  auto const all = privacy::redis_text(server);
  forget();
  EXPECT_EQ(privacy::redis_text(server), all);
}

TEST_F(CachePrivacyTest, an_id_that_is_too_short_is_refused_if_it_is_there) {
  EXPECT_NE(forget("100"), "");
  EXPECT_EQ(forget("999"), "");
  EXPECT_EQ(forget("not-a-number"), "");
  EXPECT_NE(get({"user", "100"}), "not cached");
}

TEST_F(CachePrivacyTest, an_export_has_every_key_that_names_the_user) {
  std::string text;
  run(export_user(redis, shared.setup, UserId::from(forgotten_id).value(),
                  [&](std::string_view section, json::object const& object) {
                    EXPECT_EQ(section, "keys");
                    text += json::serialize(object) + "\n";
                  }));
  for (auto const* const part : {"drc:v1:users:80351110224678912", "drc:v1:members:1000:80351110224678912",
                                 "Secretname was here", "drc:v1:guilds:1000", "drc:v1:voice-states:1000"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace larder::cache
