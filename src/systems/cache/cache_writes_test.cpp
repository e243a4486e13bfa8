// What a write promises: it is whole, it removes nothing that is alive, and it copes with what others have
// written.
#include "systems/cache/cache_events_test.hpp"
#include "systems/cache/maintenance.hpp"

namespace larder::cache {
namespace {

class CacheWritesTest : public CacheEventsTest {
 protected:
  std::string guild(std::string_view id, int members) {
    std::string list;
    for (int i = 0; i < members; ++i) {
      list += fmt::format(R"({}{{"user":{{"id":"{}{:04}","username":"u"}},"roles":[]}})", i == 0 ? "" : ",",
                          id, i + 1);
    }
    return dispatch(
        "GUILD_CREATE",
        fmt::format(R"({{"id":"{}","name":"G","member_count":{},"members":[{}]}})", id, members, list));
  }
};

TEST_F(CacheWritesTest, a_guild_that_is_being_removed_takes_no_other_with_it) {
  apply({guild("1", 3), guild("2", 150)});
  server_.cli({"ZADD", "{drc:v1}:jobs", "1", "guild:1"});
  auto const update = [](std::string_view id) {
    return dispatch("GUILD_UPDATE", fmt::format(R"({{"id":"{}","name":"new"}})", id));
  };
  EXPECT_EQ(apply({update("1"), update("2")}).applied, 2);
  EXPECT_EQ(server_.cli({"SCARD", "drc:v1:members:2"}), "150");
  EXPECT_EQ(server_.cli({"EXISTS", "drc:v1:members:2:20150"}), "1");
  EXPECT_EQ(server_.cli({"EXISTS", "drc:v1:members:1"}), "0");
  EXPECT_EQ(server_.cli({"ZCARD", "{drc:v1}:jobs"}), "0");
}

TEST_F(CacheWritesTest, a_job_that_somebody_else_has_done_changes_nothing) {
  apply({guild("2", 150)});
  auto const before = snapshot();
  larder::test::run(io_, cache_.run_job({.kind = CascadeJob::Kind::guild, .guild = "2"}));
  EXPECT_EQ(differences(before, snapshot()), "");
}

TEST_F(CacheWritesTest, a_large_removal_is_a_job_before_anything_is_gone) {
  apply({guild("2", 150)});
  server_.cli({"CONFIG", "RESETSTAT"});
  apply({dispatch("GUILD_DELETE", R"({"id":"2"})")});
  auto const stats = server_.cli({"INFO", "commandstats"});
  EXPECT_NE(stats.find("cmdstat_zadd:"), std::string::npos);
  EXPECT_EQ(server_.cli({"KEYS", "*guilds*"}), "");
  EXPECT_EQ(server_.cli({"KEYS", "*members*"}), "");
}

TEST_F(CacheWritesTest, a_guild_may_have_very_many_archived_threads) {
  know_a_guild();
  std::vector<std::string> threads;
  for (int i = 0; i < 9000; ++i) {
    threads.push_back(dispatch(
        "THREAD_CREATE",
        fmt::format(
            R"({{"id":"{}","guild_id":"1","parent_id":"20","type":11,"thread_metadata":{{"archived":true}}}})",
            1000 + i)));
  }
  EXPECT_EQ(apply(threads).applied, 9000);
  auto const report = apply(
      {dispatch("GUILD_CREATE", R"({"id":"1","name":"again","member_count":2,"channels":[],"threads":[]})")});
  EXPECT_EQ(report.applied, 1);
  EXPECT_EQ(server_.cli({"HLEN", "{drc:v1:guilds:1}:threads"}), "9000");
  server_.cli({"DEL", "drc:v1:threads:1000"});
  EXPECT_EQ(larder::test::run(io_, reindex_cache(redis_, shared_.setup)).removed, 1);
  EXPECT_EQ(server_.cli({"HLEN", "{drc:v1:guilds:1}:threads"}), "8999");
}

TEST_F(CacheWritesTest, a_key_of_another_type_counts_as_missing_and_is_replaced) {
  for (std::string const key :
       {"channels:1", "guilds", "guilds:1", "members:1", "members:1:7", "users:7", "roles:1"}) {
    SCOPED_TRACE(key);
    server_.cli({"FLUSHALL"});
    know_a_guild();
    auto const expected = snapshot();
    bool const is_text = server_.cli({"TYPE", "drc:v1:" + key}) == "string";
    server_.cli({"DEL", "drc:v1:" + key});
    server_.cli(is_text ? std::vector<std::string>{"RPUSH", "drc:v1:" + key, "x"}
                        : std::vector<std::string>{"SET", "drc:v1:" + key, "x"});
    know_a_guild();
    EXPECT_EQ(differences(expected, snapshot()), "");
    auto const message =
        dispatch("MESSAGE_CREATE", R"({"id":"60","channel_id":"20","guild_id":"1","content":"c"})");
    EXPECT_EQ(apply({message}).applied, 1);
  }
}

TEST_F(CacheWritesTest, a_list_of_another_type_is_empty) {
  for (auto const& [kind, key] :
       {std::pair(CollectionKind::guilds, "drc:v1:guilds"),
        std::pair(CollectionKind::members, "drc:v1:members:1"),
        std::pair(CollectionKind::guilds_of_user, "{drc:v1:users:1}:guilds"),
        std::pair(CollectionKind::messages_of_channel, "{drc:v1:channels:1}:messages")}) {
    server_.cli({"SET", key, "x"});
    Collection const collection{.kind = kind, .parent = kind == CollectionKind::guilds ? "" : "1"};
    EXPECT_TRUE(larder::test::run(io_, cache_.list(collection, {.limit = 9})).value().items.empty()) << key;
  }
}

TEST_F(CacheWritesTest, the_feed_gets_no_secrets) {
  std::vector<Changed> told;
  shared_.on_change = [&](std::vector<Changed> const& changed) {
    told.insert(told.end(), changed.begin(), changed.end());
  };
  shared_.setup.feed.set();
  apply({dispatch("READY", R"({"user":{"id":"9"},"guilds":[],"session_id":"secret"})"),
         dispatch("INTERACTION_CREATE",
                  R"({"id":"65","type":2,"token":"secret","user":{"id":"7","username":"ada"}})"),
         dispatch("GUILD_CREATE", R"({"id":"1","name":"G"})")});
  ASSERT_EQ(told.size(), 2);
  for (auto const& each : told) EXPECT_EQ(each.object.find("secret"), std::string::npos) << each.object;
  EXPECT_EQ(told[0].event, "INTERACTION_CREATE");
}

TEST_F(CacheWritesTest, another_bot_is_refused) {
  know_a_guild();
  auto const before = snapshot();
  auto const report = apply({dispatch("READY", R"({"user":{"id":"10","username":"other"},"guilds":[]})")});
  ASSERT_EQ(report.failed.size(), 1);
  EXPECT_EQ(report.failed[0].code, "another_bot");
  EXPECT_EQ(differences(before, snapshot()), "");
}

TEST_F(CacheWritesTest, an_entry_stays_in_its_index_as_long_as_it_leads_to_something) {
  know_a_guild();
  apply(
      {dispatch("MESSAGE_REACTION_ADD",
                R"({"message_id":"60","channel_id":"20","guild_id":"1","user_id":"7","emoji":{"name":"e"}})"),
       dispatch("THREAD_MEMBERS_UPDATE",
                R"({"id":"31","guild_id":"1","added_members":[{"id":"31","user_id":"7"}]})")});
  auto const before = snapshot();
  EXPECT_EQ(larder::test::run(io_, reindex_cache(redis_, shared_.setup)).removed, 0);
  EXPECT_EQ(differences(before, snapshot()), "");
  apply({dispatch("CHANNEL_DELETE", R"({"id":"20","guild_id":"1","type":0})"),
         dispatch("GUILD_DELETE", R"({"id":"1"})")});
  EXPECT_EQ(server_.cli({"KEYS", "*reactions*"}), "");
  EXPECT_EQ(server_.cli({"KEYS", "*thread-members*"}), "");
}

TEST_F(CacheWritesTest, a_reindex_finds_the_guilds_of_channels) {
  know_a_guild();
  auto const before = snapshot();
  server_.cli({"DEL", "{drc:v1:channels:20}:guild"});
  larder::test::run(io_, reindex_cache(redis_, shared_.setup));
  EXPECT_EQ(differences(before, snapshot()), "");
}

}  // namespace
}  // namespace larder::cache
