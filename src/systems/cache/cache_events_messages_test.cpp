// What the events of messages, reactions, polls and interactions change.
#include "systems/cache/cache_events_test.hpp"

namespace larder::cache {
namespace {

TEST_F(CacheEventsTest, messages_are_taken_apart) {
  check({
      {"author, member and mentions go to their own keys",
       {{"MESSAGE_CREATE",
         R"({"id":"60","channel_id":"20","guild_id":"1","content":"hi","author":{"id":"7","username":"ada"},
           "member":{"nick":"n"},"mentions":[{"id":"5","username":"eve","member":{"nick":"e"}}],"embeds":[]})"}},
       R"({"messages:60":{"id":"60","channel_id":"20","guild_id":"1","content":"hi","author":"7","member":"7",
           "mentions":["5"],"embeds":[]},"members:1:7":{"user":"7","nick":"n","roles":["40"]},
           "members:1 set":["5","7","8"],"members:1:5":{"user":"5","nick":"e"},"users:5":{"id":"5","username":"eve"},
           "{users:5}:guilds set":["1"],"{channels:20}:messages zset":{"60":1420070400000},"{guilds:1}:channels set":["20"],
           "channels:1 hash":{"20":{"id":"20","type":0,"last_message_id":"60","guild_id":"1"}}})"},
      {"the author of a webhook's message is no user",
       {{"MESSAGE_CREATE",
         R"({"id":"60","channel_id":"20","guild_id":"1","webhook_id":"90","author":{"id":"90","username":"w"}})"}},
       R"({"messages:60":{"id":"60","channel_id":"20","guild_id":"1","webhook_id":"90","author":{"id":"90","username":"w"}},
           "{channels:20}:messages zset":{"60":1420070400000},"{guilds:1}:channels set":["20"],
           "channels:1 hash":{"20":{"id":"20","type":0,"last_message_id":"60","guild_id":"1"}}})"},
      {"a referenced message, a thread and the user of an interaction",
       {{"MESSAGE_CREATE", R"({"id":"61","channel_id":"20","guild_id":"1",
           "referenced_message":{"id":"60","channel_id":"20","author":{"id":"8"},"content":"old"},
           "thread":{"id":"61","type":11,"parent_id":"20"},
           "interaction_metadata":{"id":"62","user":{"id":"5","username":"eve"}}})"}},
       R"({"messages:60":{"id":"60","channel_id":"20","author":"8","content":"old"},
           "messages:61":{"id":"61","channel_id":"20","guild_id":"1","referenced_message":"60","thread":"61",
             "interaction_metadata":{"id":"62","user":"5"}},
           "threads:61":{"id":"61","type":11,"parent_id":"20","guild_id":"1"},"users:5 ttl":{"id":"5","username":"eve"},
           "{guilds:1}:threads hash":{"30":"20","61":"20"},"{guilds:1}:channels set":["20"],
           "{channels:20}:messages zset":{"60":1420070400000,"61":1420070400000},
           "channels:1 hash":{"20":{"id":"20","type":0,"last_message_id":"61","guild_id":"1"}}})"},
      {"an update is merged, also if the message is unknown",
       {{"MESSAGE_CREATE",
         R"({"id":"60","channel_id":"20","guild_id":"1","content":"hi","embeds":[{"a":1}]})"},
        {"MESSAGE_UPDATE", R"({"id":"59","channel_id":"20","guild_id":"1","content":"?"})"},
        {"MESSAGE_UPDATE", R"({"id":"60","channel_id":"20","guild_id":"1","embeds":[]})"}},
       R"({"messages:60":{"id":"60","channel_id":"20","guild_id":"1","content":"hi","embeds":[]},
           "messages:59":{"id":"59","channel_id":"20","guild_id":"1","content":"?"},
           "{channels:20}:messages zset":{"59":1420070400000,"60":1420070400000},"{guilds:1}:channels set":["20"],
           "channels:1 hash":{"20":{"id":"20","type":0,"last_message_id":"60","guild_id":"1"}}})"},
      {"a thread counts only messages that are newer than its newest",
       {{"MESSAGE_CREATE", R"({"id":"60","channel_id":"30","guild_id":"1"})"},
        {"MESSAGE_CREATE", R"({"id":"100","channel_id":"30","guild_id":"1"})"},
        {"MESSAGE_CREATE", R"({"id":"99","channel_id":"30","guild_id":"1"})"}},
       R"({"messages:60":{"id":"60","channel_id":"30","guild_id":"1"},"messages:99":{"id":"99","channel_id":"30","guild_id":"1"},
           "messages:100":{"id":"100","channel_id":"30","guild_id":"1"},"{guilds:1}:channels set":["30"],
           "{channels:30}:messages zset":{"60":1420070400000,"99":1420070400000,"100":1420070400000},
           "threads:30":{"id":"30","type":11,"parent_id":"20","message_count":2,"guild_id":"1","last_message_id":"100"}})"},
      {"deleted messages are gone",
       {{"MESSAGE_CREATE", R"({"id":"60","channel_id":"20","guild_id":"1"})"},
        {"MESSAGE_CREATE", R"({"id":"61","channel_id":"20","guild_id":"1"})"},
        {"MESSAGE_CREATE", R"({"id":"62","channel_id":"20","guild_id":"1"})"},
        {"MESSAGE_REACTION_ADD",
         R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","emoji":{"name":"x"}})"},
        {"MESSAGE_POLL_VOTE_ADD",
         R"({"message_id":"61","channel_id":"20","guild_id":"1","user_id":"7","answer_id":1})"},
        {"MESSAGE_DELETE", R"({"id":"60","channel_id":"20","guild_id":"1"})"},
        {"MESSAGE_DELETE_BULK", R"({"ids":["61","62","63"],"channel_id":"20","guild_id":"1"})"}},
       R"({"{guilds:1}:channels set":["20"],
           "channels:1 hash":{"20":{"id":"20","type":0,"last_message_id":"62","guild_id":"1"}}})"},
  });
}

