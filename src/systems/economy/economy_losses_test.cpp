// What happens when Redis has lost something: nothing is written, and nothing is told that may be wrong.
#include "base/error.hpp"
#include "systems/economy/economy_test.hpp"
#include "systems/economy/small_game_test.hpp"

namespace larder::economy {
namespace {

class LostRealms : public EconomyTest {
 protected:
  void journal_all() {
    Background projecting(io, redis, sql, clock, {}, metrics);
    run(projecting.start());
    run(projecting.stop());
  }
  // As a projector does when it finds that Redis lacks events.
  void take_outboxes_away() { cli({"DEL", "ajobus", "ajobus-inventory"}); }
};

TEST_F(LostRealms, without_outboxes_nothing_changes) {
  give("111", 100);
  give("111", ":bomb:", 2);
  open();
  auto const opened = run(economy.open(realm())).value();
  EXPECT_TRUE(run(economy.plant_bomb(move("111"), 0)));
  clock.advance(1'000'000);
  journal_all();
  cli({"DEL", "bomb", "bomb-due"});
  cli({"ZADD", "bombs", "1", "111"});
  take_outboxes_away();
  auto const before = digest();
  EXPECT_THROW(run(economy.arm_bomb(opened, user("111"))), LostError);
  EXPECT_THROW(run(economy.claim(move("111"), "daily")), LostError);
  for (auto const source : {CatalogueSource::start, CatalogueSource::command}) {
    EXPECT_THROW(run(load_catalogue(redis, RealmKeys(realm()), parsed(small_game()), source)), LostError);
  }
  EXPECT_THROW(run(tell_catalogue(redis, RealmKeys(realm()))), LostError);
  EXPECT_EQ(digest(), before);
}

TEST_F(LostRealms, a_start_does_not_give_a_lost_realm_its_catalogue) {
  run(economy.claim(move("111"), "daily")).value();
  journal_all();
  take_outboxes_away();
  Background other(io, redis, sql, clock, {.catalogue = parsed(small_game())}, metrics);
  run(other.start());
  run(other.stop());
  EXPECT_EQ(cli({"GET", "catalogue"}), ajo_catalogue()->version);
  EXPECT_EQ(cli({"EXISTS", "ajobus"}), "0");
}

// An earlier version made the outboxes with the first events.
TEST_F(LostRealms, a_realm_that_never_had_outboxes_gets_them_at_the_start) {
  open();
  cli({"DEL", "ajobus", "ajobus-inventory"});
  sql.write_now([](sql::Session& session) { session.execute("DELETE FROM outbox_position"); });
  auto const game = parsed(small_game());
  Background other(io, redis, sql, clock, {.catalogue = game}, metrics);
  run(other.start());
  EXPECT_EQ(cli({"GET", "catalogue"}), game->version);
  EXPECT_EQ(told(Economy(redis, other.shared()).claim(move("111"), "tide")), "+10 =10");
  run(other.stop());
}

TEST_F(LostRealms, what_redis_has_lost_is_not_told_as_nothing) {
  run(economy.claim(move("111"), "daily")).value();
  journal_all();
  take_outboxes_away();
  EXPECT_THROW(run(economy.player(realm(), user("111"))), LostError);
  EXPECT_THROW(run(economy.leaderboard(realm(), 10, {})), LostError);
  EXPECT_THROW(run(economy.leaderboard(realm(), 10, user("111"))), LostError);
  cli({"FLUSHALL"});
  EXPECT_EQ(run(economy.player(realm(), user("111"))).error().code, errors::realm_lost);
  EXPECT_EQ(run(economy.leaderboard(realm(), 10, {})).error().code, errors::realm_lost);
  EXPECT_EQ(run(economy.leaderboard(realm(), 10, user("111"))).error().code, errors::realm_lost);
  EXPECT_EQ(run(economy.catalogue(realm())).error().code, errors::realm_lost);
  EXPECT_EQ(told(economy.pay(move("111"), user("222"), amount(1))), "realm_lost") << "no balance of 0 either";
  EXPECT_EQ(keys(), std::set<std::string>{});
}

TEST_F(LostRealms, a_realm_that_another_server_has_deleted_is_not_lost) {
  Background second(io, redis, sql, clock, {}, metrics);
  Economy other(redis, second.shared());
  Move const claim{.realm = realm("guild"), .player = user("111")};
  EXPECT_EQ(told(other.claim(claim, "daily")), "+32 =32");
  run(background.start());
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  EXPECT_TRUE(test::eventually(io, [&] { return run(closed_realms(redis)).empty(); }));
  run(background.stop());
  EXPECT_EQ(run(other.leaderboard(realm("guild"), 10, {}))->size(), 0U);
  EXPECT_EQ(run(other.player(realm("guild"), user("111")))->balance, 0);
  EXPECT_EQ(told(other.claim(claim, "daily")), "+32 =32");
}

}  // namespace
}  // namespace larder::economy
