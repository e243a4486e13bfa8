#include "systems/cache/cache_test.hpp"

namespace larder::cache {

namespace {

class AssembleMessagesTest : public CacheTest {
 protected:
  std::string message(std::string_view id, std::string_view more) {
    return fmt::format(R"({{"id":"{}","channel_id":"2","guild_id":"1","author":{}{}}})", id, ada, more);
  }
};

TEST_F(AssembleMessagesTest, a_message_has_its_users_member_thread_and_interaction) {
  auto const text = message(
      "50",
      fmt::format(
          R"(,"member":{{"roles":["5"],"nick":"a"}},"mentions":[{0}],"thread":{{"id":"50","parent_id":"2",)"
          R"("type":11,"guild_id":"1"}},"interaction":{{"id":"60","user":{0},"member":{{"roles":[]}}}},)"
          R"("interaction_metadata":{{"id":"60","user":{0},"target_user":{1},)"
          R"("triggering_interaction_metadata":{{"id":"61","user":{0}}}}},"embeds":[],"nonce":1)",
          bob, ada));
  apply("MESSAGE_CREATE", text);
  EXPECT_EQ(get({"message", "50"}), text);
}

TEST_F(AssembleMessagesTest, a_referenced_message_comes_along_but_not_the_one_behind_it) {
  auto const first = message("50", "");
  auto const second = message("51", fmt::format(R"(,"referenced_message":{})", first));
  apply("MESSAGE_CREATE", message("52", fmt::format(R"(,"referenced_message":{})", second)));
  EXPECT_EQ(get({"message", "51"}), second);
  EXPECT_EQ(get({"message", "52"}),
            message("52", fmt::format(R"(,"referenced_message":{})", message("51", ""))));
  apply("MESSAGE_DELETE", R"({"id":"51","channel_id":"2","guild_id":"1"})");
  EXPECT_EQ(get({"message", "52"}), message("52", ""));
  apply("MESSAGE_CREATE", message("53", R"(,"referenced_message":null)"));
  EXPECT_EQ(get({"message", "53"}), message("53", R"(,"referenced_message":null)"));
}

TEST_F(AssembleMessagesTest, the_author_of_a_webhook_message_is_no_user) {
  auto const text =
      R"({"id":"50","channel_id":"2","webhook_id":"70","author":{"id":"70","username":"hook"}})";
  apply("MESSAGE_CREATE", text);
  EXPECT_EQ(get({"message", "50"}), text);
  EXPECT_EQ(get({"user", "70"}), "not cached");
}

TEST_F(AssembleMessagesTest, a_message_without_a_guild_finds_its_member_through_its_channel) {
  apply("CHANNEL_CREATE", R"({"id":"2","guild_id":"1","type":0})");
  apply("GUILD_MEMBER_ADD", fmt::format(R"({{"guild_id":"1","user":{},"roles":["5"]}})", ada));
  cli({"SET", "drc:v1:messages:50", R"({"id":"50","channel_id":"2","member":"100"})"});
  cli({"SET", "drc:v1:messages:51", R"({"id":"51","channel_id":"3","member":"100"})"});
  EXPECT_EQ(get({"message", "50"}), R"({"id":"50","channel_id":"2","member":{"roles":["5"]}})");
  EXPECT_EQ(get({"message", "51"}), R"({"id":"51","channel_id":"3"})");
}

TEST_F(AssembleMessagesTest, an_interaction_has_what_it_refers_to_and_no_token) {
  auto const with = [&](std::string_view token) {
    return fmt::format(
        R"({{"id":"60"{2},"guild_id":"1","member":{{"user":{0},"roles":[],"permissions":"8"}},)"
        R"("channel":{{"id":"2","type":0,"guild_id":"1","permissions":"16"}},"message":{3},)"
        R"("data":{{"name":"do","resolved":{{"users":{{"101":{1}}},"members":{{"101":{{"roles":[],"permissions":"32"}}}},)"
        R"("roles":{{"5":{{"id":"5","permissions":"64"}}}},"channels":{{"2":{{"id":"2","type":0,"guild_id":"1",)"
        R"("permissions":"128"}}}},"messages":{{"50":{3}}},"attachments":{{"77":{{"id":"77"}}}}}}}}}})",
        ada, bob, token, message("50", ""));
  };
  apply("INTERACTION_CREATE", with(R"(,"token":"secret")"));
  EXPECT_EQ(get({"interaction", "60"}), with(""));
  EXPECT_EQ(get({"channel", "1", "2"}), R"({"id":"2","type":0,"guild_id":"1"})");
  EXPECT_EQ(get({"member", "1", "100"}), fmt::format(R"({{"user":{},"roles":[]}})", ada));
  EXPECT_EQ(cli({"EVAL", "return string.find(redis.call('GET', KEYS[1]), 'secret') or 'no'", "1",
                 "drc:v1:interactions:60"}),
            "no");
}

TEST_F(AssembleMessagesTest, an_interaction_in_a_direct_message_has_its_user_and_channel) {
  auto const text = fmt::format(
      R"({{"id":"60","user":{0},"channel":{{"id":"3","type":1,"recipients":[{0}]}},"data":{{"resolved":{{"users":{{}}}}}}}})",
      ada);
  apply("INTERACTION_CREATE", text);
  EXPECT_EQ(get({"interaction", "60"}), text);
}

}  // namespace

}  // namespace larder::cache
