// Many players at once, against the model. Redis itself tells in which order it ran their moves: MONITOR
// shows every call of a script, and the guild id of a move is its number.
#include "base/log.hpp"
#include "economy_workload_test_scripts.hpp"
#include "model.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/economy/economy_background.hpp"
#include "systems/economy/economy_verify.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace larder::economy {
namespace {

using namespace std::chrono_literals;
using Kind = Asked::Kind;

constexpr int client_count = 32;
constexpr int player_count = 200;

std::string player_name(std::uint64_t number) { return fmt::format("{}", 1000 + number); }

// A move that was made, and what it was told.
struct Told {
  Asked asked;
  std::string answer;
  bool seen = false;  // by the monitor
};

std::string words_of(Roll const& roll) {
  return fmt::format("[{}: {}]", roll.seed, fmt::join(roll.values, " "));
}

// In the words of the model.
std::string words_of(Farmed const& farmed) {
  auto const& [gained, balance, drop, bite, blast, roll] = farmed;
  return fmt::format(
      "{} {} {} {} {} {}", gained, balance, drop ? fmt::format("{}/{}", drop->item, drop->stack) : "-",
      bite ? fmt::format("{}/{}/{}", bite->level, bite->damage, int(bite->necklace_used)) : "-",
      blast ? fmt::format("{}/{}", blast->owner, blast->damage) : "-", words_of(roll));
}
std::string words_of(Paid const& paid) { return fmt::format("{} {}", paid.balance, paid.to_balance); }
std::string words_of(Rewarded const& rewarded) {
  return fmt::format("{} {}", rewarded.reward, rewarded.balance);
}
std::string words_of(Gambled const& gambled) {
  return fmt::format("{} {} {}", gambled.change, gambled.balance, words_of(gambled.roll));
}
std::string words_of(Discombobulated const& done) {
  return fmt::format("{} {} {} {} {}", done.damage, done.balance, done.target_balance, done.locked_s,
                     words_of(done.roll));
}
std::string words_of(Traded const& traded) {
  return fmt::format("{} {} {}", traded.item, traded.left, traded.to_stack);
}
std::string words_of(Crafted const& crafted) {
  return fmt::format("{} {} {}", crafted.item, crafted.stack, crafted.balance);
}
std::string words_of(Used const& used) {
  auto words = fmt::format("{} {}", used.item, used.left);
  if (used.vampire_level) return words + fmt::format(" level {}", *used.vampire_level);
  if (used.effect) return words + fmt::format(" effect {} {}", used.effect->value, used.effect->seconds_left);
  words += " bombs";
  for (auto const& bomb : *used.bombs) words += fmt::format(" {}/{}", bomb.owner, bomb.seconds_left);
  return words;
}
std::string words_of(Planted const& planted) {
  return fmt::format("{} {} {}", planted.left, planted.due.value, words_of(planted.roll));
}
std::string words_of(Inspected const& seen) {
  auto words = fmt::to_string(seen.balance);
  for (auto const& [item, count] : seen.inventory) words += fmt::format(" {}={}", item, count);
  return words;
}
std::string words_of(Shot const& shot) {
  return fmt::format("{} {} {}{}", shot.hit ? "shot" : "survived", shot.lost, shot.balance,
                     shot.roll ? " " + words_of(*shot.roll) : "");
}

template <class T>
std::string words_of(Result<Done<T>> const& done) {
  if (!done) return fmt::format("{}{}", done.error().code.name, done.error().replayed ? " again" : "");
  return fmt::format("ok {}{}", words_of(done->what), done->replayed ? " again" : "");
}

// Asks for moves at random, in one realm.
class Client {
 public:
  Client(Seed seed, Economy& economy, RealmId realm, std::vector<Told>& told,
         std::vector<std::string>& roulettes)
      : random_(seed), economy_(economy), realm_(std::move(realm)), told_(told), roulettes_(roulettes) {}

