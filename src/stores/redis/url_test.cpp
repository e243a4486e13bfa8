#include "stores/redis/url.hpp"

#include "base/error.hpp"
#include "stores/redis/script.hpp"
#include "stores/redis/slot.hpp"

#include <gtest/gtest.h>

namespace larder::redis {
namespace {

TEST(RedisUrl, says_where_redis_is) {
  struct Case {
    std::string text;
    Url url;
  };
  std::vector<Case> const cases = {
      {"embedded", {.embedded = true, .endpoints = {}, .user = {}, .password = {}}},
      {"unix:/run/redis.sock", {.endpoints = {{"/run/redis.sock", 0}}, .user = {}, .password = {}}},
      {"unix:///run/redis.sock", {.endpoints = {{"/run/redis.sock", 0}}, .user = {}, .password = {}}},
      {"redis://host", {.endpoints = {{"host", 6379}}, .user = {}, .password = {}}},
      {"redis://host/", {.endpoints = {{"host", 6379}}, .user = {}, .password = {}}},
      {"redis://host:7000/3", {.endpoints = {{"host", 7000}}, .user = {}, .password = {}, .db = 3}},
      {"redis://[::1]:7000", {.endpoints = {{"::1", 7000}}, .user = {}, .password = {}}},
      {"redis://[::1]", {.endpoints = {{"::1", 6379}}, .user = {}, .password = {}}},
      {"redis://:secret@host", {.endpoints = {{"host", 6379}}, .user = {}, .password = "secret"}},
      {"redis://me:p%40ss%2F@host", {.endpoints = {{"host", 6379}}, .user = "me", .password = "p@ss/"}},
      {"redis://me:p@ss@host", {.endpoints = {{"host", 6379}}, .user = "me", .password = "p@ss"}},
      {"rediss://host", {.tls = true, .endpoints = {{"host", 6379}}, .user = {}, .password = {}}},
      {"redis+cluster://a:1,b:2",
       {.cluster = true, .endpoints = {{"a", 1}, {"b", 2}}, .user = {}, .password = {}}},
      {"rediss+cluster://u:p@a",
       {.cluster = true, .tls = true, .endpoints = {{"a", 6379}}, .user = "u", .password = "p"}},
  };
  for (auto const& [text, want] : cases) {
    SCOPED_TRACE(text);
    auto const url = parse_url(text);
    EXPECT_EQ(url.embedded, want.embedded);
    EXPECT_EQ(url.cluster, want.cluster);
    EXPECT_EQ(url.tls, want.tls);
    EXPECT_EQ(url.endpoints, want.endpoints);
    EXPECT_EQ(url.user, want.user);
    EXPECT_EQ(url.password, want.password);
    EXPECT_EQ(url.db, want.db);
  }
}

TEST(RedisUrl, refuses_what_it_cannot_mean_and_keeps_the_password_to_itself) {
  struct Case {
    std::string text;
    std::string why;
  };
  std::vector<Case> const cases = {
      {"", "unknown scheme"},
      {"host:6379", "unknown scheme"},
      {"http://u:hunter2@host", "unknown scheme"},
      {"unix:", "no path"},
      {"redis://", "no host"},
      {"redis://:6379", "no host"},
      {"redis://u:hunter2@host:0", "bad port"},
      {"redis://u:hunter2@host:65536", "bad port"},
      {"redis://u:hunter2@host:x", "bad port"},
      {"redis://u:hunter2@host:", "bad port"},
      {"redis://u:hunter2@host/x", "bad database number"},
      {"redis://u:hunter2@host/-1", "bad database number"},
      {"redis://hunter2@host", "a user needs a password"},
      {"redis://u:hunter2%zz@host", "bad percent encoding"},
      {"redis://u:hunter2@[::1", "a [ without ]"},
      {"redis://u:hunter2@[::1]7000", "bad address"},
      {"redis://u:hunter2@a:1,b:2", "several hosts need redis+cluster://"},
      {"redis+cluster://u:hunter2@a:1/2", "a cluster has only database 0"},
      {"redis+cluster://u:hunter2@a:1,", "no host"},
  };
  for (auto const& [text, why] : cases) {
    SCOPED_TRACE(text);
    try {
      parse_url(text);
      ADD_FAILURE() << "was accepted";
    } catch (SetupError const& error) {
      std::string const what = error.what();
      EXPECT_NE(what.find(why), what.npos) << what;
      EXPECT_EQ(what.find("hunter2"), what.npos) << what;
      EXPECT_NE(what.find("embedded, unix:/path"), what.npos) << what;
    }
  }
}

TEST(RedisSlot, is_what_redis_cluster_says) {
  EXPECT_EQ(crc16("123456789"), 0x31C3);
  struct Case {
    std::string key;
    int slot;
  };
  // The slots are answers of CLUSTER KEYSLOT.
  std::vector<Case> const cases = {
      {"", 0},
      {"foo", 12182},
      {"bar", 5061},
      {"{foo}:x", 12182},
      {"x{foo}", 12182},
      {"{foo}{bar}", 12182},
      {"{}foo", 9500},
      {"foo{}{bar}", 8363},
      {"foo{{bar}}zap", 4015},
      {"{foo", 13308},
  };
  for (auto const& [key, slot] : cases) EXPECT_EQ(slot_of(key), slot) << key;
}

TEST(RedisScript, is_named_by_its_sha1) {
  EXPECT_EQ(Script("one", "return 1").sha(), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
}

}  // namespace
}  // namespace larder::redis
