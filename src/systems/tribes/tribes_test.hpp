// Tribes with their own Redis and SQLite. The clock stands still until a test moves it.
#pragma once

#include "base/when_all.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/tribes/audit/compare.hpp"
#include "systems/tribes/audit/tribes_rebuild.hpp"
#include "systems/tribes/audit/tribes_verify.hpp"
#include "systems/tribes/tribes_background.hpp"

#include <gtest/gtest.h>

namespace larder::tribes {

using namespace std::chrono_literals;

inline constexpr std::int64_t test_start_ms = 1'767'225'600'000;

// A server: its own connections and background work. It acts like a killed one if it is destroyed without
// stop().
struct TribesServer {
  TribesServer(asio::io_context& its_io, std::string const& redis_url, std::string const& sql_url,
               Clock const& clock)
      : io(its_io),
        redis(io, {.url = redis::parse_url(redis_url), .timeout = 5000ms, .tls_ca = {}}, metrics),
        sql(sql_url, 2, metrics),
        background(io, redis, sql, clock, {}, metrics),
        tribes(redis, background.shared()),
        worlds(redis, background.shared()) {
    background.migrate_now();
  }

  asio::io_context& io;
  Metrics metrics;
  redis::Redis redis;
  sql::Database sql;
  Background background;
  Tribes tribes;
  Worlds worlds;
};

class TribesTest : public testing::Test {
 protected:
  explicit TribesTest(bool check_keys = true) : server({.check_keys = check_keys}) {
    larder.emplace(io, server.url(), sql_url, clock);
  }

  static UserId user(std::string_view id) { return UserId::from(id).value(); }
  static WorldId world(std::string_view name = "w") { return WorldId::from(name).value(); }
  static Action action(std::string_view text) { return parse_action(json::parse(text)).value(); }
  static std::optional<IdempotencyKey> key(std::string text, std::string fingerprint = "body") {
    return IdempotencyKey{.key = std::move(text), .fingerprint = std::move(fingerprint)};
  }
  template <class T>
  T run(Task<T> task) {
    return test::run(io, std::move(task));
  }

  // "ok", or the name of the refusal and its further members. ", again" marks a kept answer.
  static std::string brief(Result<Answered> const& answered) {
    if (answered) return answered->replayed ? "ok, again" : "ok";
    auto text = std::string(answered.error().code.name);
    if (!answered.error().more.empty()) text += " " + json::serialize(answered.error().more);
    return text + (answered.error().replayed ? ", again" : "");
  }
  void make_world(std::string_view name = "w", std::int64_t speed = 1, RulesPtr rules = pizza_rules()) {
    ASSERT_TRUE(run(larder->worlds.create(world(name), speed, rules)));
  }
  std::string join(std::string_view who, std::optional<IdempotencyKey> with = {}) {
    return brief(run(larder->tribes.join(world(), user(who), std::string(who) + "-name", std::move(with))));
  }
  std::string act(std::string_view who, std::string_view what, std::optional<IdempotencyKey> with = {}) {
    return brief(run(larder->tribes.act(world(), user(who), action(what), std::move(with))));
  }
  Town stored(std::string_view who, std::string_view in = "w") {
    World place(world(in));
    place.put(run(info_of(in)));
    return run(larder->tribes.towns().read(place, {user(who)})).towns.at(0)->town;
  }
  Task<WorldInfoPtr> info_of(std::string_view in) {
    auto const opened = co_await larder->tribes.open(world(in));
    co_await larder->tribes.towns().refresh(**opened);
    co_return (*opened)->info();
  }
  json::object state(std::string_view who, std::string_view in = "w") {
    return run(larder->tribes.state(world(in), user(who))).value().state;
  }
  // Writes a town as if its player had earned everything.
  void put_town(Town const& town, std::string_view in = "w");
  // What verify finds.
  Lines differences() {
    Lines lines;
    TribesJournal journal(larder->sql);
    run(verify(larder->redis, journal, run(journal.worlds()),
               {.difference = [&](std::string const& line) { lines.push_back(line); },
                .is_deleted = is_deleted,
                .now = [this] { return clock.now(); }}));
    return lines;
  }
  std::string cli(std::vector<std::string> const& command) { return server.cli(command); }
  double due(std::string_view who, std::string const& set = "{tribes:w}:user_updates") {
    auto const score = cli({"ZSCORE", set, std::string(who)});
    return score.empty() ? -1 : std::stod(score);
  }
  void restart() {
    larder.reset();
    larder.emplace(io, server.url(), sql_url, clock);
  }

  std::function<Task<bool>(UserId)> is_deleted;  // for verify
  test::TempDir dir;
  test::RedisServer server;
  std::string sql_url = "sqlite:" + dir.file("tribes.db");
  TestClock clock{{test_start_ms}};
  asio::io_context io;
  std::optional<TribesServer> larder;
};

inline void TribesTest::put_town(Town const& town, std::string_view in) {
  auto const opened = run(larder->tribes.open(world(in))).value();
  auto const read = run(larder->tribes.towns().read(*opened, {town.user}));
  ReadTown const changed{.town = town, .revision = read.towns[0]->revision};
  auto const committed = run(larder->tribes.towns().commit({.world = *opened,
                                                            .world_revision = read.info->revision,
                                                            .now = clock.now(),
                                                            .at = town.at,
                                                            .towns = {Towns::to_write(changed, *read.info)}},
                                                           redis::Use::write));
  ASSERT_TRUE(committed.done());
}

}  // namespace larder::tribes
