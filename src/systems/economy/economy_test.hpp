// An economy with its own Redis and SQLite. Its clock stands still until a test moves it.
#pragma once

#include "base/when_all.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/economy/dice_test.hpp"
#include "systems/economy/economy_background.hpp"
#include "systems/economy/economy_verify.hpp"
#include "systems/economy/realm_catalogue.hpp"
#include "systems/economy/realm_removal.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace larder::economy {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

inline constexpr std::int64_t most = limits::amount_max;

// The answer of a move in short form.
inline std::string brief(Farmed const& farmed) {
  auto text = fmt::format("+{} ={}", farmed.gained, farmed.balance);
  if (farmed.drop) text += fmt::format(", found {} ={}", farmed.drop->item, farmed.drop->stack);
  if (farmed.vampire) {
    text += fmt::format(", vampire {} -{}", farmed.vampire->level, farmed.vampire->damage);
    if (farmed.vampire->necklace_used) text += " guarded";
  }
  if (farmed.bomb) text += fmt::format(", bomb of {} -{}", farmed.bomb->owner, farmed.bomb->damage);
  return text;
}
inline std::string brief(Paid const& paid) {
  return fmt::format("={} to ={}", paid.balance, paid.to_balance);
}
inline std::string brief(Rewarded const& got) { return fmt::format("+{} ={}", got.reward, got.balance); }
inline std::string brief(Gambled const& got) { return fmt::format("{:+} ={}", got.change, got.balance); }
inline std::string brief(Discombobulated const& done) {
  return fmt::format("-{} ={} target ={} locked {}", done.damage, done.balance, done.target_balance,
                     done.locked_s);
}
inline std::string brief(Traded const& traded) {
  return fmt::format("{} ={} to ={}", traded.item, traded.left, traded.to_stack);
}
inline std::string brief(Sold const& sold) {
  return fmt::format("{} ={} +{} ={}", sold.item, sold.left, sold.gained, sold.balance);
}
inline std::string brief(Deleted const&) { return "deleted"; }
inline std::string brief(PlayerView const& player) {
  auto text = fmt::format("{} ={} #{}", player.name.value_or("-"), player.balance, player.rank.value_or(0));
  for (auto const& [item, count] : player.inventory) text += fmt::format(" {} {}", item, count);
  for (auto const& effect : player.effects) {
    text += fmt::format(", {} {} for {}", name_of(effect.kind), effect.value, effect.seconds_left);
  }
  for (auto const& [name, seconds] : player.cooldowns) {
    if (seconds > 0) text += fmt::format(", {} in {}", name, seconds);
  }
  return text + (player.vampire_level > 1 ? fmt::format(", vampire {}", player.vampire_level) : "");
}
inline std::string brief(Crafted const& made) {
  return fmt::format("{} ={} balance {}", made.item, made.stack, made.balance);
}
inline std::string brief(Used const& used) {
  auto text = fmt::format("{} ={}", used.item, used.left);
  if (used.vampire_level) text += fmt::format(", vampire {}", *used.vampire_level);
  if (used.effect) {
    text += fmt::format(", {} {} for {}", name_of(used.effect->kind), used.effect->value,
                        used.effect->seconds_left);
  }
  if (used.bombs) {
    text += ", bombs";
    for (auto const& bomb : *used.bombs) text += fmt::format(" {} in {}", bomb.owner, bomb.seconds_left);
  }
  return text;
}
inline std::string brief(Planted const& planted) { return fmt::format("={}", planted.left); }
inline std::string brief(Inspected const& seen) {
  auto text = fmt::format("={}", seen.balance);
  for (auto const& [item, count] : seen.inventory) text += fmt::format(" {} {}", item, count);
  return text;
}
inline std::string brief(RouletteId const&) { return "loaded"; }
inline std::string brief(Shot const& shot) {
  return fmt::format("{} -{} ={}", shot.hit ? "shot" : "survived", shot.lost, shot.balance);
}
// The same for a result: a refusal becomes its name, field and further members. ", again" marks an answer
// that an Idempotency-Key remembered.
template <class T>
std::string brief(Result<Done<T>> const& result) {
  if (result) return brief(result->what) + (result->replayed ? ", again" : "");
  auto const& error = result.error();
  std::string text(error.code.name);
  if (!error.field.empty()) text += " " + error.field;
  if (!error.more.empty()) text += " " + boost::json::serialize(error.more);
  return text + (error.replayed ? ", again" : "");
}

class EconomyTest : public testing::Test {
 protected:
  explicit EconomyTest(bool check_keys = true)
      : server({.settings = {"enable-debug-command yes"}, .check_keys = check_keys}) {
    background.migrate_now();
  }

