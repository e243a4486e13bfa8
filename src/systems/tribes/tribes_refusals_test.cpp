// Refusals with an Idempotency-Key: each is kept, unless the world is gone.
#include "systems/tribes/kept_refusal.hpp"
#include "systems/tribes/tribes_test.hpp"

#include <set>

namespace larder::tribes {

namespace {

class TribesRefusalsTest : public TribesTest {
 protected:
  // Ann has a house on lot 1 and a kitchen on lot 2 that was just tapped. Her queue is full, Bob's town
  // expects as many heists as a town can, and she owns nothing.
  void arrange() {
    auto rules = *pizza_rules();
    rules.queues.constructions_max = 2;
    rules.queues.arrivals_max = 1;
    make_world("w", 1, std::make_shared<Rules const>(rules));
    for (auto const* const name : {"ann", "bob", "eve"}) ASSERT_EQ(join(name), "ok");
    for (auto const* const name : {"ann", "eve"}) {
      auto town = stored(name);
      town.population.thieves = 5;
      put_town(town);
    }
    bob = stored("bob").field;
    ASSERT_EQ(act("eve", steal(bob, 1)), "ok");
    auto ann = stored("ann");
    ann.coin_units = 0;
    ann.lot(LotId::at(0)) = Lot{.building = Building::house, .level = rules.of(Building::house).level_max()};
    ann.lot(LotId::at(1)) = Lot{.building = Building::kitchen, .tapped_at = ann.at};
    put_town(ann);
    home = ann.field;
  }
  void queue_work() {
    auto town = stored("ann");
    for (int const level : {1, 2}) {
      town.constructions.push_back({.complete_at = town.at + 60'000 * level,
                                    .lot = LotId::at(4),
                                    .building = Building::shop,
                                    .level = level});
    }
    put_town(town);
  }
  static std::string steal(Field at, int thieves) {
    return fmt::format(R"({{"type":"steal","x":{},"y":{},"thieves":{}}})", at.x, at.y, thieves);
  }
  // Acts twice with a key, and expects a kept refusal.
  void expect_kept(std::string_view who, std::string const& what, std::string const& expected) {
    auto const with = key(std::string(who) + what);
    EXPECT_EQ(act(who, what, with), expected) << what;
    EXPECT_EQ(act(who, what, with), expected + ", again") << what;
    seen.insert(expected.substr(0, expected.find(' ')));
  }
  void expect_join(std::string_view who, std::string const& expected, bool kept = true) {
    auto const with = key(std::string("join ").append(who).append(expected));
    EXPECT_EQ(join(who, with), expected);
    EXPECT_EQ(join(who, with), expected + (kept ? ", again" : ""));
    if (kept) seen.insert(expected);
  }

