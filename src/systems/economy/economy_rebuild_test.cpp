// Rebuilds realms from their events.
#include "systems/economy/economy_rebuild.hpp"

#include "base/error.hpp"
#include "kit/presence/presence.hpp"
#include "systems/economy/economy_test.hpp"
#include "systems/economy/small_game_test.hpp"

namespace larder::economy {
namespace {

// "type value" of every key, and its time to live.
struct Contents {
  std::map<std::string, std::string> values;
  std::map<std::string, std::int64_t> ttls_ms;
};

constexpr char const* dump_script = R"(
local out = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local type, value = redis.call('TYPE', key).ok, {}
  if type == 'string' then value = {redis.call('GET', key)} end
  if type == 'list' then value = redis.call('LRANGE', key, 0, -1) end
  if type == 'zset' then value = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end
  if type == 'set' then
    value = redis.call('SMEMBERS', key)
    table.sort(value)
  end
  if type == 'stream' then value = {redis.call('XINFO', 'STREAM', key)[8]} end
  if type == 'hash' then
    for _, field in ipairs(redis.call('HKEYS', key)) do value[#value + 1] = field .. '=' .. redis.call('HGET', key, field) end
    table.sort(value)
  end
  out[#out + 1] = key .. '\t' .. redis.call('PTTL', key) .. '\t' .. type .. ' ' .. table.concat(value, ' '):gsub('\n', ' ')
end
return out
)";

// What docs/economy.md says cannot come back: answers under idempotency keys, leases, and marks of realms in
// use.
bool is_exempt(std::string_view key) {
  return key == busy_key || key.ends_with(":lease") || key.starts_with("once:") ||
         key.find("}:once:") != key.npos;
}

Contents contents(test::RedisServer const& server) {
  Contents found;
  std::istringstream lines(server.cli({"EVAL", dump_script, "0"}));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    auto const key_end = line.find('\t');
    auto const ttl_end = line.find('\t', key_end + 1);
    auto const key = line.substr(0, key_end);
    if (is_exempt(key)) continue;
    found.values[key] = line.substr(ttl_end + 1);
    found.ttls_ms[key] = std::stoll(line.substr(key_end + 1, ttl_end - key_end - 1));
  }
  return found;
}

class RebuildTest : public EconomyTest {
 protected:
  void journal_all() {
    Background projecting(io, redis, sql, clock, {.stream_events = 100}, metrics);
    run(projecting.start());
    run(projecting.stop());
  }
  RebuildReport rebuild_other(RebuildOptions options = {}) {
    return run(rebuild(other_redis, background.shared().journal, std::move(options)));
  }
  std::string why_not() {
    try {
      rebuild_other();
      return "";
    } catch (SetupError const& error) {
      return error.what();
    }
  }
  void expect_the_same() {
    auto const before = contents(server);
    auto const after = contents(other);
    EXPECT_EQ(before.values, after.values);
    for (auto const& [key, ttl_ms] : before.ttls_ms) {
      auto const found = after.ttls_ms.find(key);
      if (found == after.ttls_ms.end()) continue;
      EXPECT_EQ(ttl_ms < 0, found->second < 0) << key;
      EXPECT_LT(std::abs(ttl_ms - found->second), 5'000) << key;
    }
  }
  Lines differences_of(redis::Redis& of) {
    Lines found;
    run(verify(of, background.shared().journal, run(all_realms(of)),
               {.difference = [&](std::string const& line) { found.push_back(line); }}));
    return found;
  }
  void expect_rebuilt() {
    auto const report = rebuild_other({.problem = [](std::string const& line) { ADD_FAILURE() << line; }});
    EXPECT_GT(report.realms, 0);
    EXPECT_EQ(report.problems, 0);
    expect_the_same();
    EXPECT_EQ(differences_of(other_redis), Lines{});
  }
  static std::uint64_t test_seed() {
    auto const* const text = std::getenv("LARDER_SEED");
    return text ? std::strtoull(text, nullptr, 10) : random_seed().value;
  }
  static Adjustment random_adjustment(Random& random, std::string const& item) {
    Adjustment adjustment{.reason = "chance"};
    if (random.chance(1, 2)) adjustment.points = std::int64_t(random.below(400)) - 200;
    if (random.chance(1, 2)) adjustment.items[item] = std::int64_t(random.below(5)) - 2;
    std::erase_if(adjustment.items, [](auto const& of) { return of.second == 0; });
    if (random.chance(1, 3)) adjustment.name = "another name";
    if (random.chance(1, 3)) adjustment.effects["gain"] = Adjustment::Effect{.value = 7, .seconds = 5000};
    if (random.chance(1, 3)) adjustment.effects["vampire"] = {};
    return adjustment;
  }
  static Move in(std::string_view name, std::string_view player, std::optional<std::uint32_t> seed = {}) {
    return {.realm = realm(name), .player = user(player), .seed = seed};
  }

  test::RedisServer other;
  redis::Redis other_redis{
      io, {.url = redis::parse_url(other.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
};

// Every move, with every kind of state that it can leave.
TEST_F(RebuildTest, gives_every_key_back_as_the_scripts_left_it) {
  give("111", 5000);
  give("222", 700);
  give("333", 60);
  for (auto const* const item : {":chopsticks:", ":cross:", ":bomb:", ":herb:", ":athletic_shoe:",
                                 ":eggplant:", ":bone:", ":tooth:", ":gear:", ":magic_wand:"}) {
    for (auto const* const player : {"111", "222", "333"}) give(player, item, 6);
  }
  open();
  auto const catalogue = run(economy.catalogue(realm())).value();
  for (int i = 0; i < 40; ++i) {
    for (auto const* const player : {"111", "222", "333"}) {
      run(economy.farm(move(player), fmt::format("{} the {}. \"x\"", player, i / 10)));
    }
  }
  for (auto const& item : catalogue->items) {
    for (int i = 0; i < 2; ++i) {
      run(economy.craft(move("111"), item.id));
      run(economy.use(move("111"), item.id, {}));
      run(economy.use(move("222"), item.id, user("333")));
      run(economy.trade(move("333"), user("444"), item.id, 1));
    }
  }
  run(economy.claim(move("111"), "daily"));
  run(economy.claim(with_key(move("222"), "key"), "weekly"));
  run(economy.pay(move("111"), user("555"), amount(5)));
  run(economy.gamble(move("555"), {}));
  run(economy.inspect(move("111"), user("222")));
  run(economy.discombobulate(move("111"), user("333"), amount(40)));
  EXPECT_TRUE(run(economy.plant_bomb(move("111"), 20'000)));
  EXPECT_TRUE(run(economy.plant_bomb(move("222"), 300)));
  EXPECT_TRUE(run(economy.plant_bomb(move("333"), 300)));
  clock.advance(600'000);
  auto const opened = run(economy.open(realm())).value();
  run(economy.arm_bomb(opened, user("222")));
  run(economy.arm_bomb(opened, user("333")));
  auto const chambers = seed_where([](Dice& dice) { return dice.draw(1, 6) == 4; });
  for (int shots = 0; shots < 5; ++shots) {
    auto const roulette = run(economy.start_roulette(move("x", chambers))).value().what;
    for (int i = 0; i < shots; ++i) run(economy.shoot(move(i < 3 ? "222" : "444"), roulette));
  }
  journal_all();
  expect_rebuilt();
}

TEST_F(RebuildTest, gives_names_and_levels_back_when_a_farm_changes_nothing_else) {
  auto game = small_game(R"("gain": 2)", R"("gain": 0)");
  game.replace(game.find(R"("level_ttl_s": 10, "ttl_max_s": 20)"), 34,
               R"("level_ttl_s": 1000, "ttl_max_s": 2000)");
  load(parsed(game));
  EXPECT_EQ(told(economy.farm(move("111"), "first")), "+0 =0, found fish =1, vampire 1 -0");
  for (int i = 0; i < 5; ++i) run(economy.farm(move("111"), "last"));
  EXPECT_EQ(states().front(), "111 .=first .:vampire=1 1000000");
  run(economy.create(realm("quiet")));
  journal_all();
  expect_rebuilt();
}

TEST_F(RebuildTest, a_shot_player_is_on_the_leaderboard_again_after_the_next_points) {
  load(parsed(small_game()));
  for (auto const* const player : {"111", "222"}) {
    run(economy.claim(move(player), "tide")).value();
    auto const roulette = run(economy.start_roulette(move("x"))).value().what;
    EXPECT_EQ(told(economy.shoot(move(player), roulette)), "shot -10 =0");
  }
  run(economy.farm(move("222"), "n")).value();
  run(economy.gamble(move("222"), {})).value();
  journal_all();
  expect_rebuilt();
  EXPECT_EQ(other.cli({"ZRANGE", "lb", "0", "-1"}), "222");
}

TEST_F(RebuildTest, respects_what_operators_did) {
  auto const adjust = [&](std::string_view player, Adjustment adjustment) {
    adjustment.reason = "why";
    run(economy.adjust(move(player), std::move(adjustment))).value();
  };
  adjust("111", {.points = 50, .items = {{"herb", 3}}, .name = "A", .effects = {{"gain", {{5, 9000}}}}});
  adjust("222", {.name = "only a name"});
  adjust("333", {.items = {{"herb", 3}}});
  adjust("444", {.effects = {{"vampire", {{50, 9000}}}}});
  adjust("444", {.effects = {{"vampire", {}}}});
  adjust("555", {.points = 9, .items = {{"bomb", 1}, {"herb", 2}}, .name = "E"});
  run(economy.plant_bomb(move("555"), 3000)).value();
  run(economy.claim(move("555"), "daily")).value();
  adjust("666", {.points = 5});
  adjust("666", {.points = -5});
  run(economy.import_players(realm(), {{.id = user("777"), .points = 4, .items = {{"herb", 1}}, .name = "G"},
                                       {.id = user("888")}}))
      .value();
  for (auto const* const player : {"222", "333", "555", "777"})
    run(economy.delete_player(move(player))).value();
  adjust("777", {.points = 1});
  journal_all();
  expect_rebuilt();
  EXPECT_EQ(other.cli({"ZRANGE", "lb", "0", "-1", "WITHSCORES"}), "666\n0\n777\n1\n111\n50");
  EXPECT_EQ(other.cli({"SMEMBERS", "ajobus:imported"}), "888");
}

TEST_F(RebuildTest, brings_cooldowns_of_farms_and_rewards_of_a_day_back) {
  auto game = small_game(R"("drop_faces": 1)", R"("drop_faces": 1, "cooldown_s": 5000)");
  game.replace(game.find(R"("every_s": 60)"), 13, R"("every_s": 864000, "time_zone": "Europe/Berlin")");
  load(parsed(game));
  run(economy.farm(move("111"), "n")).value();
  run(economy.claim(move("111"), "tide")).value();
  journal_all();
  expect_rebuilt();
  EXPECT_EQ(other.cli({"GET", "111:farm_lock"}), "1");
}

TEST_F(RebuildTest, agrees_with_what_a_random_game_left) {
  auto const seed = test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed));
  Random random{Seed{seed}};
  std::vector<std::string> items;
  for (auto const& item : ajo_catalogue()->items) items.push_back(item.id);
  auto const pick = [&](auto const& of) { return of[random.below(of.size())]; };
  for (auto const* const name : {"default", "guild"}) {
    RealmKeys const keys{realm(name)};
    std::vector<RouletteId> roulettes;
    for (int i = 0; i < 8; ++i) {
      auto const player = fmt::format("p{}", i);
      cli({"ZADD", keys.leaderboard(), fmt::to_string(random.below(3000)), player});
      for (auto const& item : items)
        cli({"HSET", keys.inventory(user(player)), item, fmt::to_string(1 + random.below(5))});
    }
    auto const someone = [&] { return fmt::format("p{}", random.below(10)); };
    for (int i = 0; i < 400; ++i) {
      auto const now = in(name, someone(), std::uint32_t(random.below(1'000'000)));
      auto const target = user(someone());
      switch (random.below(16)) {
        case 0: run(economy.pay(now, target, amount(1 + std::int64_t(random.below(300))))); break;
        case 1: run(economy.claim(now, random.chance(1, 2) ? "daily" : "weekly")); break;
        case 2: run(economy.gamble(now, amount(1 + std::int64_t(random.below(100))))); break;
        case 3: run(economy.discombobulate(now, target, amount(1 + std::int64_t(random.below(900))))); break;
        case 4: run(economy.trade(now, target, pick(items), 1)); break;
        case 5: run(economy.craft(now, pick(items))); break;
        case 6: run(economy.use(now, pick(items), {})); break;
        case 7: run(economy.use(now, pick(items), target)); break;
        case 8: run(economy.plant_bomb(now, std::int64_t(random.below(600)))); break;
        case 9: roulettes.push_back(run(economy.start_roulette(now)).value().what); break;
        case 10:
          if (!roulettes.empty()) run(economy.shoot(now, pick(roulettes)));
          break;
        case 11: run(economy.adjust(now, random_adjustment(random, pick(items)))); break;
        case 12:
          if (random.chance(1, 3)) run(economy.delete_player(now));
          break;
        case 13:
          run(economy.import_players(now.realm, {{.id = now.player, .points = 5, .items = {{pick(items), 1}}},
                                                 {.id = user(fmt::format("new{}", random.below(20)))}}));
          break;
        default: run(economy.farm(now, fmt::format("{} {}", now.player.str(), random.below(3))));
      }
      if (random.chance(1, 20)) {
        clock.advance(100'000);
        run(economy.arm_bomb(run(economy.open(realm(name))).value(), user(someone())));
      }
    }
  }
  journal_all();
  expect_rebuilt();
}

TEST_F(RebuildTest, events_continue_behind_the_last_one) {
  run(economy.claim(move("111"), "daily")).value();
  journal_all();
  cli({"XADD", "ajobus", "9999999999999-5", "type", "farm", "user_id", "111", "amount", "1"});
  journal_all();  // a clock that was far ahead
  cli({"ZINCRBY", "lb", "1", "111"});
  expect_rebuilt();
  Background there(io, other_redis, sql, clock, {}, metrics);
  Economy rebuilt(other_redis, there.shared());
  run(there.refuse_lost_redis());
  run(there.start());
  EXPECT_EQ(told(rebuilt.claim(move("111"), "daily")).substr(0, 16), "reward_not_ready");
  EXPECT_EQ(told(rebuilt.pay(move("111"), user("222"), amount(3))), "=30 to =3");
  run(there.stop());
  auto const events = run(background.shared().journal.events(realm(), {}));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].id(), "9999999999999-7");
  EXPECT_EQ(differences_of(other_redis), Lines{});
}

TEST_F(RebuildTest, understands_events_of_an_earlier_version) {
  give("111", 50);
  give("111", ":herb:", 2);
  open();
  run(economy.farm(move("111"), "name")).value();
  journal_all();
  sql.write_now([](sql::Session& session) { session.execute("DELETE FROM economy_state"); });
  auto const game = parsed(small_game());
  EXPECT_EQ(rebuild_other({.catalogue = game}).realms, 1);
  EXPECT_EQ(other.cli({"ZSCORE", "lb", "111"}), balance("111"));
  EXPECT_EQ(other.cli({"HGET", "111:inventory", ":herb:"}), count("111", ":herb:"));
  EXPECT_EQ(other.cli({"GET", "catalogue"}), game->version);
  EXPECT_EQ(other.cli({"EXISTS", "111"}), "0");
}

TEST_F(RebuildTest, the_catalogue_of_an_earlier_version_is_told_at_the_next_start) {
  load(parsed(small_game()));
  run(register_realm(redis, realm()));
  journal_all();
  sql.write_now([](sql::Session& session) { session.execute("DELETE FROM economy_state"); });
  EXPECT_FALSE(run(background.shared().journal.catalogue(realm())));
  journal_all();  // all events are in SQL by now
  EXPECT_EQ(run(background.shared().journal.catalogue(realm())).value().source, "command");
  expect_rebuilt();
}

TEST_F(RebuildTest, brings_lost_realms_back_and_leaves_the_others_alone) {
  run(economy.claim(in("kept", "111"), "daily")).value();
  run(economy.claim(in("lost", "111"), "daily")).value();
  journal_all();
  rebuild_other();
  EXPECT_EQ(why_not().substr(0, 27), "this Redis is not empty: a ");
  other.cli({"ZADD", "{kept}:lb", "7", "somebody"});
  for (auto const& key : contents(other).values) {
    if (key.first.starts_with("{lost}:")) other.cli({"DEL", key.first});
  }
  EXPECT_EQ(run(lost_realms(other_redis, background.shared().journal)), std::vector{realm("lost")});
  Background there(io, other_redis, sql, clock, {}, metrics);
  EXPECT_THROW(run(there.refuse_lost_redis()), SetupError);
  EXPECT_EQ(rebuild_other().realms, 1);
  EXPECT_EQ(other.cli({"ZSCORE", "{lost}:lb", "111"}), "32");
  EXPECT_EQ(other.cli({"ZSCORE", "{kept}:lb", "somebody"}), "7");
  other.cli({"DEL", "{lost}:catalogue"});
  EXPECT_EQ(why_not().substr(0, 48), "this Redis has only parts of the realm lost; a r");
}

TEST_F(RebuildTest, an_older_copy_does_not_pass_for_whole_realms) {
  run(economy.claim(move("111"), "daily")).value();
  journal_all();
  rebuild_other();
  EXPECT_EQ(why_not().substr(0, 27), "this Redis is not empty: a ");
  run(economy.claim(move("222"), "daily")).value();
  journal_all();
  EXPECT_EQ(why_not().substr(0, 29), "this Redis lacks what SQL has");
}

TEST_F(RebuildTest, an_older_realm_is_named_although_another_one_is_lost) {
  run(economy.claim(in("lost", "111"), "daily")).value();
  run(economy.claim(in("older", "111"), "daily")).value();
  journal_all();
  rebuild_other();
  run(economy.claim(in("older", "222"), "daily")).value();
  journal_all();
  for (auto const& key : contents(other).values) {
    if (key.first.starts_with("{lost}:")) other.cli({"DEL", key.first});
  }
  EXPECT_EQ(why_not().substr(0, 39), "this Redis lacks what SQL has: {older}:");
  EXPECT_EQ(run(lost_realms(other_redis, background.shared().journal)), std::vector{realm("lost")});
  EXPECT_FALSE(run(presence::is_closed(other_redis)));
}

TEST_F(RebuildTest, goes_on_after_it_was_cut_off) {
  for (auto const* const name : {"one", "two", "three"}) run(economy.claim(in(name, "111"), "daily")).value();
  journal_all();
  for (int calls_left = 1; calls_left < 8; calls_left += 2) {
    other.cli({"FLUSHALL"});
    EXPECT_THROW(rebuild_other({.progress =
                                    [&, left = calls_left](RebuildReport const&) mutable {
                                      if (--left == 0) throw std::runtime_error("cut off");
                                    }}),
                 std::runtime_error);
    EXPECT_TRUE(run(presence::is_closed(other_redis)));
    rebuild_other();
    EXPECT_FALSE(run(presence::is_closed(other_redis)));
    expect_the_same();
  }
}

TEST_F(RebuildTest, refuses_a_redis_that_a_server_uses) {
  run(economy.claim(move("111"), "daily")).value();
  journal_all();
  presence::Presence server_there(io, other_redis);
  run(server_there.enter());
  EXPECT_EQ(why_not().substr(0, 30), "a server works on this Redis (");
  run(server_there.leave());
  EXPECT_EQ(why_not(), "");
}

TEST_F(RebuildTest, nothing_is_rebuilt_from_nothing) {
  EXPECT_EQ(rebuild_other().realms, 0);
  EXPECT_EQ(contents(other).values.size(), 0U);
}

}  // namespace
}  // namespace larder::economy