// The keys of message 60 in channel 20, whose message has `more`.
std::string message_60(std::string_view more) {
  return fmt::format(
      R"({{"messages:60":{{"id":"60","channel_id":"20","guild_id":"1"{}}},"{{guilds:1}}:channels set":["20"],
    "{{channels:20}}:messages zset":{{"60":1420070400000}},
    "channels:1 hash":{{"20":{{"id":"20","type":0,"last_message_id":"60","guild_id":"1"}}}})",
      more);
}
constexpr std::pair<char const*, char const*> create_60 = {"MESSAGE_CREATE",
                                                           R"({"id":"60","channel_id":"20","guild_id":"1"})"};
constexpr char const* ada_likes =
    R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","emoji":{"id":null,"name":"🔥"},"burst":false})";
constexpr char const* bot_likes =
    R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"9","emoji":{"id":null,"name":"🔥"},"burst":false})";

TEST_F(CacheEventsTest, reactions_are_counted_once_for_each_user) {
  auto const fire = [](int count, bool me) {
    return fmt::format(R"({{"count":{0},"count_details":{{"burst":0,"normal":{0}}},"me":{1},"me_burst":false,
      "emoji":{{"id":null,"name":"🔥"}},"burst_colors":[]}})",
                       count, me);
  };
  auto const two = message_60(",\"reactions\":[" + fire(2, true) + "]") +
                   R"(,"reactions:60 set":["🔥"],"reactions:60:🔥 set":["7","9"]})";
  auto const one = message_60(",\"reactions\":[" + fire(1, false) + "]") +
                   R"(,"reactions:60 set":["🔥"],"reactions:60:🔥 set":["7"]})";
  auto const none = message_60(",\"reactions\":[]") + "}";
  auto const custom =
      message_60(R"(,"reactions":[{"count":1,"count_details":{"burst":1,"normal":0},"me":false,
    "me_burst":false,"emoji":{"id":"50","name":"blob"},"burst_colors":[]}])") +
      R"(,"reactions:60 set":["50"],"reactions:60:50 set":["7"],"members:1:7":{"user":"7","nick":"n","roles":["40"]}})";
  check({
      {"two users",
       {create_60, {"MESSAGE_REACTION_ADD", ada_likes}, {"MESSAGE_REACTION_ADD", bot_likes}},
       two.c_str()},
      {"one is removed",
       {create_60,
        {"MESSAGE_REACTION_ADD", ada_likes},
        {"MESSAGE_REACTION_ADD", bot_likes},
        {"MESSAGE_REACTION_REMOVE", bot_likes}},
       one.c_str()},
      {"the last one is removed",
       {create_60, {"MESSAGE_REACTION_ADD", ada_likes}, {"MESSAGE_REACTION_REMOVE", ada_likes}},
       none.c_str()},
      {"all are removed",
       {create_60,
        {"MESSAGE_REACTION_ADD", ada_likes},
        {"MESSAGE_REACTION_REMOVE_ALL", R"({"message_id":"60","channel_id":"20","guild_id":"1"})"}},
       none.c_str()},
      {"all with an emoji are removed",
       {create_60,
        {"MESSAGE_REACTION_ADD", ada_likes},
        {"MESSAGE_REACTION_ADD", bot_likes},
        {"MESSAGE_REACTION_REMOVE_EMOJI",
         R"({"message_id":"60","channel_id":"20","guild_id":"1","emoji":{"name":"🔥"}})"}},
       none.c_str()},
      {"a custom emoji goes by its id, and the member is merged",
       {create_60,
        {"MESSAGE_REACTION_ADD",
         R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","burst":true,
           "emoji":{"id":"50","name":"blob"},"member":{"user":{"id":"7"},"nick":"n"}})"}},
       custom.c_str()},
  });
}