  static UserId user(std::string_view id) { return UserId::from(id).value(); }
  static RealmId realm(std::string_view name = default_realm) { return RealmId::from(name).value(); }
  static Amount amount(std::int64_t value) { return Amount::from(value).value(); }
  static Move move(std::string_view player, std::optional<std::uint32_t> seed = {}) {
    return {.realm = realm(), .player = user(player), .seed = seed};
  }
  static Move with_key(Move move, std::string key, std::string fingerprint = "body") {
    move.idempotency_key = IdempotencyKey{.key = std::move(key), .fingerprint = std::move(fingerprint)};
    return move;
  }
  template <class T>
  T run(Task<T> task) {
    return test::run(io, std::move(task));
  }
  template <class T>
  std::string told(Task<Result<Done<T>>> task) {
    return brief(run(std::move(task)));
  }
  std::string cli(std::vector<std::string> const& command) { return server.cli(command); }

  // Gives points or items by hand. Before the first move they become events of type opening.
  void give(std::string_view player, std::int64_t points) {
    cli({"ZINCRBY", "lb", fmt::to_string(points), std::string(player)});
  }
  void give(std::string_view player, std::string const& item, std::int64_t count) {
    cli({"HINCRBY", std::string(player) + ":inventory", item, fmt::to_string(count)});
  }
  // Gives the realm its catalogue, as its first move would.
  void open() {
    ASSERT_TRUE(run(economy.create(realm())));  // also after a FLUSHALL
  }
  std::string balance(std::string_view player) { return cli({"ZSCORE", "lb", std::string(player)}); }
  std::string count(std::string_view player, std::string const& item) {
    return cli({"HGET", std::string(player) + ":inventory", item});
  }
  // The events of a stream, oldest first, without openings and without the state that they record. Each event
  // is a line of "name=value", in the order of its fields.
  Lines events(std::string const& stream) {
    Lines found = all_events(stream);
    std::erase_if(found, [](std::string const& line) { return line.find(" type=opening ") != line.npos; });
    return found;
  }
  Lines all_events(std::string const& stream);
  // The state that the events of ajobus record, oldest first: "user .field=value ...", without catalogues.
  Lines states();
  std::set<std::string> keys() {
    std::set<std::string> found;
    std::istringstream lines(server.cli({"KEYS", "*"}));
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) found.insert(line);
    }
    return found;
  }
  // A digest of everything in Redis. Two digests are equal if and only if nothing but expiry times differs.
  std::string digest() { return cli({"DEBUG", "DIGEST"}); }
  // The move that is refused after the commands in `by_hand`.
  struct Refusal {
    std::vector<Lines> by_hand;
    std::function<std::string()> move;
    std::string told;
  };
  void refuse_without_a_trace(std::vector<Refusal> const& refusals);
  // Whether the key expires in this many seconds, or up to 30 s sooner because the test takes time.
  testing::AssertionResult lives(std::string const& key, std::int64_t seconds) {
    auto const left = std::stoll(cli({"TTL", key}));
    if (left <= seconds && left > seconds - 30) return testing::AssertionSuccess();
    return testing::AssertionFailure() << key << " has " << left << " s left";
  }
  void load(CataloguePtr catalogue, CatalogueSource source = CatalogueSource::command,
            std::string_view name = default_realm) {
    RealmKeys const keys(realm(name));
    if (!run(is_closed(redis, keys))) {
      EXPECT_EQ(run(background.shared().journal.open_outboxes(redis, realm(name))), "");
    }
    run(load_catalogue(redis, keys, std::move(catalogue), source));
  }
  Lines differences(std::string_view of = default_realm) {
    Lines found;
    run(verify(redis, background.shared().journal, {realm(of)},
               {.difference = [&](std::string const& line) { found.push_back(line); }}));
    return found;
  }

  asio::io_context io;
  Metrics metrics;
  test::TempDir dir;
  test::RedisServer server;
  TestClock clock{SystemClock{}.now()};
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
  sql::Database sql{"sqlite:" + dir.file("test.db"), 2, metrics};
  Background background{io, redis, sql, clock, {.gather = 1ms}, metrics};
  Economy economy{redis, background.shared()};
};

inline Lines EconomyTest::all_events(std::string const& stream) {
  Lines found;
  for (auto const& event : run(events::read_events(redis, stream, "-", "+", 1000))) {
    std::string line;
    for (auto const& [name, value] : event.fields) {
      if (name.starts_with(".")) continue;
      line += fmt::format("{}{}={}", line.empty() ? "" : " ", name, value);
    }
    if (line.find(" type=state ") == line.npos) found.push_back(std::move(line));
  }
  return found;
}

inline Lines EconomyTest::states() {
  Lines found;
  for (auto const& event : run(events::read_events(redis, "ajobus", "-", "+", 1000))) {
    auto line = event.field("user_id");
    for (auto const& [name, value] : event.fields) {
      if (name.starts_with(".")) line += fmt::format(" {}={}", name, value);
    }
    if (line.find(" .") != line.npos && !line.starts_with("catalogue ")) found.push_back(std::move(line));
  }
  return found;
}

inline void EconomyTest::refuse_without_a_trace(std::vector<Refusal> const& refusals) {
  for (auto const& [by_hand, make_move, expected] : refusals) {
    cli({"FLUSHALL"});
    for (auto const& command : by_hand) cli(command);
    open();
    auto const before = digest();
    EXPECT_EQ(make_move(), expected);
    EXPECT_EQ(digest(), before) << expected;
  }
}

}  // namespace larder::economy
