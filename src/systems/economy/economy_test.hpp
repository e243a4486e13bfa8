// An economy on a Redis and a SQLite of its own, with a clock that stands still until it is moved.
#pragma once

#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/economy/economy_service.hpp"
#include "systems/economy/economy_verify.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace larder::economy {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

class EconomyTest : public testing::Test {
 protected:
  EconomyTest() { service.migrate_now(); }

  static UserId user(std::string_view id) { return UserId::from(id).value(); }
  static Move move(std::string_view player, std::optional<std::uint32_t> seed = {}) {
    return {.realm = RealmId::from(default_realm).value(), .player = user(player), .seed = seed};
  }
  // The answer, or the name of the refusal.
  template <class T>
  static std::string refusal(Result<Done<T>> const& result) {
    return result ? "" : std::string(result.error().code.name);
  }
  template <class T>
  T run(Task<T> task) {
    return test::run(io, std::move(task));
  }
  std::string cli(std::vector<std::string> const& command) {
    auto text = server.cli(command);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }
  // Runs as they are: the words are split at spaces, unless they are quoted.
  void give(std::string_view player, std::int64_t points) {
    cli({"ZINCRBY", "lb", fmt::to_string(points), std::string(player)});
  }
  void give(std::string_view player, std::string const& item, std::int64_t count) {
    cli({"HINCRBY", std::string(player) + ":inventory", item, fmt::to_string(count)});
  }
  std::string balance(std::string_view player) { return cli({"ZSCORE", "lb", std::string(player)}); }
  std::string count(std::string_view player, std::string const& item) {
    return cli({"HGET", std::string(player) + ":inventory", item});
  }
  // Of each event of a stream, oldest first: "type user_id amount more=..." with the fields in their order.
  Lines events(std::string const& stream);
  std::set<std::string> keys() {
    std::set<std::string> found;
    std::istringstream lines(server.cli({"KEYS", "*"}));
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) found.insert(line);
    }
    return found;
  }

  asio::io_context io;
  Metrics metrics;
  test::TempDir dir;
  test::RedisServer server;
  TestClock clock{SystemClock{}.now()};
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
  Sql sql{"sqlite:" + dir.file("test.db"), 2, metrics};
  Service service{io, redis, sql, clock, {}, metrics};
  Economy economy{redis, service.shared()};
};

inline Lines EconomyTest::events(std::string const& stream) {
  Lines found;
  for (auto const& event : run(events::read_events(redis, stream, "-", "+", 1000))) {
    std::string line;
    for (auto const& [name, value] : event.fields) {
      line += fmt::format("{}{}={}", line.empty() ? "" : " ", name, value);
    }
    found.push_back(std::move(line));
  }
  return found;
}

}  // namespace larder::economy
