// Compares many concurrent players with the model. Redis itself tells in which order it ran the moves:
// MONITOR shows every call of a script, and the guild id of a move is its number.
#include "base/log.hpp"
#include "client.hpp"
#include "economy_workload_test_scripts.hpp"
#include "monitor.hpp"
#include "support/run.hpp"
#include "systems/economy/economy_background.hpp"
#include "systems/economy/economy_verify.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace larder::economy {
namespace {

using namespace std::chrono_literals;

constexpr int client_count = 32;

struct World {
  RealmId realm;
  Model model = {};
  std::vector<Told> told = {};
  std::vector<std::string> roulettes = {};
};

class Workload : public testing::Test {
 protected:
  // Writes by hand what everybody owns at first.
  static Task<void> fill(redis::Redis& redis, World& world, Random& random) {
    RealmKeys const keys(world.realm);
    for (int i = 0; i < player_count; ++i) {
      auto const player = player_name(std::uint64_t(i));
      auto const points = std::int64_t(random.below(3000));
      std::map<std::string, std::int64_t> items{{":herb:", 1 + std::int64_t(random.below(15))},
                                                {":bone:", 1 + std::int64_t(random.below(60))},
                                                {":tooth:", 1 + std::int64_t(random.below(20))},
                                                {":gear:", 1 + std::int64_t(random.below(15))}};
      if (random.chance(1, 2)) items[":bomb:"] = 1;
      if (random.chance(1, 2)) items[":chopsticks:"] = 2;
      if (random.chance(1, 2)) items[":athletic_shoe:"] = 1;
      if (random.chance(1, 2)) items[":eggplant:"] = 1;
      auto const board = keys.leaderboard();
      auto const score = fmt::to_string(points);
      co_await redis.command(redis::Use::write, board, {"ZADD", board, score, player});
      auto const inventory = keys.inventory(UserId::from(player).value());
      for (auto const& [item, number] : items) {
        auto const count = fmt::to_string(number);
        co_await redis.command(redis::Use::write, inventory, {"HSET", inventory, item, count});
      }
      if (points == 0) world.model.players[player].balance = 0;
      world.model.open(player, points, std::move(items));
    }
  }

  static void compare(std::vector<Seen> const& calls, std::vector<World*> const& worlds) {
    std::map<std::string, World*> by_points;  // by the key of the realm's points stream
    std::map<std::string, World*> by_bombs;
    for (auto* const world : worlds) {
      by_points[RealmKeys(world->realm).points()] = world;
      by_bombs[RealmKeys(world->realm).bombs()] = world;
    }
    redis::Script const arm{lua::arm_bomb};
    redis::Script const plant{lua::plant_bomb};
    redis::Script const use{lua::use_item};
    for (auto const& [sha, words] : calls) {
      if (sha == arm.sha()) {
        by_bombs.at(words.at(1))->model.arm_bomb(words.at(5), std::stoll(words.at(6)));
        continue;
      }
      auto const at = by_points.find(words[0]);
      if (at == by_points.end() || words.size() < 8) continue;  // a script of the kit, or one that only reads
      auto const number = std::strtoull(words[words.size() - 2].c_str(), nullptr, 10);
      auto& world = *at->second;
      if (words[2] != RealmKeys(world.realm).catalogue() ||
          words[4] == RealmKeys(world.realm).catalogue_data())
        continue;
      // A move that was refused before its script ran only asks what the key remembers, with an empty
      // version. The key remembers nothing.
      if (words.size() == 9 && words[5].empty()) continue;
      ASSERT_LT(number, world.told.size());
      auto& told = world.told[number];
      // In scripts that need the time, it is the last of the move's own arguments.
      auto const now = sha == plant.sha() || sha == use.sha()
                           ? std::strtoll(words[words.size() - 3].c_str(), nullptr, 10)
                           : 0;
      auto const seed = std::uint32_t(std::stoul(words.back()));
      ASSERT_EQ(world.model.apply(told.asked, seed, now), told.answer)
          << "move " << number << ", kind " << int(told.asked.kind) << " of " << told.asked.player
          << ", item " << told.asked.item << ", amount " << told.asked.amount;
      told.seen = true;
    }
  }

