// When a realm begins.
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class NewRealms : public EconomyTest {};

TEST_F(NewRealms, refused_moves_leave_no_realm) {
  auto const in = [](std::string_view player) {
    return Move{.realm = realm("unused"), .player = user(player)};
  };
  auto const roulette = RouletteId::from("0123456789abcdef").value();
  Lines told_all;
  for (int i = 0; i < 3; ++i) {
    told_all = {told(economy.pay(in("1"), user("222"), amount(1))),
                told(economy.claim(in("2"), "hourly")),
                told(economy.gamble(in("3"), {})),
                told(economy.discombobulate(in("4"), user("222"), amount(1))),
                told(economy.trade(in("5"), user("222"), "herb", 1)),
                told(economy.trade(in("6"), user("222"), "wand", 1)),
                told(economy.craft(in("7"), "necklace")),
                told(economy.craft(in("8"), "satellite")),
                told(economy.craft(in("9"), "bone")),
                told(economy.use(in("10"), "cross", {})),
                told(economy.plant_bomb(in("11"), 60)),
                told(economy.inspect(in("12"), user("222"))),
                told(economy.shoot(in("13"), roulette))};
  }
  EXPECT_EQ(told_all,
            (Lines{R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})", "reward_not_found",
                   R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})",
                   R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})",
                   R"(not_enough_items {"owned":0})", "not_tradable",
                   R"(insufficient_balance {"balance":0,"needs":{":garlic:":50}})",
                   R"(not_enough_items {"needs":{":gear:":3}})", "not_craftable",
                   R"(not_enough_items {"owned":0})", R"(not_enough_items {"owned":0})",
                   R"(insufficient_balance {"balance":0,"needs":{":garlic:":10}})", "roulette_not_found"}));
  EXPECT_EQ(keys(), std::set<std::string>{});
  EXPECT_EQ(background.shared().realms.find(realm("unused")), nullptr);
}

TEST_F(NewRealms, a_refusal_is_remembered_without_a_realm) {
  auto const in = [] { return with_key(Move{.realm = realm("unused"), .player = user("1")}, "key"); };
  auto const first = told(economy.pay(in(), user("222"), amount(1)));
  EXPECT_EQ(first, R"(insufficient_balance {"balance":0,"needs":{":garlic:":1}})");
  EXPECT_EQ(keys().size(), 1U);
  cli({"ZADD", "{unused}:lb", "5", "1"});
  EXPECT_EQ(told(economy.pay(in(), user("222"), amount(1))), first + ", again");
  EXPECT_EQ(background.shared().realms.find(realm("unused")), nullptr);
}

TEST_F(NewRealms, each_move_that_succeeds_creates_its_realm) {
  std::string const lb = "{new}:lb";
  auto const in = [](std::optional<std::uint32_t> seed = {}) {
    return Move{.realm = realm("new"), .player = user("111"), .seed = seed};
  };
  std::vector<std::function<std::string()>> const moves{
      [&] { return told(economy.farm(in(), "n")).substr(0, 2); },
      [&] { return told(economy.claim(in(), "daily")).substr(0, 2); },
      [&] { return told(economy.start_roulette(in())).substr(0, 2); },
      [&] { return told(economy.pay(in(), user("222"), amount(1))).substr(0, 2); }};
  Lines const expected{"+1", "+3", "lo", "=4"};
  for (std::size_t i = 0; i < moves.size(); ++i) {
    cli({"FLUSHALL"});  // the server believes that the realm exists
    if (i == 3) cli({"ZADD", lb, "5", "111"});
    EXPECT_EQ(moves[i](), expected[i]);
    EXPECT_EQ(cli({"SMEMBERS", std::string(realms_key)}), "new");
    EXPECT_EQ(cli({"EXISTS", "{new}:catalogue", "{new}:drop-rate"}), "2");
  }
}

TEST_F(NewRealms, an_operator_creates_one) {
  auto const first = run(economy.create(realm("new"))).value();
  EXPECT_TRUE(first.created);
  EXPECT_EQ(first.catalogue->version, ajo_catalogue()->version);
  EXPECT_FALSE(run(economy.create(realm("new"))).value().created);
  EXPECT_EQ(cli({"SMEMBERS", std::string(realms_key)}), "new");
}

