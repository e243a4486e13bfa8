// Realms that are deleted, and realms that nobody uses.
#include "support/sql_databases.hpp"
#include "systems/economy/economy_test.hpp"
#include "systems/economy/realm_removal.hpp"

namespace larder::economy {
namespace {

class RemovedRealms : public EconomyTest {
 protected:
  static Move in(std::string_view name, std::string_view player) {
    return {.realm = realm(name), .player = user(player)};
  }
  // Leaves every kind of key.
  void play(std::string_view name) {
    RealmKeys const keys{realm(name)};
    cli({"ZADD", keys.leaderboard(), "5000", "111"});
    for (auto const* const item : {":chopsticks:", ":bomb:", ":eggplant:", ":athletic_shoe:", ":gear:"})
      cli({"HSET", keys.inventory(user("111")), item, "3"});
    for (int i = 0; i < 30; ++i) run(economy.farm(in(name, "111"), "name"));
    run(economy.claim(in(name, "111"), "daily"));
    run(economy.pay(in(name, "111"), user("222"), amount(100)));
    run(economy.discombobulate(in(name, "222"), user("111"), amount(90)));
    run(economy.use(in(name, "111"), "eggplant", user("333")));
    run(economy.use(in(name, "111"), "shoe", {}));
    run(economy.use(in(name, "111"), "chopsticks", {}));
    EXPECT_TRUE(run(economy.plant_bomb(in(name, "111"), 20'000)));
  }
  // Events of players in SQL, each of another millisecond.
  void write_old_events(std::string_view name, int count) {
    std::vector<events::Event> old;
    for (int i = 1; i <= count; ++i) {
      old.push_back({.id = fmt::format("{}-0", i),
                     .fields = {{"type", "farm"},
                                {"user_id", fmt::format("p{}", i % 300)},
                                {"guild_id", "0"},
                                {"amount", "1"}}});
    }
    sql.write_now([&](sql::Session& session) {
      EconomyJournal::write_events(session, realm(name), EconomyEvent::Of::points, old);
    });
  }
  std::int64_t rows(std::string_view table) {
    return sql.read_now([&](sql::Session& session) {
      return session.query(fmt::format("SELECT COUNT(*) FROM {}", table), {}).at(0).int64(0);
    });
  }
};

TEST_F(RemovedRealms, leave_nothing) {
  run(background.start());
  play("guild");
  EXPECT_GT(keys().size(), 30U);
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  EXPECT_TRUE(test::eventually(io, [&] { return run(closed_realms(redis)).empty(); }));
  run(background.stop());
  EXPECT_EQ(keys(), std::set<std::string>{});
  EXPECT_EQ(rows("economy_event"), 0);
  EXPECT_EQ(rows("economy_state"), 0);
  EXPECT_EQ(run(economy.remove(realm("guild"))).error().code, errors::realm_not_found);
}

TEST_F(RemovedRealms, do_not_touch_the_others) {
  run(background.start());
  run(economy.claim(move("111"), "daily")).value();
  auto before = keys();
  play("guild");
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  EXPECT_TRUE(test::eventually(io, [&] { return run(closed_realms(redis)).empty(); }));
  run(background.stop());
  auto after = keys();
  for (auto const* const beside : {"ajobus:projected", "ajobus:lease", "{larder}:economy:busy"}) {
    before.erase(beside);
    after.erase(beside);
  }
  EXPECT_EQ(after, before);
  EXPECT_EQ(differences(), Lines{});
  EXPECT_EQ(balance("111"), "32");
}

TEST_F(RemovedRealms, refuse_moves_until_they_are_gone_and_then_begin_anew) {
  Background second(io, redis, sql, clock, {}, metrics);
  Economy other(redis, second.shared());
  play("guild");
  EXPECT_EQ(told(other.pay(in("guild", "111"), user("222"), amount(1))).substr(0, 1), "=");
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  EXPECT_EQ(told(economy.farm(in("guild", "111"), "n")), "realm_closed");
  EXPECT_EQ(told(other.farm(in("guild", "111"), "n")), "realm_closed");  // it knew the catalogue
  EXPECT_EQ(run(other.player(realm("guild"), user("111"))).error().code, errors::realm_closed);
  EXPECT_EQ(run(other.catalogue(realm("guild"))).error().code, errors::realm_closed);
  EXPECT_EQ(run(economy.create(realm("guild"))).error().code, errors::realm_closed);
  EXPECT_THROW(load(ajo_catalogue(), CatalogueSource::command, "guild"), RealmClosed);
  EXPECT_EQ(differences("guild"), Lines{});
  // The server that closed it dies. Another one deletes it.
  run(second.start());
  EXPECT_TRUE(test::eventually(io, [&] { return run(closed_realms(redis)).empty(); }));
  EXPECT_EQ(told(other.claim(in("guild", "111"), "daily")), "+32 =32");
  run(second.stop());
  EXPECT_EQ(differences("guild"), Lines{});
  EXPECT_EQ(rows("economy_event"), 1);
}

TEST_F(RemovedRealms, a_server_that_dies_at_any_step_leaves_the_rest_to_another) {
  play("guild");
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  cli({"DEL", std::string(closing_key)});  // it died just after it had closed the realm
  run(background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return run(all_realms(redis)).empty(); }));
  run(background.stop());
  EXPECT_EQ(keys(), std::set<std::string>{});
}

// A server that is killed after some steps of a deletion.
struct Dying {
  Dying(std::string const& redis_url, std::string const& sql_url)
      : redis(io, {.url = redis::parse_url(redis_url), .timeout = 5000ms, .tls_ca = {}}, metrics),
        sql(sql_url, 2, metrics) {}
  void remove(RealmId id, int steps) {
    bool done = false;
    asio::co_spawn(io, delete_closed_realm(redis, journal, std::move(id)),
                   [&](std::exception_ptr const&, bool) { done = true; });
    for (int step = 0; step < steps && !done; ++step) io.run_one();
  }