  Task<void> compare_players(Economy& economy, World& world) {
    for (auto& [id, expected] : world.model.players) {
      auto const view = (co_await economy.player(world.realm, UserId::from(id).value())).value();
      EXPECT_EQ(view.balance, expected.balance) << id;
      EXPECT_EQ(view.name.value_or(""), expected.name) << id;
      EXPECT_EQ(view.inventory, expected.items) << id;
      EXPECT_EQ(view.vampire_level, expected.vampire.value_or(1)) << id;
      std::map<EffectKind, std::int64_t> effects;
      for (auto const& effect : view.effects) effects[effect.kind] = effect.value;
      std::map<EffectKind, std::int64_t> expected_effects;
      if (expected.gain) expected_effects[EffectKind::gain] = *expected.gain;
      if (expected.buff) expected_effects[EffectKind::discombobulate] = *expected.buff;
      if (expected.curse) expected_effects[EffectKind::vampire] = *expected.curse;
      EXPECT_EQ(effects, expected_effects) << id;
      EXPECT_EQ(view.cooldowns.at("discombobulate") > 0, expected.locked) << id;
      EXPECT_EQ(view.cooldowns.at("daily") > 0, expected.claimed["daily"]) << id;
      EXPECT_EQ(view.cooldowns.at("weekly") > 0, expected.claimed["weekly"]) << id;
    }
  }

  Task<std::map<std::string, std::int64_t>> count_events(Economy& economy, RealmId realm) {
    std::map<std::string, std::int64_t> counts;
    EventQuery query{.limit = 500};
    for (;;) {
      auto const events = (co_await economy.events(realm, query)).value();
      for (auto const& event : events) {
        ++counts[(event.of == EconomyEvent::Of::items ? "items " : "") + event.type];
      }
      if (events.size() < 500) co_return counts;
      query.before =
          EventPosition{.ms = events.back().ms, .sequence = events.back().sequence, .of = events.back().of};
    }
  }

  // If a server does not know a script yet, MONITOR shows a call that does not run.
  static void load_scripts(std::vector<test::RedisServer const*> const& servers) {
    for (auto const* server : servers) {
      for (auto const& script : {lua::farm, lua::pay, lua::claim_reward, lua::gamble, lua::discombobulate,
                                 lua::trade, lua::craft, lua::use_item, lua::plant_bomb, lua::arm_bomb,
                                 lua::inspect, lua::start_roulette, lua::shoot_roulette}) {
        server->cli({"SCRIPT", "LOAD", std::string(script.text())});
      }
    }
  }

  // Runs clients of all realms at the same time, and moves the clock meanwhile.
  Task<void> make_moves(Economy& economy, std::vector<World*> const& worlds, std::size_t moves) {
    std::vector<Client> clients;
    clients.reserve(client_count * worlds.size());
    for (auto* const world : worlds) {
      for (int i = 0; i < client_count; ++i) {
        clients.emplace_back(Seed{random.next()}, economy, world->realm, world->told, world->roulettes);
      }
    }
    std::size_t running = clients.size();
    std::exception_ptr failure;
    for (auto& client : clients) {
      asio::co_spawn(io, client.work(moves / client_count), [&](std::exception_ptr const& error) {
        if (error) failure = error;
        --running;
      });
    }
    while (running > 0) {
      co_await sleep_for(5ms);
      clock.advance(1000);
    }
    if (failure) std::rethrow_exception(failure);
  }

  // A move that needs no look at Redis never gets there, so it is not remembered either.
  static void compare_unseen(World& world) {
    for (auto told : world.told) {
      if (told.seen) continue;
      EXPECT_TRUE(told.answer == "self_target" || told.answer == "not_usable") << told.answer;
      told.asked.idempotency_key.clear();
      EXPECT_EQ(world.model.apply(told.asked, 0, 0), told.answer);
    }
  }

