#include "systems/cache/cache_test.hpp"

#include <algorithm>
#include <set>

namespace larder::cache {

namespace {

class CacheListTest : public CacheTest {
 protected:
  // {"id":"<first>"},... with ids that grow by one.
  static std::string ids(int first, int count, std::string_view format = R"({{"id":"{}"}})") {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i > 0 ? "," : "") + fmt::format(fmt::runtime(format), first + i);
    return list;
  }
};

TEST_F(CacheListTest, every_collection_of_a_guild_is_listed_by_id) {
  apply(
      "GUILD_CREATE",
      R"({"id":"1","channels":[{"id":"12"},{"id":"2"}],"roles":[{"id":"10"},{"id":"1"}],"emojis":[{"id":"3"}],)"
      R"("stickers":[{"id":"4"}],"voice_states":[{"user_id":"100","channel_id":"2"}],"guild_scheduled_events":[{"id":"7"}],)"
      R"("stage_instances":[{"id":"8","channel_id":"2"}],"threads":[{"id":"20","parent_id":"2"}],)"
      R"("members":[{"user":{"id":"101"}},{"user":{"id":"100"}}],"presences":[{"user":{"id":"100"},"status":"idle"}]})");
  apply("AUTO_MODERATION_RULE_CREATE", R"({"id":"9","guild_id":"1"})");
  apply("INTEGRATION_CREATE", R"({"id":"11","guild_id":"1"})");
  apply("INVITE_CREATE", R"({"code":"abc","guild_id":"1","channel_id":"2"})");
  put({"template", "1", "xyz"}, "{}");
  put({"webhook", "1", "70"}, "{}");
  put({"ban", "1", "102"}, R"({"reason":"r"})");
  put({"command", "30", "31"}, "{}");
  apply("THREAD_MEMBERS_UPDATE",
        R"({"id":"20","guild_id":"1","added_members":[{"id":"20","user_id":"100"}]})");
  auto const ids_of = [&](CollectionKind kind, std::string_view name = "id") {
    return each(list(kind, "1"), name);
  };
  EXPECT_EQ(ids_of(CollectionKind::channels), (Texts{"\"2\"", "\"12\""}));
  EXPECT_EQ(ids_of(CollectionKind::roles), (Texts{"\"1\"", "\"10\""}));
  EXPECT_EQ(ids_of(CollectionKind::emojis), (Texts{"\"3\""}));
  EXPECT_EQ(ids_of(CollectionKind::stickers), (Texts{"\"4\""}));
  EXPECT_EQ(ids_of(CollectionKind::voice_states, "user_id"), (Texts{"\"100\""}));
  EXPECT_EQ(ids_of(CollectionKind::scheduled_events), (Texts{"\"7\""}));
  EXPECT_EQ(ids_of(CollectionKind::stage_instances), (Texts{"\"8\""}));
  EXPECT_EQ(ids_of(CollectionKind::threads), (Texts{"\"20\""}));
  EXPECT_EQ(ids_of(CollectionKind::automod_rules), (Texts{"\"9\""}));
  EXPECT_EQ(ids_of(CollectionKind::integrations), (Texts{"\"11\""}));
  EXPECT_EQ(ids_of(CollectionKind::invites, "code"), (Texts{"\"abc\""}));
  EXPECT_EQ(ids_of(CollectionKind::templates, "code"), (Texts{"\"xyz\""}));
  EXPECT_EQ(ids_of(CollectionKind::webhooks), (Texts{"\"70\""}));
  EXPECT_EQ(ids_of(CollectionKind::members, "user"), (Texts{R"({"id":"100"})", R"({"id":"101"})"}));
  EXPECT_EQ(ids_of(CollectionKind::presences, "status"), (Texts{"\"idle\""}));
  EXPECT_EQ(list(CollectionKind::bans, "1"), (Texts{R"({"reason":"r","user":{"id":"102"}})"}));
  EXPECT_EQ(each(list(CollectionKind::commands, "30"), "id"), (Texts{"\"31\""}));
  EXPECT_EQ(each(list(CollectionKind::members_of_thread, "20"), "user_id"), (Texts{"\"100\""}));
  EXPECT_EQ(each(list(CollectionKind::guilds, ""), "id"), (Texts{"\"1\""}));
  EXPECT_EQ(each(list(CollectionKind::guilds_of_user, "100"), "id"), (Texts{"\"1\""}));
  EXPECT_EQ(list(CollectionKind::channels, "5"), Texts());
}

TEST_F(CacheListTest, pages_of_a_hash_have_every_object_once) {
  apply("GUILD_CREATE", fmt::format(R"({{"id":"1","channels":[{}]}})", ids(95, 25)));
  auto const first = page(CollectionKind::channels, "1", {.limit = 10});
  EXPECT_EQ(each(first.items, "id").back(), "\"104\"");
  EXPECT_EQ(list(CollectionKind::channels, "1", 10).size(), 25);
  EXPECT_EQ(list(CollectionKind::channels, "1", 25).size(), 25);
  EXPECT_FALSE(page(CollectionKind::channels, "1", {.limit = 25}).next_cursor);
  // A cursor survives the object that it names.
  apply("CHANNEL_DELETE", R"({"id":"104","guild_id":"1"})");
  auto const second = page(CollectionKind::channels, "1", {.limit = 1, .cursor = *first.next_cursor});
  EXPECT_EQ(each(second.items, "id"), (Texts{"\"105\""}));
}

TEST_F(CacheListTest, pages_of_a_large_set_have_every_object_once) {
  for (int const count : {7, 400, 3000}) {
    cli({"FLUSHALL"});
    for (int done = 0; done < count; done += 1000) {
      apply("GUILD_MEMBERS_CHUNK",
            fmt::format(R"({{"guild_id":"1","members":[{}]}})",
                        ids(1000 + done, std::min(1000, count - done), R"({{"user":{{"id":"{}"}}}})")));
    }
    for (std::size_t const limit : {1, 50, 500}) {
      if (limit == 1 && count > 7) continue;
      auto const users = each(list(CollectionKind::members, "1", limit), "user");
      EXPECT_EQ(users.size(), count) << limit;
      EXPECT_EQ(std::set<std::string>(users.begin(), users.end()).size(), count) << limit;
    }
  }
}

TEST_F(CacheListTest, messages_come_newest_first_even_those_of_one_millisecond) {
  std::vector<std::pair<std::string_view, std::string>> events;
  std::vector<std::uint64_t> sent;
  for (std::uint64_t i = 0; i < 60; ++i) {
    // 40 messages of one millisecond, and others around them.
    auto const ms = std::uint64_t(400'000'000'000) + (i < 10 ? i : i < 50 ? 20 : i);
    sent.push_back((ms << 22) + i);
    events.emplace_back("MESSAGE_CREATE", fmt::format(R"({{"id":"{}","channel_id":"2"}})", sent.back()));
  }
  apply_all(events);
  Texts expected;
  for (auto const id : sent) expected.insert(expected.begin(), fmt::format("\"{}\"", id));
  for (std::size_t const limit : {1, 7, 50, 60}) {
    EXPECT_EQ(each(list(CollectionKind::messages_of_channel, "2", limit), "id"), expected) << limit;
  }
}

TEST_F(CacheListTest, what_has_expired_is_left_out_and_taken_out_of_its_index) {
  apply_all({{"MESSAGE_CREATE", R"({"id":"50","channel_id":"2"})"},
             {"MESSAGE_CREATE", R"({"id":"51","channel_id":"2"})"},
             {"THREAD_CREATE", R"({"id":"20","guild_id":"1","parent_id":"2","type":11})"},
             {"INVITE_CREATE", R"({"code":"abc","guild_id":"1"})"},
             {"PRESENCE_UPDATE", R"({"guild_id":"1","user":{"id":"100"},"status":"idle"})"},
             {"GUILD_MEMBER_ADD", R"({"guild_id":"1","user":{"id":"100"}})"},
             {"STAGE_INSTANCE_CREATE", R"({"id":"4","guild_id":"1","channel_id":"2"})"}});
  put({"ban", "1", "100"}, "{}");
  put({"webhook", "1", "70"}, "{}");
  for (std::string_view const key : {"messages:50", "threads:20", "invites:abc", "presence:1:100",
                                     "members:1:100", "stage-instances:2", "bans:1:100", "webhooks:70"}) {
    EXPECT_EQ(cli({"DEL", fmt::format("drc:v1:{}", key)}), "1") << key;
  }
  auto const list_all = [&] {
    EXPECT_EQ(each(list(CollectionKind::messages_of_channel, "2"), "id"), (Texts{"\"51\""}));
    for (auto const kind : {CollectionKind::threads, CollectionKind::invites, CollectionKind::presences,
                            CollectionKind::members, CollectionKind::stage_instances, CollectionKind::bans,
                            CollectionKind::webhooks}) {
      EXPECT_EQ(list(kind, "1"), Texts());
    }
  };
  list_all();
  EXPECT_EQ(cli({"ZCARD", "{drc:v1:channels:2}:messages"}), "2");  // it may be about to be written
  clock.advance(60'000);
  list_all();
  EXPECT_EQ(cli({"ZRANGE", "{drc:v1:channels:2}:messages", "0", "-1"}), "51");
  EXPECT_EQ(cli({"KEYS", "{drc:v1:guilds:1}:*"}), "");
  // The list of members is not ours alone: a member is a member, even if the object has expired.
  EXPECT_EQ(cli({"SMEMBERS", "drc:v1:members:1"}), "100");
}

TEST_F(CacheListTest, reactions_have_counts_and_the_names_of_custom_emojis) {
  auto const react = [&](std::string_view user, std::string_view emoji) {
    apply("MESSAGE_REACTION_ADD",
          fmt::format(R"({{"user_id":"{}","channel_id":"2","message_id":"50","emoji":{}}})", user, emoji));
  };
  auto const custom = R"({"id":"80","name":"larder"})";
  auto const plain = "{\"id\":null,\"name\":\"\U0001F600\"}";
  apply("MESSAGE_CREATE", R"({"id":"50","channel_id":"2"})");
  apply("USER_UPDATE", std::string(ada));
  react("100", custom);
  react("101", custom);
  react("101", plain);
  Texts const all = {fmt::format(R"({{"emoji":{},"count":2}})", custom),
                     fmt::format(R"({{"emoji":{},"count":1}})", plain)};
  EXPECT_EQ(list(CollectionKind::reactions_of_message, "50"), all);
  EXPECT_EQ(list(CollectionKind::reactions_of_message, "50", 1), all);
  EXPECT_EQ(list(CollectionKind::users_of_reaction, "50", 50, "80"),
            (Texts{std::string(ada), R"({"id":"101"})"}));
  EXPECT_EQ(list(CollectionKind::users_of_reaction, "50", 50, "\U0001F600"), (Texts{R"({"id":"101"})"}));
  cli({"DEL", "drc:v1:messages:50"});
  EXPECT_EQ(list(CollectionKind::reactions_of_message, "50")[0],
            R"({"emoji":{"id":"80","name":null},"count":2})");
}

TEST_F(CacheListTest, malformed_cursors_and_ids_are_refused) {
  auto const field = [&](Collection collection, std::string cursor) {
    auto const found = run(cache.list(std::move(collection), {.cursor = std::move(cursor)}));
    return found ? "none" : found.error().field;
  };
  EXPECT_EQ(field({.kind = CollectionKind::channels, .parent = "1"}, "s0-"), "cursor");
  EXPECT_EQ(field({.kind = CollectionKind::members, .parent = "1"}, "a5"), "cursor");
  EXPECT_EQ(field({.kind = CollectionKind::messages_of_channel, .parent = "1"}, "x61"), "cursor");
  EXPECT_EQ(field({.kind = CollectionKind::reactions_of_message, .parent = "1"}, "?"), "cursor");
  EXPECT_EQ(field({.kind = CollectionKind::channels, .parent = "1"}, std::string(300, 'a')), "cursor");
  EXPECT_EQ(field({.kind = CollectionKind::channels, .parent = "x"}, ""), "id");
  EXPECT_EQ(field({.kind = CollectionKind::users_of_reaction, .parent = "1", .emoji = "a:b"}, ""), "emoji");
  EXPECT_EQ(field({.kind = CollectionKind::channels, .parent = "@me"}, ""), "none");
}

}  // namespace

}  // namespace larder::cache