  asio::io_context io;
  Metrics metrics;
  redis::Redis redis;
  sql::Database sql;
  EconomyJournal journal{sql};
};

TEST_F(RemovedRealms, a_server_may_start_at_every_step_of_a_deletion) {
  play("guild");
  {
    Background projecting(io, redis, sql, clock, {}, metrics);
    run(projecting.start());
    run(projecting.stop());
  }
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  int deaths = 0;
  while (!run(closed_realms(redis)).empty()) {
    Dying dying(server.url(), "sqlite:" + dir.file("test.db"));
    dying.remove(realm("guild"), ++deaths);
    Background starting(io, redis, sql, clock, {}, metrics);
    run(starting.refuse_lost_redis());
  }
  EXPECT_GT(deaths, 20);
  EXPECT_EQ(keys(), std::set<std::string>{});
  EXPECT_EQ(rows("economy_event") + rows("economy_state") + rows("economy_player"), 0);
  EXPECT_EQ(told(economy.claim(in("guild", "111"), "daily")), "+32 =32");
}

TEST_F(RemovedRealms, a_server_that_stops_leaves_the_rest_to_the_next_start) {
  run(economy.claim(in("guild", "111"), "daily")).value();
  write_old_events("guild", 20'000);
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  Background stopping(io, redis, sql, clock, {.gather = 1ms}, metrics);
  run(stopping.start());
  EXPECT_TRUE(test::eventually(io, [&] { return rows("economy_event") < 20'000; }));
  run(stopping.stop());
  EXPECT_GT(rows("economy_event"), 0);
  EXPECT_EQ(run(closed_realms(redis)), std::vector{realm("guild")});
  Background next(io, redis, sql, clock, {}, metrics);
  run(next.start());
  EXPECT_TRUE(test::eventually(io, [&] { return run(closed_realms(redis)).empty(); }));
  run(next.stop());
  EXPECT_EQ(keys(), std::set<std::string>{});
  EXPECT_EQ(rows("economy_event") + rows("economy_state") + rows("economy_player"), 0);
}

TEST_F(RemovedRealms, a_deletion_may_stop_before_each_portion) {
  run(economy.claim(in("guild", "111"), "daily")).value();
  write_old_events("guild", 3500);
  {
    Background projecting(io, redis, sql, clock, {}, metrics);
    run(projecting.start());
    run(projecting.stop());
  }
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  int portions = 0;
  for (bool done = false; !done; ++portions) {
    int asked = 0;
    auto const before = rows("economy_event");
    done = run(delete_closed_realm(redis, background.shared().journal, realm("guild"),
                                   [&] { return asked++ == portions; }));
    EXPECT_EQ(run(closed_realms(redis)).empty(), done);
    EXPECT_LE(asked, portions + 1);
    EXPECT_LE(before - rows("economy_event"), 1001 * portions);
  }
  EXPECT_GT(portions, 8);
  cli({"DEL", std::string(busy_key)});
  EXPECT_EQ(keys(), std::set<std::string>{});
  EXPECT_EQ(rows("economy_event") + rows("economy_state") + rows("economy_player"), 0);
}

TEST_F(RemovedRealms, the_deletion_leaves_a_realm_alone_that_began_anew) {
  run(economy.claim(in("guild", "111"), "daily")).value();
  cli({"SADD", std::string(closing_key), "guild"});  // a deletion whose last step was lost
  EXPECT_TRUE(run(delete_closed_realm(redis, background.shared().journal, realm("guild"))));
  EXPECT_EQ(cli({"ZSCORE", "{guild}:lb", "111"}), "32");
  EXPECT_EQ(cli({"EXISTS", std::string(closing_key)}), "0");
}

TEST_F(RemovedRealms, realms_are_listed_by_name) {
  for (auto const* const name : {"b", "a", "c"}) run(economy.create(realm(name)));
  EXPECT_EQ(run(economy.realms()), (std::vector{realm("a"), realm("b"), realm("c")}));
}

class IdleRealms : public EconomyTest {
 protected:
  IdleRealms() : EconomyTest(false) {}
  std::int64_t calls(std::string const& command) {
    std::istringstream lines(cli({"INFO", "commandstats"}));
    for (std::string line; std::getline(lines, line);) {
      auto const head = "cmdstat_" + command + ":calls=";
      if (line.starts_with(head)) return std::stoll(line.substr(head.size()));
    }
    return 0;
  }
};

TEST_F(IdleRealms, are_not_looked_at) {
  for (int i = 0; i < 50; ++i) run(economy.create(realm(fmt::format("r{}", i))));
  cli({"DEL", std::string(busy_key)});  // as after a minute
  Background busy(io, redis, sql, clock, {}, metrics);
  run(busy.start());
  EXPECT_TRUE(test::eventually(io, [&] { return calls("zcard") >= 50; }));  // one look at each
  auto const begin = calls("zcard");
  // Two more rounds of the watch, each of which looks at one realm.
  auto const rounds = calls("zrange");
  EXPECT_TRUE(test::eventually(io, [&] { return calls("zrange") >= rounds + 4; }));
  EXPECT_LE(calls("zcard") - begin, 8);
  run(busy.stop());
}

TEST_F(IdleRealms, what_a_dead_server_left_in_a_realm_in_use_is_found) {
  Background other(io, redis, sql, clock, {}, metrics);
  run(economy.create(realm("r1")));
  run(economy.create(realm("r2")));
  run(other.start());
  EXPECT_TRUE(test::eventually(io, [&] { return calls("zcard") >= 2; }));
  // `economy` belongs to a server whose projector never runs. It has marked the realm.
  for (int i = 0; i < 3; ++i) {
    auto made = move(fmt::format("p{}", i));
    made.realm = realm("r2");
    run(economy.claim(made, "daily")).value();
  }
  cli({"ZADD", std::string(busy_key), "5", "r2"});
  EXPECT_TRUE(test::eventually(
      io, [&] { return run(background.shared().journal.events(realm("r2"), {})).size() == 3; }));
  run(other.stop());
}

class UsedRealms : public EconomyTest {};

TEST_F(UsedRealms, are_marked_by_the_server_that_uses_them) {
  run(background.start());
  run(economy.claim(move("111"), "daily")).value();
  EXPECT_TRUE(
      test::eventually(io, [&] { return cli({"ZRANGE", std::string(busy_key), "0", "-1"}) == "default"; }));
  auto const mark = cli({"ZSCORE", std::string(busy_key), "default"});
  EXPECT_EQ(run(redis.run(redis::Use::write, scripts::rest_realm(realm(), "7"))).integer(), 0);
  EXPECT_EQ(run(redis.run(redis::Use::write, scripts::rest_realm(realm(), mark))).integer(), 1);
  run(background.stop());
}

}  // namespace
}  // namespace larder::economy
