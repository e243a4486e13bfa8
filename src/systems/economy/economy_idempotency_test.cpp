// A move with an Idempotency-Key happens once.
#include "base/hash.hpp"
#include "systems/economy/economy_test.hpp"
#include "systems/economy/small_game_test.hpp"

namespace larder::economy {
namespace {

// Every move with what it needs, under the key "k", and its answer.
class IdempotencyKeys : public EconomyTest {
 protected:
  std::string const kept_key = "once:" + key_hash("k");

  struct Case {
    std::string name;
    std::vector<Lines> by_hand;
    std::function<std::string(Move)> make;
  };

  std::vector<Case> moves_of_points() {
    return {
        {"farm", {{"ZADD", "lb", "100", "111"}}, [&](Move m) { return told(economy.farm(m, "n")); }},
        {"bomb", {{"SET", "bomb", "9"}}, [&](Move m) { return told(economy.farm(m, "n")); }},
        {"pay",
         {{"ZADD", "lb", "100", "111"}},
         [&](Move m) { return told(economy.pay(m, user("222"), amount(9))); }},
        {"pay refused", {}, [&](Move m) { return told(economy.pay(m, user("222"), amount(9))); }},
        {"claim", {}, [&](Move m) { return told(economy.claim(m, "daily")); }},
        {"claim refused",
         {{"SET", "111:daily", "1", "EX", "500"}},
         [&](Move m) { return told(economy.claim(m, "daily")); }},
        {"gamble",
         {{"ZADD", "lb", "100", "111"}},
         [&](Move m) { return told(economy.gamble(m, amount(9))); }},
        {"gamble all", {{"ZADD", "lb", "100", "111"}}, [&](Move m) { return told(economy.gamble(m, {})); }},
        {"discombobulate",
         {{"ZADD", "lb", "100", "111", "50", "222"}},
         [&](Move m) { return told(economy.discombobulate(m, user("222"), amount(20))); }},
        {"discombobulate refused",
         {{"ZADD", "lb", "100", "111", "50", "222"}},
         [&](Move m) { return told(economy.discombobulate(m, user("222"), amount(2))); }},
        {"inspect",
         {{"ZADD", "lb", "100", "111"}, {"HSET", "222:inventory", ":bone:", "7", ":herb:", "2"}},
         [&](Move m) { return told(economy.inspect(m, user("222"))); }},
        {"start_roulette",
         {},
         [&](Move m) {
           auto const started = run(economy.start_roulette(m));
           return started ? started->what.str() + brief(started) : brief(started);
         }},
        {"shoot",
         {{"HSET", "roulette:abc", "left", "3", "drawn", "3", "seed", "5"}},
         [&](Move m) { return told(economy.shoot(m, RouletteId::from("abc").value())); }},
        {"shot",
         {{"HSET", "roulette:abc", "left", "1", "drawn", "3", "seed", "5"}, {"ZADD", "lb", "100", "111"}},
         [&](Move m) { return told(economy.shoot(m, RouletteId::from("abc").value())); }},
    };
  }
  std::vector<Case> moves_of_items() {
    return {
        {"trade",
         {{"HSET", "111:inventory", ":herb:", "5"}},
         [&](Move m) { return told(economy.trade(m, user("222"), "herb", 2)); }},
        {"trade refused", {}, [&](Move m) { return told(economy.trade(m, user("222"), "herb", 2)); }},
        {"craft",
         {{"HSET", "111:inventory", ":herb:", "9"}},
         [&](Move m) { return told(economy.craft(m, "cross")); }},
        {"craft refused",
         {{"HSET", "111:inventory", ":herb:", "2"}},
         [&](Move m) { return told(economy.craft(m, "cross")); }},
        {"use chopsticks",
         {{"HSET", "111:inventory", ":chopsticks:", "2"}},
         [&](Move m) { return told(economy.use(m, "chopsticks", {})); }},
        {"use cross",
         {{"HSET", "111:inventory", ":cross:", "2"}, {"SET", "111:vampire", "5", "EX", "50"}},
         [&](Move m) { return told(economy.use(m, "cross", {})); }},
        {"use shoe",
         {{"HSET", "111:inventory", ":athletic_shoe:", "2"}},
         [&](Move m) { return told(economy.use(m, "shoe", {})); }},
        {"use wand",
         {{"HSET", "111:inventory", ":magic_wand:", "2"}},
         [&](Move m) { return told(economy.use(m, "wand", user("222"))); }},
        {"use satellite",
         {{"HSET", "111:inventory", ":satellite:", "2"},
          {"ZADD", "bombs", fmt::to_string(clock.now().value + 5000), "333"}},
         [&](Move m) { return told(economy.use(m, "satellite", {})); }},
        {"use refused",
         {{"HSET", "111:inventory", ":cross:", "2"}},
         [&](Move m) { return told(economy.use(m, "cross", {})); }},
        {"plant_bomb",
         {{"HSET", "111:inventory", ":bomb:", "2"}},
         [&](Move m) {
           auto const planted = run(economy.plant_bomb(m, 500));
           return planted ? fmt::format("due {}, {}", planted->what.due.value, brief(planted))
                          : brief(planted);
         }},
    };
  }
  std::vector<Case> cases() {
    auto all = moves_of_points();
    std::ranges::move(moves_of_items(), std::back_inserter(all));
    return all;
  }
  void begin(Case const& one) {
    cli({"FLUSHALL"});
    for (auto const& command : one.by_hand) cli(command);
    open();
  }
};

TEST_F(IdempotencyKeys, the_same_key_answers_the_same_and_changes_nothing) {
  for (auto const& one : cases()) {
    begin(one);
    auto const first = one.make(with_key(move("111"), "k"));
    auto const after = digest();
    EXPECT_EQ(cli({"TYPE", kept_key}), "string");
    EXPECT_TRUE(lives(kept_key, 86'400));
    EXPECT_EQ(one.make(with_key(move("111"), "k")), first + ", again") << one.name;
    EXPECT_EQ(one.make(with_key(move("111"), "k", "another body")), "idempotency_conflict") << one.name;
    EXPECT_EQ(digest(), after) << one.name;
    EXPECT_NE(one.make(with_key(move("111"), "k2")), first + ", again") << one.name;
  }
}

TEST_F(IdempotencyKeys, the_same_key_answers_the_same_after_the_catalogue_has_changed) {
  // None of the items and rewards is left, and a cross is another item.
  auto const other_game = parsed(small_game(R"("roll")", R"("cross")"));
  for (auto const& one : cases()) {
    begin(one);
    auto const first = one.make(with_key(move("111"), "k"));
    load(other_game);
    auto const after = digest();
    for (bool const known : {false, true}) {
      // A server that knows the catalogue refuses some of the moves before their script runs.
      if (known) ASSERT_TRUE(run(economy.catalogue(realm())));
      EXPECT_EQ(one.make(with_key(move("111"), "k")), first + ", again") << one.name;
      EXPECT_EQ(one.make(with_key(move("111"), "k", "another body")), "idempotency_conflict") << one.name;
    }
    EXPECT_EQ(digest(), after) << one.name;
  }
}

TEST_F(IdempotencyKeys, a_replay_does_not_make_a_key_live_longer) {
  give("111", 10);
  told(economy.pay(with_key(move("111"), "k"), user("222"), amount(1)));
  cli({"EXPIRE", kept_key, "100"});
  told(economy.pay(with_key(move("111"), "k"), user("222"), amount(1)));
  EXPECT_TRUE(lives(kept_key, 100));
  cli({"DEL", kept_key});  // after 24 hours
  EXPECT_EQ(told(economy.pay(with_key(move("111"), "k"), user("222"), amount(1))), "=8 to =2");
}

TEST_F(IdempotencyKeys, a_refusal_that_no_script_gave_is_not_kept) {
  open();
  auto const before = digest();
  for (auto const& told_first : {told(economy.trade(with_key(move("111"), "k"), user("222"), "nothing", 1)),
                                 told(economy.use(with_key(move("111"), "k"), "herb", {})),
                                 told(economy.claim(with_key(move("111"), "k"), "hourly")),
                                 told(economy.pay(with_key(move("111"), "k"), user("111"), amount(1)))}) {
    EXPECT_EQ(told_first.find("again"), told_first.npos) << told_first;
  }
  EXPECT_EQ(digest(), before);
}

TEST_F(IdempotencyKeys, a_key_is_its_realm_s) {
  auto other = with_key(move("111"), "k");
  other.realm = realm("other");
  EXPECT_EQ(told(economy.claim(with_key(move("111"), "k"), "daily")), "+32 =32");
  EXPECT_EQ(told(economy.claim(other, "daily")), "+32 =32");
  EXPECT_EQ(told(economy.claim(other, "daily")), "+32 =32, again");
  EXPECT_EQ(cli({"EXISTS", kept_key, "{other}:" + kept_key}), "2");
}

}  // namespace
}  // namespace larder::economy