  Task<void> work(std::size_t moves) {
    for (std::size_t i = 0; i < moves; ++i) {
      auto asked = random_.chance(1, 20) && last_ && !last_->once.empty() ? *last_ : next();
      auto const number = told_.size();
      told_.push_back({.asked = asked, .answer = {}});
      auto answer = co_await ask(asked, number);
      told_[number] = {.asked = asked, .answer = std::move(answer)};
      last_ = std::move(asked);
    }
  }

 private:
  std::string random_player() { return player_name(random_.below(player_count)); }
  std::string random_item() {
    static constexpr std::string_view items[] = {
        ":sauropod:",      ":chopsticks:", ":cross:", ":bomb:",       ":herb:", ":reminder_ribbon:",
        ":athletic_shoe:", ":eggplant:",   ":bone:",  ":magic_wand:", ":gear:", ":satellite:",
        ":tooth:"};
    return std::string(items[random_.below(std::size(items))]);
  }

  Asked next() {
    static constexpr std::pair<Kind, int> weights[] = {
        {Kind::farm, 40},          {Kind::pay, 8},     {Kind::claim, 4},          {Kind::gamble, 10},
        {Kind::discombobulate, 4}, {Kind::trade, 10},  {Kind::craft, 10},         {Kind::use, 8},
        {Kind::plant_bomb, 3},     {Kind::inspect, 2}, {Kind::start_roulette, 1}, {Kind::shoot, 3}};
    auto pick = int(random_.below(103));
    Asked asked{.player = random_player(), .other = random_player()};
    for (auto const& [kind, weight] : weights) {
      asked.kind = kind;
      if ((pick -= weight) < 0) break;
    }
    asked.amount = 1 + std::int64_t(random_.below(random_.chance(1, 4) ? 5000 : 50));
    asked.name = fmt::format("Player {}", random_.below(3));
    asked.item = random_item();
    if (asked.kind == Kind::claim) asked.item = random_.chance(1, 2) ? "daily" : "weekly";
    if (asked.kind == Kind::gamble && random_.chance(1, 10)) asked.amount = 0;
    if (asked.kind == Kind::trade) asked.amount = 1 + std::int64_t(random_.below(3));
    if (asked.kind == Kind::plant_bomb) asked.amount = std::int64_t(random_.below(3000));
    if (asked.kind == Kind::shoot) {
      asked.item = roulettes_.empty() ? "none" : roulettes_[random_.below(roulettes_.size())];
    }
    // A roulette's second answer has the first one's id, which the model is not told.
    if (random_.chance(1, 10) && asked.kind != Kind::start_roulette)
      asked.once = fmt::format("k{}", random_.next());
    return asked;
  }

  Task<std::string> ask(Asked& asked, std::size_t number) {
    Move move{.realm = realm_,
              .player = UserId::from(asked.player).value(),
              .guild_id = UserId::from(fmt::to_string(number)).value()};
    if (!asked.once.empty()) move.once = Once{.key = asked.once, .fingerprint = "f"};
    auto const other = UserId::from(asked.other).value();
    auto const amount = Amount::from(asked.amount).value();
    switch (asked.kind) {
      case Kind::farm: co_return words_of(co_await economy_.farm(std::move(move), asked.name));
      case Kind::pay: co_return words_of(co_await economy_.pay(std::move(move), other, amount));
      case Kind::claim: co_return words_of(co_await economy_.claim(std::move(move), asked.item));
      case Kind::gamble:
        co_return words_of(co_await economy_.gamble(
            std::move(move), asked.amount == 0 ? std::nullopt : std::optional(amount)));
      case Kind::discombobulate:
        co_return words_of(co_await economy_.discombobulate(std::move(move), other, amount));
      case Kind::trade:
        co_return words_of(co_await economy_.trade(std::move(move), other, asked.item, asked.amount));
      case Kind::craft: co_return words_of(co_await economy_.craft(std::move(move), asked.item));
      case Kind::use: {
        auto const target = asked.item == ":magic_wand:" ? std::optional(other) : std::nullopt;
        co_return words_of(co_await economy_.use(std::move(move), asked.item, target));
      }
      case Kind::plant_bomb: co_return words_of(co_await economy_.plant_bomb(std::move(move), asked.amount));
      case Kind::inspect: co_return words_of(co_await economy_.inspect(std::move(move), other));
      case Kind::start_roulette: {
        auto const id = (co_await economy_.start_roulette(std::move(move))).value().what;
        asked.item = id.str();
        roulettes_.push_back(id.str());
        co_return "ok";
      }
      case Kind::shoot:
        co_return words_of(co_await economy_.shoot(std::move(move), RouletteId::from(asked.item).value()));
    }
    co_return "";
  }