TEST_F(CacheEventsTest, votes_are_counted_once_for_each_user) {
  constexpr std::pair<char const*, char const*> poll = {
      "MESSAGE_CREATE", R"({"id":"60","channel_id":"20","guild_id":"1","poll":{"answers":[],
        "results":{"is_finalized":false,"answer_counts":[{"id":1,"count":4,"me_voted":false}]}}})"};
  constexpr char const* bot_votes =
      R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"9","answer_id":1})";
  auto const voted =
      message_60(R"(,"poll":{"answers":[],"results":{"is_finalized":false,
    "answer_counts":[{"id":1,"count":5,"me_voted":true},{"id":2,"count":1,"me_voted":false}]}})") +
      R"(,"{messages:60}:votes set":["1","2"],"{messages:60}:votes:1 set":["9"],"{messages:60}:votes:2 set":["7"]})";
  auto const taken_back = message_60(R"(,"poll":{"answers":[],"results":{"is_finalized":false,
    "answer_counts":[{"id":1,"count":4,"me_voted":false}]}})") +
                          R"(,"{messages:60}:votes set":["1"]})";
  check({
      {"votes",
       {poll,
        {"MESSAGE_POLL_VOTE_ADD", bot_votes},
        {"MESSAGE_POLL_VOTE_ADD",
         R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","answer_id":2})"}},
       voted.c_str()},
      {"a vote that was taken back",
       {poll, {"MESSAGE_POLL_VOTE_ADD", bot_votes}, {"MESSAGE_POLL_VOTE_REMOVE", bot_votes}},
       taken_back.c_str()},
      {"votes about an unknown message", {{"MESSAGE_POLL_VOTE_ADD", bot_votes}}, "{}"},
  });
}

TEST_F(CacheEventsTest, interactions_are_taken_apart_and_expire) {
  check({
      {"in a guild, without the token",
       {{"INTERACTION_CREATE", R"({"id":"65","token":"secret","type":2,"guild_id":"1",
           "member":{"user":{"id":"7"},"nick":"n","permissions":"8"},"channel":{"id":"20","type":0,"name":"c"},
           "data":{"name":"give","resolved":{"users":{"5":{"id":"5","username":"eve"}},"members":{"5":{"nick":"e","permissions":"2"}},
             "roles":{"41":{"id":"41"}},"channels":{"30":{"id":"30","type":11,"name":"t"}}}}})"}},
       R"({"interactions:65 ttl":{"id":"65","type":2,"guild_id":"1","member":"7","channel":"20",
             "larder_permissions":{"member":"8"},
             "data":{"name":"give","resolved":{"users":["5"],"members":["5"],"roles":["41"],"channels":["30"],
               "larder_permissions":{"members":{"5":"2"}}}}},
           "members:1:7":{"user":"7","nick":"n","roles":["40"]},"members:1 set":["5","7","8"],"members:1:5":{"user":"5","nick":"e"},
           "users:5":{"id":"5","username":"eve"},"{users:5}:guilds set":["1"],
           "roles:1 hash":{"1":{"id":"1"},"40":{"id":"40","name":"mods"},"41":{"id":"41"}},
           "channels:1 hash":{"20":{"id":"20","type":0,"name":"c","last_message_id":null,"guild_id":"1"}},
           "threads:30":{"id":"30","type":11,"parent_id":"20","message_count":0,"guild_id":"1","name":"t"}})"},
      {"in direct messages, about a message",
       {{"INTERACTION_CREATE", R"({"id":"65","token":"secret","type":3,"user":{"id":"5","username":"eve"},
           "message":{"id":"60","channel_id":"22","author":{"id":"9"}}})"}},
       R"({"interactions:65 ttl":{"id":"65","type":3,"user":"5","message":"60"},"users:5 ttl":{"id":"5","username":"eve"},
           "messages:60":{"id":"60","channel_id":"22","author":"9"},"{channels:22}:messages zset":{"60":1420070400000}})"},
  });
  EXPECT_GT(ttl_s("interactions:65"), 800);
  EXPECT_LE(ttl_s("interactions:65"), 900);
  EXPECT_GT(ttl_s("users:5"), 86'000);
  EXPECT_LE(ttl_s("users:5"), 86'400);
}

}  // namespace
}  // namespace larder::cache
