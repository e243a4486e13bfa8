#include "systems/cache/cache_test.hpp"

namespace larder::cache {

namespace {

class CachePutTest : public CacheTest {};

TEST_F(CachePutTest, what_no_event_carries_can_be_put_and_removed) {
  auto const creator = fmt::format(R"({{"code":"abc","source_guild_id":"1","creator":{}}})", ada);
  auto const webhook = fmt::format(R"({{"id":"70","guild_id":"1","channel_id":"2","user":{}}})", ada);
  struct Case {
    std::vector<std::string_view> key;
    std::string object;
  };
  std::vector<Case> const cases = {
      {{"application", "30"}, R"({"id":"30","flags":[]})"},
      {{"ban", "1", "100"}, fmt::format(R"({{"reason":"a \"b\"","user":{}}})", ada)},
      {{"command", "30", "31"}, R"({"id":"31","application_id":"30","options":[]})"},
      {{"template", "1", "abc"}, creator},
      {{"webhook", "70"}, webhook},
      {{"webhook", "1", "70"}, webhook},
      {{"welcome_screen", "1"}, R"({"description":null,"welcome_channels":[]})"},
      {{"widget", "1"}, R"({"id":"1","members":[]})"},
  };
  for (auto const& [key, object] : cases) {
    EXPECT_EQ(remove(key), "not there") << key[0];
    EXPECT_EQ(put(key, object), "ok") << key[0];
    EXPECT_EQ(put(key, " " + object), "ok") << key[0];
    EXPECT_EQ(get(key), object) << key[0];
    EXPECT_EQ(remove(key), "removed") << key[0];
    EXPECT_EQ(get(key), "not cached") << key[0];
  }
  cli({"DEL", "drc:v1:users:100"});
  EXPECT_EQ(cli({"KEYS", "*"}), "");
}

TEST_F(CachePutTest, a_put_replaces_the_application_that_ready_named) {
  apply("READY", fmt::format(R"({{"user":{},"application":{{"id":"30","flags":1}},"guilds":[]}})", ada));
  EXPECT_EQ(put({"application", "30"}, R"({"name":"x"})"), "ok");
  EXPECT_EQ(get({"application", "30"}), R"({"name":"x","id":"30"})");
}

TEST_F(CachePutTest, a_put_is_refused_if_it_is_malformed_or_contradicts_its_path) {
  EXPECT_EQ(put({"guild", "1"}, "{}"), "not_writable ");
  EXPECT_EQ(put({"member", "1", "2"}, "{}"), "not_writable ");
  EXPECT_EQ(remove({"message", "1"}), "not_writable");
  EXPECT_EQ(put({"widget", "1"}, "{"), "invalid_request ");
  EXPECT_EQ(put({"widget", "1"}, "[]"), "invalid_request widget");
  EXPECT_EQ(put({"widget", "1"}, R"({"id":"2"})"), "invalid_request id");
  EXPECT_EQ(put({"application", "30"}, R"({"id":"31"})"), "invalid_request id");
  EXPECT_EQ(put({"application", "30"}, R"({"owner":{"id":"x"}})"), "invalid_request id");
  EXPECT_EQ(put({"webhook", "1", "70"}, R"({"guild_id":"2"})"), "invalid_request guild_id");
  EXPECT_EQ(put({"template", "1", "abc"}, R"({"code":"abd"})"), "invalid_request code");
  EXPECT_EQ(put({"command", "30", "31"}, R"({"application_id":"32"})"), "invalid_request application_id");
  EXPECT_EQ(put({"ban", "1", "2"}, R"({"reason":1})"), "invalid_request reason");
  EXPECT_EQ(put({"ban", "1", "2"}, R"({"user":{"id":"3"}})"), "invalid_request id");
  EXPECT_EQ(put({"ban", "1", "2"}, R"({"until":"x"})"), "invalid_request until");
  EXPECT_EQ(put({"widget", "1"}, fmt::format("\"{}\"", std::string(limits::body_bytes_max, 'x'))),
            "invalid_request ");
  EXPECT_EQ(run(cache.put({.kind = ObjectKind::widget, .parent = "x"}, "{}")).error().field, "id");
  shared.setup.keep[Resource::widgets].kept = false;
  EXPECT_EQ(put({"widget", "1"}, "{}"), "not_kept ");
  EXPECT_EQ(cli({"KEYS", "*"}), "");
}

TEST_F(CachePutTest, a_put_keeps_an_object_as_long_as_the_settings_say) {
  shared.setup.keep[Resource::bans].ttl = std::chrono::seconds(60);
  EXPECT_EQ(put({"ban", "1", "2"}, "{}"), "ok");
  EXPECT_EQ(cli({"TTL", "drc:v1:bans:1:2"}), "60");
}

TEST_F(CachePutTest, a_put_waits_until_a_guild_is_removed) {
  EXPECT_EQ(put({"ban", "1", "3"}, "{}"), "ok");
  cli({"ZADD", "{drc:v1}:jobs", "1", "guild:1"});
  EXPECT_EQ(put({"ban", "1", "2"}, "{}"), "ok");
  EXPECT_EQ(get({"ban", "1", "3"}), "not cached");
  EXPECT_EQ(get({"ban", "1", "2"}), R"({"reason":null,"user":{"id":"2"}})");
}

TEST_F(CachePutTest, a_deleted_guild_takes_along_what_was_put) {
  put({"ban", "1", "2"}, "{}");
  put({"template", "1", "abc"}, "{}");
  put({"webhook", "1", "70"}, "{}");
  put({"welcome_screen", "1"}, "{}");
  put({"widget", "1"}, "{}");
  apply("GUILD_DELETE", R"({"id":"1"})");
  EXPECT_EQ(cli({"KEYS", "*"}), "");
}

}  // namespace

}  // namespace larder::cache
