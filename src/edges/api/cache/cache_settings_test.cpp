#include "edges/api/cache/cache_settings.hpp"

#include "base/error.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace larder::api {
namespace {

// The values after these flags, or the message of the SetupError.
std::string why_refused(std::vector<std::pair<std::string, std::string>> flags) {
  CacheValues values;
  try {
    load_settings(cache_settings(values), {.flags = std::move(flags)});
    return "accepted";
  } catch (SetupError const& error) {
    return error.what();
  }
}

TEST(CacheSettings, take_a_prefix_that_can_be_part_of_a_key) {
  for (auto const* good : {"drc", "a", "my-bot:cache", "A_1.b"})
    EXPECT_EQ(why_refused({{"cache.prefix", good}}), "accepted") << good;
  for (auto const* bad : {"", ":a", "a:", "a b", "{a}", "a*", "\xc3\xa9"})
    EXPECT_NE(why_refused({{"cache.prefix", bad}}).find("must have 1 to 64 characters"), std::string::npos)
        << bad;
  EXPECT_NE(why_refused({{"cache.prefix", std::string(65, 'a')}}), "accepted");
}

TEST(CacheSettings, refuse_a_prefix_that_begins_like_keys_of_other_systems) {
  for (auto const* bad : {"tribes", "items:x", "larder"})
    EXPECT_NE(why_refused({{"cache.prefix", bad}}).find("must not begin with"), std::string::npos) << bad;
  EXPECT_EQ(why_refused({{"cache.prefix", "tribes2"}}), "accepted");
}

TEST(CacheSettings, take_only_encodings_that_are_supported) {
  for (auto const* good : {"v1", "v0", "v12json"})
    EXPECT_EQ(why_refused({{"cache.version_info", good}}), "accepted") << good;
  for (auto const* bad : {"", "1", "v", "vjson", "v1 ", "v1:json", "V1"})
    EXPECT_NE(why_refused({{"cache.version_info", bad}}).find("must be v, a number"), std::string::npos)
        << bad;
  EXPECT_NE(why_refused({{"cache.version_info", "v1proto"}}).find("not supported"), std::string::npos);
  EXPECT_NE(why_refused({{"cache.version_info", "v1etf"}}).find("unknown"), std::string::npos);
}

TEST(CacheSettings, say_what_may_be_kept) {
  for (auto const* good : {"true", "false", "0", "90s", "15m", "24h", "7d"})
    EXPECT_EQ(why_refused({{"cache.keep.messages", good}}), "accepted") << good;
  for (auto const* bad : {"", "15", "m", "-1m", "1w", "99999d"})
    EXPECT_NE(why_refused({{"cache.keep.messages", bad}}).find("such as 90s, 15m, 24h or 7d"),
              std::string::npos)
        << bad;
  EXPECT_NE(why_refused({{"cache.keep.sounds", "true"}}).find("unknown setting"), std::string::npos);
}

TEST(CacheSettings, can_be_read_back_from_their_dump) {
  CacheValues written;
  load_settings(cache_settings(written), {.flags = {{"cache.keep.messages", "36h"},
                                                    {"cache.keep.presences", "false"},
                                                    {"cache.feed.members", "true"},
                                                    {"cache.redis.memory_mb", "512"},
                                                    {"cache.redis.url", "unix:/run/redis.sock"}}});
  auto const dump = dump_settings(cache_settings(written));
  test::TempDir dir;
  std::ofstream(dir.file("larder.toml")) << dump;
  CacheValues read;
  load_settings(cache_settings(read), {.file = dir.file("larder.toml")});
  EXPECT_EQ(dump_settings(cache_settings(read)), dump);
  EXPECT_EQ(read.keep[cache::Resource::messages].ttl, std::chrono::hours(36));
  EXPECT_FALSE(read.keep[cache::Resource::presences].kept);
  EXPECT_TRUE(read.setup().feed[std::size_t(cache::Resource::members)]);
  EXPECT_EQ(read.setup().feed.count(), 1U);
}

TEST(CacheSettings, come_from_the_environment_too) {
  CacheValues values;
  load_settings(cache_settings(values), {.environment = {{"LARDER_CACHE__REDIS__URL", "embedded"},
                                                         {"LARDER_CACHE__KEEP__VOICE_STATES", "false"}}});
  EXPECT_EQ(values.redis_url, "embedded");
  EXPECT_FALSE(values.keep[cache::Resource::voice_states].kept);
}

// "own embedded", "own <endpoint>" or "shared".
std::string place_of(std::string cache_url, std::string url) {
  CacheValues values;
  values.redis_url = std::move(cache_url);
  Config config;
  config.redis.url = std::move(url);
  check_cache_values(values, config);
  auto const place = own_place(values, config);
  if (!place) return "shared";
  return place->url.embedded
             ? "own " + place->options.directory.filename().string() + " " + place->options.fsync
             : "own " + place->url.endpoints.front().str();
}

TEST(CacheSettings, choose_the_redis) {
  EXPECT_EQ(place_of("auto", "embedded"), "own redis-cache everysec");
  EXPECT_EQ(place_of("auto", "redis://a:1"), "shared");
  EXPECT_EQ(place_of("embedded", "redis://a:1"), "own redis-cache everysec");
  EXPECT_EQ(place_of("embedded", "embedded"), "own redis-cache everysec");
  EXPECT_EQ(place_of("redis://b:2", "embedded"), "own b:2");
  EXPECT_EQ(place_of("redis://b:2", "redis://a:1"), "own b:2");
  EXPECT_EQ(place_of("redis://a:1", "redis://a:1"), "shared");
  EXPECT_THROW(place_of("nonsense", "embedded"), SetupError);
}

TEST(CacheSettings, limit_only_an_embedded_redis) {
  CacheValues values{.redis_memory_mb = 100};
  Config config;
  check_cache_values(values, config);
  EXPECT_EQ(own_place(values, config)->options.memory_mb, 100);
  config.redis.url = "redis://a:1";
  EXPECT_THROW(check_cache_values(values, config), SetupError);
  values.redis_url = "redis://b:2";
  EXPECT_THROW(check_cache_values(values, config), SetupError);
}

}  // namespace
}  // namespace larder::api
