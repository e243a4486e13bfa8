// A cache on a real Redis that knows one guild, for tests that say what an event changes.
#pragma once

#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "systems/cache/cache.hpp"
#include "systems/cache/snapshot_test.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::cache {

// A dispatch.
inline std::string dispatch(std::string_view name, std::string_view d) {
  return fmt::format(R"({{"op":0,"t":"{}","s":1,"d":{}}})", name, d);
}

// What some events do to the keys. Among the expected contents, "gone" means that the key no longer exists.
struct EventCase {
  char const* fact;
  std::vector<std::pair<char const*, char const*>> events;  // name, d
  char const* changes;  // an object: from names as in Snapshot to contents
};

class CacheEventsTest : public testing::Test {
 protected:
  static constexpr std::int64_t now_ms = 1'800'000'000'000;

  // The bot is user 9. Guild 1 has the members 7 (ada, role 40) and 8 (bob), the text channel 20, the thread
  // 30, and the roles 1 and 40.
  void know_a_guild() {
    ASSERT_EQ(apply({dispatch("READY", R"({"user":{"id":"9","username":"bot"},"guilds":[{"id":"1"}]})"),
                     dispatch("GUILD_CREATE", R"({"id":"1","name":"G","member_count":2,"unavailable":false,
      "channels":[{"id":"20","type":0,"last_message_id":null}],"roles":[{"id":"1"},{"id":"40","name":"mods"}],
      "threads":[{"id":"30","type":11,"parent_id":"20","message_count":0}],
      "members":[{"user":{"id":"7","username":"ada"},"roles":["40"]},{"user":{"id":"8","username":"bob"},"roles":[]}]})")})
                  .applied,
              2);
  }

  ApplyReport apply(std::vector<std::string> const& dispatches) {
    std::vector<std::string_view> const views(dispatches.begin(), dispatches.end());
    return larder::test::run(io_, cache_.apply(views)).value();
  }
  // Each event by itself.
  void apply_each(std::vector<std::pair<char const*, char const*>> const& events) {
    for (auto const& [name, d] : events) {
      auto const report = apply({dispatch(name, d)});
      EXPECT_EQ(report.applied, 1) << name << (report.failed.empty() ? "" : report.failed[0].detail);
    }
  }
  void put_webhook(std::string const& text) {
    std::string const id(json::parse(text).at("id").as_string());
    larder::test::run(io_, cache_.put({.kind = ObjectKind::webhook, .id = id}, text)).value();
  }
  Snapshot snapshot() { return larder::test::run(io_, take_snapshot(redis_)); }
  std::int64_t ttl_s(std::string const& name) { return std::stoll(server_.cli({"TTL", "drc:v1:" + name})); }

  static Snapshot with_changes(Snapshot keys, std::string_view changes) {
    for (auto const& [name, content] : json::parse(changes).as_object()) {
      if (content == json::value("gone")) {
        EXPECT_EQ(keys.erase(name), 1) << name << " did not exist";
      } else {
        keys[name] = content;
      }
    }
    return keys;
  }
  // Applies the events one by one, all at once, and the last one twice: the result must be the same.
  void check(EventCase const& each) {
    SCOPED_TRACE(each.fact);
    server_.cli({"FLUSHALL"});
    know_a_guild();
    auto const expected = with_changes(snapshot(), each.changes);
    apply_each(each.events);
    EXPECT_EQ(differences(expected, snapshot()), "");
    apply_each({each.events.back()});
    EXPECT_EQ(differences(expected, snapshot()), "") << "the last event again";
    server_.cli({"FLUSHALL"});
    know_a_guild();
    std::vector<std::string> all;
    for (auto const& [name, d] : each.events) all.push_back(dispatch(name, d));
    apply(all);
    EXPECT_EQ(differences(expected, snapshot()), "") << "all events in one request";
  }
  void check(std::vector<EventCase> const& cases) {
    for (auto const& each : cases) check(each);
  }

  larder::test::RedisServer server_;
  asio::io_context io_;
  Metrics metrics_;
  TestClock clock_{{now_ms}};
  EventCounts counts_;
  CacheShared shared_{
      .setup = {.keys = CacheKeys("drc", "v1"), .keep = {}}, .clock = clock_, .counts = counts_};
  redis::Redis redis_{io_, {.url = redis::parse_url(server_.url())}, metrics_};
  Cache cache_{redis_, shared_};
};

}  // namespace larder::cache
