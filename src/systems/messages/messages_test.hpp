// Messages with their own Redis and SQL database. The clock stands still until a test moves it.
#pragma once

#include "base/when_all.hpp"
#include "larder_messages_scripts.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/sql_servers.hpp"
#include "support/temp_dir.hpp"
#include "systems/messages/messages_background.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

namespace larder::messages {

using Ids = std::vector<MessageId>;

// The bucket of the message that select_message.lua chooses. Only the script can know which message that is.
inline std::vector<test::DerivedKeys> bucket_of_the_chosen() {
  return {{.script = std::string(lua::select_message.sha()), .ending = ":[0-9]+:(last_reset|tokens)"}};
}

class MessagesTest : public testing::Test {
 protected:
  explicit MessagesTest(std::string const& sql_url = {})
      : sql(sql_url.empty() ? "sqlite:" + dir.file("larder.sqlite") : sql_url, 2, metrics) {
    background.migrate_now();
  }

  static UserId user(std::string_view id = "ada") { return UserId::from(id).value(); }
  static limiter::Rule rule(std::int64_t tokens, std::int64_t seconds,
                            limiter::Refill refill = limiter::Refill::interval) {
    return {.tokens = tokens, .seconds = seconds, .refill = refill};
  }
  template <class T>
  T run(Task<T> task) {
    return test::run(io, std::move(task));
  }
  std::string cli(std::vector<std::string> const& command) { return server.cli(command); }

  NewMessage draft(limiter::Rule rule, std::string_view target = "ada", bool active = true) {
    return {
        .text = "hello", .author = user("author"), .target = user(target), .active = active, .rule = rule};
  }
  MessageId add(limiter::Rule rule, std::string_view target = "ada", bool active = true) {
    return run(messages.create(draft(rule, target, active))).value()->id;
  }
  Ids add(int count, limiter::Rule rule) {
    Ids ids;
    for (int i = 0; i < count; ++i) ids.push_back(add(rule));
    return ids;
  }
  Selection select(std::string_view target = "ada", std::optional<std::uint32_t> seed = {}) {
    return run(messages.select(user(target), seed));
  }
  // Selects. Returns the id, "none", or "none till +<ms from now>".
  std::string told(std::string_view target = "ada") {
    auto const selection = select(target);
    if (selection.message) return fmt::to_string(selection.message->id);
    if (!selection.retry_at) return "none";
    return fmt::format("none till +{}", *selection.retry_at - clock.now());
  }
  Ids take(int count) {
    Ids ids;
    for (int i = 0; i < count; ++i) {
      auto const selection = select();
      ids.push_back(selection.message ? selection.message->id : 0);
      clock.advance(1);
    }
    return ids;
  }
  Ids sent(std::string_view target = "ada") {
    Ids ids;
    for (auto const& item : run(messages.history(user(target), {}, 100))) ids.push_back(item.message);
    return ids;
  }
  std::string version_of(std::string_view target = "ada") {
    return cli({"HGET", IndexKeys(user(target)).index, "version"});
  }
  // The suffixes of all keys of a user. Leaves out an index that has only its version,
  // for a user without messages.
  std::set<std::string> keys_of(std::string_view target = "ada") {
    IndexKeys const keys(user(target));
    std::set<std::string> found;
    std::istringstream lines(cli({"KEYS", keys.history + "*"}));
    for (std::string line; std::getline(lines, line);) {
      if (line == keys.index && cli({"HLEN", line}) == "1") continue;
      if (!line.empty()) found.insert(line.substr(keys.history.size()));
    }
    return found;
  }

  test::TempDir dir;
  test::RedisServer server{{.derived_keys = bucket_of_the_chosen()}};
  asio::io_context io{1};
  TestClock clock{{1'800'000'000'000}};
  Metrics metrics;
  sql::Database sql;
  redis::Redis redis{io, {.url = redis::parse_url(server.url())}, metrics};
  Background background{io, redis, sql, clock, metrics, std::chrono::milliseconds(10)};
  Messages messages{redis, background.shared()};
};

}  // namespace larder::messages