TEST_F(NewRealms, one_that_is_deleted_at_once_was_created_nevertheless) {
  auto& shared = background.shared();
  Shared closing{.journal = shared.journal,
                 .clock = clock,
                 .metrics = metrics,
                 .on_new_realm = [](RealmPtr const& made) { made->put(nullptr); }};  // by another thread
  Economy other(redis, closing);
  auto const created = run(other.create(realm("new"))).value();
  ASSERT_TRUE(created.catalogue);
  EXPECT_EQ(created.catalogue->version, ajo_catalogue()->version);
}

// A server that does something step by step.
struct Elsewhere {
  Elsewhere(std::string const& redis_url, std::string const& sql_url)
      : redis(io, {.url = redis::parse_url(redis_url), .timeout = 5000ms, .tls_ca = {}}, metrics),
        sql(sql_url, 2, metrics) {}
  // Does the next steps of what has begun on `io`.
  void go_on(int steps) {
    for (int step = 0; step < steps && !done; ++step) io.run_one();
  }

  asio::io_context io;
  Metrics metrics;
  redis::Redis redis;
  sql::Database sql;
  TestClock clock{SystemClock{}.now()};
  Background background{io, redis, sql, clock, {}, metrics};
  Economy economy{redis, background.shared()};
  bool done = false;
};

class ListedRealms : public NewRealms {
 protected:
  void start_a_server() {
    Background other(io, redis, sql, clock, {}, metrics);
    run(other.start());
    run(other.stop());
  }
  std::string listed() { return cli({"SMEMBERS", std::string(realms_key)}); }
  std::string sql_url() { return "sqlite:" + dir.file("test.db"); }
  void expect_whole(std::string const& name, int steps) {
    EXPECT_EQ(listed(), name) << steps;
    EXPECT_EQ(cli({"EXISTS", fmt::format("{{{}}}:catalogue", name)}), "1") << steps;
  }
};

TEST_F(ListedRealms, a_name_without_a_catalogue_is_not_created_and_leaves_the_list) {
  cli({"SADD", std::string(realms_key), "deleted"});
  start_a_server();
  EXPECT_EQ(keys(), std::set<std::string>{});
}

TEST_F(ListedRealms, a_realm_with_events_stays_on_the_list_without_its_catalogue) {
  run(economy.claim({.realm = realm("lost"), .player = user("111")}, "daily")).value();
  start_a_server();
  cli({"DEL", "{lost}:catalogue", "{lost}:catalogue-data", "{lost}:catalogue-source"});
  start_a_server();
  EXPECT_EQ(listed(), "lost");
  EXPECT_EQ(cli({"EXISTS", "{lost}:catalogue"}), "0");
}

TEST_F(ListedRealms, a_server_may_start_at_every_step_of_a_creation) {
  int steps = 0;
  for (bool was_done = false; !was_done; ++steps) {
    cli({"FLUSHALL"});
    auto const name = fmt::format("r{}", steps);
    Elsewhere creating(server.url(), sql_url());
    asio::co_spawn(creating.io, creating.economy.create(realm(name)),
                   [&](std::exception_ptr const&, auto const&) { creating.done = true; });
    creating.go_on(steps);
    was_done = creating.done;
    start_a_server();
    creating.go_on(1'000'000);
    expect_whole(name, steps);
  }
  EXPECT_GT(steps, 10);
}

TEST_F(ListedRealms, a_realm_may_be_created_at_every_step_of_a_start) {
  int steps = 0;
  for (bool was_done = false; !was_done; ++steps) {
    cli({"FLUSHALL"});
    auto const name = fmt::format("r{}", steps);
    cli({"SADD", std::string(realms_key), name});
    Elsewhere starting(server.url(), sql_url());
    asio::co_spawn(starting.io, starting.background.start(),
                   [&](std::exception_ptr const&) { starting.done = true; });
    starting.go_on(steps);
    was_done = starting.done;
    run(economy.create(realm(name))).value();
    starting.go_on(1'000'000);
    test::run(starting.io, starting.background.stop());
    expect_whole(name, steps);
  }
  EXPECT_GT(steps, 10);
}

}  // namespace
}  // namespace larder::economy