  void verify_all(redis::Redis& redis, sql::Database& sql, std::vector<World*> const& worlds) {
    std::vector<RealmId> realms;
    for (auto const* world : worlds) realms.push_back(world->realm);
    EconomyJournal journal(sql);
    auto const report =
        test::run(io, verify(redis, journal, realms,
                             {.difference = [](std::string const& line) { ADD_FAILURE() << line; }}));
    EXPECT_EQ(report.differences, 0);
    EXPECT_GE(report.players, std::int64_t(player_count * worlds.size()));
  }

  // Makes moves in all realms, then compares everything with the models.
  void work(redis::Options const& options, std::vector<test::RedisServer const*> const& servers,
            std::vector<World*> const& worlds, std::size_t moves) {
    load_scripts(servers);
    Monitors monitors;
    ASSERT_NO_FATAL_FAILURE(monitors.start(servers, dir));

    redis::Redis redis(io, options, metrics);
    for (auto* const world : worlds) test::run(io, fill(redis, *world, random));
    sql::Database sql("sqlite:" + dir.file("test.db"), 2, metrics);
    Background background(io, redis, sql, clock, {.stream_events = 2000}, metrics);
    background.migrate_now();
    Economy economy(redis, background.shared());
    test::run(io, background.start());
    // A move that begins a realm runs its script twice, which MONITOR would show.
    for (auto const* world : worlds) ASSERT_TRUE(test::run(io, economy.create(world->realm)));
    test::run(io, make_moves(economy, worlds, moves), 600s);
    // What the scheduler still does is part of the order, too.
    test::run(io, sleep_for(50ms));
    for (auto const* world : worlds) {
      EXPECT_EQ(test::run(io, count_events(economy, world->realm)).size() > 10, true);
    }
    test::run(io, background.stop());
    ASSERT_NO_FATAL_FAILURE(monitors.stop());

    for (std::size_t i = 0; i < monitors.count(); ++i) compare(monitors.calls(i), worlds);
    for (auto* const world : worlds) {
      if (HasFatalFailure()) return;
      compare_unseen(*world);
      test::run(io, compare_players(economy, *world));
      EXPECT_EQ(test::run(io, count_events(economy, world->realm)), world->model.events);
    }
    verify_all(redis, sql, worlds);
  }

  static std::size_t moves() {
    if (auto const* const text = std::getenv("LARDER_MOVES")) return std::size_t(std::atoll(text));
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 10'000;  // the sanitizer matters here, not the number
#else
    return 100'000;
#endif
  }

  asio::io_context io;
  Metrics metrics;
  test::TempDir dir;
  TestClock clock{SystemClock{}.now()};
  std::uint64_t seed = std::getenv("LARDER_SEED") ? std::strtoull(std::getenv("LARDER_SEED"), nullptr, 10)
                                                  : random_seed().value;
  testing::ScopedTrace trace{__FILE__, __LINE__, fmt::format("LARDER_SEED={}", seed)};
  Random random{Seed{seed}};
};

TEST_F(Workload, agrees_with_the_model) {
  test::RedisServer server({.check_keys = false});
  World world{.realm = RealmId::from(default_realm).value()};
  work({.url = redis::parse_url(server.url()), .timeout = 10000ms, .tls_ca = {}}, {&server}, {&world},
       moves());
}

TEST_F(Workload, two_realms_on_a_cluster_agree_with_their_models) {
  test::RedisCluster cluster({.check_keys = false});
  World one{.realm = RealmId::from("one").value()};
  World two{.realm = RealmId::from("two").value()};
  redis::Options const options{.url = redis::parse_url(cluster.url()), .timeout = 10000ms, .tls_ca = {}};
  work(options, {&cluster.node(0), &cluster.node(1), &cluster.node(2)}, {&one, &two}, moves() / 10);
}

}  // namespace
}  // namespace larder::economy
