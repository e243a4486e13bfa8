// An economy inside another program uses a Redis under the same rules as a server.
#include "systems/economy/embedded_economy.hpp"

#include "base/error.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/economy/economy_rebuild.hpp"

#include <gtest/gtest.h>

namespace larder::economy {
namespace {

template <class Refused>
std::string why_not(Refused refused) {
  try {
    refused();
    return "";
  } catch (SetupError const& error) {
    return error.what();
  }
}

class EmbeddedEconomyTest : public testing::Test {
 protected:
  EmbeddedEconomyOptions on(test::RedisServer const& at) {
    return {.data = dir.file("data"), .redis = at.url(), .sql = "sqlite:" + dir.file("larder.db")};
  }
  static RealmId realm() { return RealmId::from("main").value(); }
  static UserId ann() { return UserId::from("ann").value(); }
  static Move move(std::string key) {
    return {.realm = realm(),
            .player = ann(),
            .idempotency_key = IdempotencyKey{.key = std::move(key), .fingerprint = "farm"}};
  }
  static std::int64_t balance(EmbeddedEconomy& game) {
    return game.run(game.economy().player(realm(), ann())).value().balance;
  }
  void rebuild_on(test::RedisServer const& at) {
    sql::Database sql(on(at).sql, 1, metrics);
    EconomyJournal journal(sql);
    asio::io_context io;
    redis::Redis redis(io, {.url = redis::parse_url(at.url()), .tls_ca = {}}, metrics);
    test::run(io, rebuild(redis, journal, {}));
  }

  test::TempDir dir;
  test::RedisServer server;
  Metrics metrics;
};

TEST_F(EmbeddedEconomyTest, a_move_that_comes_again_is_made_once_also_after_a_restart) {
  std::int64_t gained = 0;
  for (bool const again : {false, true}) {
    EmbeddedEconomy game(on(server));
    auto const farmed = game.run(game.economy().farm(move("m1"), "Ann")).value();
    if (!again) gained = farmed.what.balance;
    EXPECT_EQ(farmed.replayed, again);
    EXPECT_EQ(balance(game), gained);
  }
}

TEST_F(EmbeddedEconomyTest, new_realms_have_the_given_catalogue) {
  auto text = ajo_catalogue()->text;
  auto const at = text.find("\"name\":\"daily\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 14, "\"name\":\"hourly\"");
  auto options = on(server);
  options.catalogue = std::make_shared<Catalogue const>(parse_catalogue(text).value());
  EmbeddedEconomy game(options);
  auto const farmed = game.run(game.economy().claim(move("m1"), "hourly"));
  EXPECT_TRUE(farmed) << farmed.error().detail;
}

TEST_F(EmbeddedEconomyTest, events_that_wait_are_journaled_before_it_ends) {
  {
    EmbeddedEconomy game(on(server));
    game.run(game.economy().farm(move("m1"), "Ann")).value();
  }
  sql::Database sql(on(server).sql, 1, metrics);
  EconomyJournal journal(sql);
  asio::io_context io;
  EXPECT_EQ(test::run(io, journal.events(realm(), {.user = ann()})).size(), 1U);
}

TEST_F(EmbeddedEconomyTest, refuses_a_redis_that_lost_a_realm_until_it_is_rebuilt) {
  std::int64_t before = 0;
  {
    EmbeddedEconomy game(on(server));
    game.run(game.economy().farm(move("m1"), "Ann")).value();
    before = balance(game);
  }
  test::RedisServer empty;
  EXPECT_NE(why_not([&] { EmbeddedEconomy(on(empty)); }).find("run `larder rebuild` first"),
            std::string::npos);
  EXPECT_EQ(empty.cli({"KEYS", "larder:*"}), "");
  rebuild_on(empty);
  EmbeddedEconomy game(on(empty));
  EXPECT_EQ(balance(game), before);
}

TEST_F(EmbeddedEconomyTest, nobody_rebuilds_beside_it) {
  {
    EmbeddedEconomy const game(on(server));
    EXPECT_NE(why_not([&] { rebuild_on(server); }).find("a server works on this Redis"), std::string::npos);
    EXPECT_NE(server.cli({"KEYS", "larder:server:*"}), "");
  }
  EXPECT_EQ(server.cli({"KEYS", "larder:server:*"}), "");
  server.cli({"SET", "larder:rebuilding", "1"});
  EXPECT_NE(why_not([&] { EmbeddedEconomy(on(server)); }).find("is being rebuilt"), std::string::npos);
}

}  // namespace
}  // namespace larder::economy