  Field bob;
  Field home;
  std::set<std::string> seen;
};

TEST_F(TribesRefusalsTest, every_refusal_of_a_rule_is_kept) {
  arrange();
  expect_kept("ann", R"({"type":"construct","lot":"1","building":"house"})", "lot_taken");
  expect_kept("ann", R"({"type":"construct","lot":"3","building":"house"})",
              R"(not_enough_coins {"needs":17000})");
  expect_kept("ann", R"({"type":"upgrade","lot":"1"})", "max_level");
  expect_kept("ann", R"({"type":"tap","lot":"9"})", "lot_empty");
  expect_kept("ann", R"({"type":"tap","lot":"1"})", "not_tappable");
  expect_kept("ann", R"({"type":"tap","lot":"2"})",
              fmt::format(R"(tapped_too_soon {{"seconds_left":{}}})", pizza_rules()->taps.every_s));
  expect_kept("ann", R"({"type":"train","education":"chef","amount":1})", "no_school");
  expect_kept("ann", R"({"type":"cancel","queue":"travel","index":0})", "not_cancellable");
  expect_kept("ann", R"({"type":"cancel","queue":"training","index":0})", "no_such_element");
  expect_kept("ann", steal(home, 1), "own_town");
  expect_kept("ann", steal({.x = 0, .y = 0}, 1), "no_town_there");
  expect_kept("ann", steal(bob, 6), "not_enough_thieves");
  expect_kept("ann", steal(bob, 5), "target_busy");
  expect_kept("joe", R"({"type":"tap","lot":"1"})", "not_joined");
  expect_join("ann", "already_joined");
  queue_work();
  expect_kept("ann", R"({"type":"cancel","queue":"construction","index":0})", "lot_busy");
  expect_kept("ann", R"({"type":"construct","lot":"7","building":"school"})", "queue_full");
  auto town = stored("ann");
  town.lot(LotId::at(3)) = Lot{.building = Building::school};
  put_town(town);
  expect_kept("ann", R"({"type":"train","education":"chef","amount":2})", "too_few_uneducated");
  ASSERT_TRUE(run(larder->worlds.change(world(), {.state = WorldState::closed})));
  expect_kept("ann", R"({"type":"raze","lot":"1"})", "world_over");
  expect_join("max", "world_over");
  EXPECT_EQ(seen.size(), 19u) << "and world_full, which has its own test";
}

TEST_F(TribesRefusalsTest, a_full_world_is_full_again) {
  auto rules = *pizza_rules();
  rules.world = {.size = 1, .zone_size = 1, .towns_per_zone_max = 1};
  make_world("w", 1, std::make_shared<Rules const>(rules));
  EXPECT_EQ(join("ann"), "ok");
  expect_join("bob", "world_full");
}

TEST_F(TribesRefusalsTest, a_world_that_is_gone_is_not_found_and_nothing_is_kept) {
  arrange();
  auto const* const tap = R"({"type":"tap","lot":"1"})";
  TribesServer other(io, server.url(), sql_url, clock);
  ASSERT_TRUE(run(other.worlds.remove(world())));
  EXPECT_EQ(act("ann", tap, key("a")), "world_not_found");
  EXPECT_EQ(act("ann", tap, key("a")), "world_not_found");
  expect_join("max", "world_not_found", false);
}

TEST_F(TribesRefusalsTest, a_world_that_redis_has_lost_is_not_found) {
  arrange();
  cli({"DEL", "{tribes:w}:world"});
  cli({"INCR", "{tribes:w}:world:revision"});
  EXPECT_EQ(act("ann", R"({"type":"tap","lot":"1"})", key("a")), "world_not_found");
  cli({"FLUSHALL"});
  expect_join("max", "world_not_found", false);
}

TEST_F(TribesRefusalsTest, a_new_world_with_the_same_id_does_not_give_the_answers_of_the_old_one) {
  run(larder->background.start());
  make_world();
  auto const* const house = R"({"type":"construct","lot":"1","building":"house"})";
  EXPECT_EQ(join("ann", key("j")), "ok");
  EXPECT_EQ(act("ann", house, key("a")), "ok");
  EXPECT_EQ(act("ann", house, key("r")), "lot_taken");
  TribesServer other(io, server.url(), sql_url, clock);  // knows the old world
  EXPECT_EQ(run(other.tribes.state(world(), user("ann"))).value().revision, 2);
  EXPECT_TRUE(run(larder->worlds.remove(world())));
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"EXISTS", "{tribes:w}:world"}) == "0"; }));
  clock.advance(1);
  make_world();
  EXPECT_EQ(brief(run(other.tribes.join(world(), user("ann"), "Ann", key("j")))), "ok");
  EXPECT_EQ(join("ann", key("j")), "ok, again");
  EXPECT_EQ(act("ann", house, key("r")), "ok");
  EXPECT_EQ(act("ann", house, key("a")), "lot_taken");
  run(larder->background.stop());
}

TEST(KeptRefusal, is_the_same_refusal_again_and_others_are_not_kept) {
  Error const refusal{
      .code = errors::not_enough_coins, .detail = "too poor", .field = "lot", .more = {{"needs", 7}}};
  auto const again = from_kept(to_kept(refusal).value());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, refusal.code);
  EXPECT_EQ(again.error().detail, refusal.detail);
  EXPECT_EQ(again.error().field, refusal.field);
  EXPECT_EQ(again.error().more, refusal.more);
  EXPECT_TRUE(again.error().replayed);
  for (auto const& other :
       {errors::world_not_found, errors::idempotency_conflict, larder::errors::server_busy})
    EXPECT_EQ(to_kept({.code = other, .detail = {}}), std::nullopt);
}

}  // namespace

}  // namespace larder::tribes