  Random random_;
  Economy& economy_;
  RealmId realm_;
  std::vector<Told>& told_;
  std::vector<std::string>& roulettes_;
  std::optional<Asked> last_;
};

// A call of a script as MONITOR shows it.
struct Seen {
  std::string sha;
  std::vector<std::string> words;  // keys and arguments
};

std::vector<Seen> read_monitor(std::string const& file) {
  std::vector<Seen> calls;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    auto const at = line.find("\"EVALSHA\"");
    if (at == std::string::npos || line.find(" lua]") != std::string::npos) continue;
    std::vector<std::string> words;
    for (auto i = at; i < line.size(); ++i) {
      if (line[i] != '"') continue;
      std::string word;
      for (++i; i < line.size() && line[i] != '"'; ++i) {
        if (line[i] == '\\') ++i;
        word += line[i];
      }
      words.push_back(std::move(word));
    }
    calls.push_back({.sha = words.at(1), .words = {words.begin() + 3, words.end()}});
  }
  return calls;
}

struct World {
  RealmId realm;
  Model model = {};
  std::vector<Told> told = {};
  std::vector<std::string> roulettes = {};
};

class Workload : public testing::Test {
 protected:
  // What everybody owns at first, written by hand.
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
    std::map<std::string, World*> by_points;  // by the key of the realm's first stream
    std::map<std::string, World*> by_bombs;
    for (auto* const world : worlds) {
      by_points[RealmKeys(world->realm).points()] = world;
      by_bombs[RealmKeys(world->realm).bombs()] = world;
    }
    redis::Script const arm{lua::arm_bomb};
    redis::Script const plant{lua::plant_bomb};
    redis::Script const use{lua::use_item};
    for (auto const& [sha, words] : calls) {
      if (auto const at = by_bombs.find(words[0]); sha == arm.sha() && at != by_bombs.end()) {
        at->second->model.arm_bomb(words[4], std::stoll(words[5]));
        continue;
      }
      auto const at = by_points.find(words[0]);
      if (at == by_points.end() || words.size() < 8) continue;  // of the kit, or for reading
      auto const number = std::strtoull(words[words.size() - 2].c_str(), nullptr, 10);
      auto& world = *at->second;
      if (words[2] != RealmKeys(world.realm).catalogue() ||
          words[4] == RealmKeys(world.realm).catalogue_data())
        continue;
      // Refused before its script: that is asked without a version what the key remembers, which is nothing.
      if (words.size() == 9 && words[5].empty()) continue;
      ASSERT_LT(number, world.told.size());
      auto& told = world.told[number];
      // Where time matters, it is the last argument of the move's own.
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

  // Clients of all realms at once, then everything against the models.
  void work(redis::Options const& options, std::vector<test::RedisServer const*> const& servers,
            std::vector<World*> const& worlds, std::size_t moves) {
    // A call that a server does not know yet shows in the monitor, and is not run.
    for (auto const* server : servers) {
      for (auto const& script : {lua::farm, lua::pay, lua::claim_reward, lua::gamble, lua::discombobulate,
                                 lua::trade, lua::craft, lua::use_item, lua::plant_bomb, lua::arm_bomb,
                                 lua::inspect, lua::start_roulette, lua::shoot_roulette}) {
        server->cli({"SCRIPT", "LOAD", std::string(script.text())});
      }
    }
    std::vector<std::unique_ptr<test::Process>> monitors;
    std::vector<std::string> files;
    for (auto const* server : servers) {
      files.push_back(dir.file(fmt::format("monitor{}", files.size())));
      monitors.push_back(std::make_unique<test::Process>(test::Process::Options{
          .command = {"redis-cli", "-s", server->socket(), "MONITOR"}, .output = files.back()}));
      ASSERT_TRUE(test::eventually([&] { return server->stat("connected_clients") >= 2; }));
    }
    for (auto const& file : files) {
      ASSERT_TRUE(test::eventually([&] { return std::ifstream(file).peek() == 'O'; }));
    }

    redis::Redis redis(io, options, metrics);
    for (auto* const world : worlds) test::run(io, fill(redis, *world, random));
    sql::Database sql("sqlite:" + dir.file("test.db"), 2, metrics);
    Background background(io, redis, sql, clock, {.stream_events = 2000}, metrics);
    background.migrate_now();
    Economy economy(redis, background.shared());
    test::run(io, background.start());
    std::vector<Client> clients;
    clients.reserve(client_count * worlds.size());
    for (auto* const world : worlds) {
      for (int i = 0; i < client_count; ++i) {
        clients.emplace_back(Seed{random.next()}, economy, world->realm, world->told, world->roulettes);
      }
    }
    test::run(
        io,
        [](asio::io_context& io, std::vector<Client>& clients, TestClock& clock,
           std::size_t moves) -> Task<void> {
          std::size_t running = clients.size();
          std::exception_ptr failure;
          for (auto& client : clients) {
            asio::co_spawn(io, client.work(moves), [&](std::exception_ptr const& error) {
              if (error) failure = error;
              --running;
            });
          }
          while (running > 0) {
            co_await sleep_for(5ms);
            clock.advance(1000);
          }
          if (failure) std::rethrow_exception(failure);
        }(io, clients, clock, moves / client_count),
        600s);

    // What the schedule still does belongs to the order of things too.
    test::run(io, sleep_for(50ms));
    for (auto const* world : worlds) {
      EXPECT_EQ(test::run(io, count_events(economy, world->realm)).size() > 10, true);
    }
    test::run(io, background.stop());
    // The monitor has everything when it has this.
    for (std::size_t i = 0; i < servers.size(); ++i) {
      servers[i]->cli({"PING", "the-end"});
      ASSERT_TRUE(test::eventually([&] {
        std::ifstream in(files[i], std::ios::ate);
        auto const size = in.tellg();
        in.seekg(std::max<std::streamoff>(0, std::streamoff(size) - 4096));
        std::string const tail{std::istreambuf_iterator<char>(in), {}};
        return tail.find("the-end") != std::string::npos;
      }));
      monitors[i]->kill();
    }
    for (auto const& file : files) compare(read_monitor(file), worlds);
    for (auto* const world : worlds) {
      if (HasFatalFailure()) return;
      for (auto told : world->told) {
        if (told.seen) continue;
        // What needs no look at Redis never came there, and is not kept.
        EXPECT_TRUE(told.answer == "self_target" || told.answer == "not_usable") << told.answer;
        told.asked.once.clear();
        EXPECT_EQ(world->model.apply(told.asked, 0, 0), told.answer);
      }
      test::run(io, compare_players(economy, *world));
      EXPECT_EQ(test::run(io, count_events(economy, world->realm)), world->model.events);
    }
    std::vector<RealmId> realms;
    for (auto const* world : worlds) realms.push_back(world->realm);
    EconomyJournal journal(sql);
    auto const report =
        test::run(io, verify(redis, journal, realms,
                             {.difference = [](std::string const& line) { ADD_FAILURE() << line; }}));
    EXPECT_EQ(report.differences, 0);
    EXPECT_GE(report.players, std::int64_t(player_count * worlds.size()));
  }

  static std::size_t moves() {
    if (auto const* const text = std::getenv("LARDER_MOVES")) return std::size_t(std::atoll(text));
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 10'000;  // there it is about what the sanitizer sees
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
