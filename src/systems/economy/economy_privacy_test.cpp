// Exports and forgets players.
#include "systems/economy/economy_privacy.hpp"

#include "kit/events/privacy/pseudonyms.hpp"
#include "kit/events/privacy/search_test.hpp"
#include "systems/economy/economy_rebuild.hpp"
#include "systems/economy/economy_scripts.hpp"
#include "systems/economy/economy_test.hpp"
#include "systems/economy/player_keys.hpp"
#include "systems/economy/reserved_words.hpp"

namespace larder::economy {
namespace {

constexpr std::string_view forgotten_id = "80351110224678912";
constexpr std::string_view forgotten_name = "Secretname \"the\" \u00fcst";

class PlayerPrivacyTest : public EconomyTest {
 protected:
  static UserId forgotten() { return user(forgotten_id); }
  static UserId pseudonym(int life = 0) {
    return privacy::pseudonym_of(std::string(64, '7'), forgotten(), life);
  }
  static Move in(std::string_view name, std::string_view player) {
    return {.realm = realm(name), .player = user(player)};
  }

  // Everything that a player can have, in two realms.
  void live() {
    give(forgotten_id, 5000);
    give("222", 900);
    for (auto const* const item : {":bomb:", ":chopsticks:", ":cross:", ":herb:", ":athletic_shoe:"}) {
      give(forgotten_id, item, 5);
      give("222", item, 5);
    }
    open();
    for (int i = 0; i < 10; ++i) run(economy.farm(move(forgotten_id), std::string(forgotten_name)));
    run(economy.farm(move("222"), "bob"));
    EXPECT_TRUE(run(economy.pay(move(forgotten_id), user("222"), amount(40))));
    EXPECT_TRUE(run(economy.pay(with_key(move("222"), "key"), forgotten(), amount(7))));
    run(economy.trade(move("222"), forgotten(), ":herb:", 1));
    EXPECT_TRUE(run(economy.claim(move(forgotten_id), "daily")));
    EXPECT_TRUE(run(economy.plant_bomb(move(forgotten_id), 20'000)));
    auto const catalogue = run(economy.catalogue(realm())).value();
    for (auto const& item : catalogue->items) run(economy.use(move(forgotten_id), item.id, {}));
    run(economy.use(with_key(move("222"), "radar"), ":chopsticks:", {}));
    run(economy.discombobulate(move("222"), forgotten(), amount(800)));
    run(economy.create(realm("guild")));
    run(economy.farm(in("guild", forgotten_id), std::string(forgotten_name)));
    run(economy.farm(in("guild", "333"), "eve"));
    EXPECT_TRUE(run(economy.plant_bomb(move("222"), 300)));
  }
  template <class F>
  void while_projecting(F work) {
    Background projecting(io, redis, sql, clock, {.stream_events = 100}, metrics);
    run(projecting.start());
    work();
    run(projecting.stop());
  }
  void forget(int life = 0) {
    while_projecting([&] {
      run(forget_user(redis, background.shared().journal,
                      {.user = forgotten(), .pseudonym = pseudonym(life)}));
    });
  }
  std::string everything() { return privacy::redis_text(server) + privacy::sql_text(sql); }
  void expect_forgotten() {
    auto const all = everything();
    EXPECT_EQ(privacy::lines_with(all, forgotten_id), "");
    EXPECT_EQ(privacy::lines_with(all, "Secretname"), "");
  }
  Lines all_differences() {
    auto found = differences();
    for (auto& line : differences("guild")) found.push_back(std::move(line));
    return found;
  }
};

TEST_F(PlayerPrivacyTest, afterwards_nothing_of_the_player_is_left_and_everything_fits) {
  live();
  auto const points = balance(forgotten_id);
  auto const shoes = count(forgotten_id, ":athletic_shoe:");
  forget();
  expect_forgotten();
  EXPECT_EQ(all_differences(), Lines{});
  EXPECT_EQ(balance(pseudonym().str()), points);
  EXPECT_EQ(count(pseudonym().str(), ":athletic_shoe:"), shoes);
  EXPECT_EQ(cli({"ZSCORE", "bombs", std::string(forgotten_id)}), "");
  EXPECT_NE(cli({"ZSCORE", "bombs", pseudonym().str()}), "");
}

TEST_F(PlayerPrivacyTest, a_repetition_changes_nothing) {
  live();
  forget();
  auto const tables = privacy::sql_text(sql);
  auto const keys_before = keys();
  forget();
  EXPECT_EQ(privacy::sql_text(sql), tables);
  EXPECT_EQ(keys(), keys_before);
}

TEST_F(PlayerPrivacyTest, who_comes_back_is_somebody_else) {
  live();
  forget();
  run(economy.farm(move(forgotten_id), "newname"));
  auto const points = balance(forgotten_id);
  forget();
  EXPECT_EQ(balance(forgotten_id), points);  // it was another life that was forgotten
  EXPECT_EQ(all_differences(), Lines{});
  forget(1);
  expect_forgotten();
  EXPECT_EQ(all_differences(), Lines{});
}

// A crash: the player's keys have changed hands, but SQL does not know yet.
TEST_F(PlayerPrivacyTest, a_job_that_was_cut_off_goes_on) {
  live();
  RealmKeys const keys_of_realm(realm());
  auto const ends = run(player_key_ends(redis, keys_of_realm, forgotten()));
  while_projecting([] {});
  run(redis.run(redis::Use::write, scripts::forget_player(keys_of_realm, forgotten(), pseudonym(), ends)));
  run(economy.farm(move(forgotten_id), "newname"));  // meanwhile somebody new begins
  auto const points = balance(forgotten_id);
  forget();
  EXPECT_EQ(balance(forgotten_id), points);
  EXPECT_EQ(all_differences(), Lines{});
  EXPECT_EQ(privacy::lines_with(everything(), "Secretname"), "");
}

TEST_F(PlayerPrivacyTest, a_rebuild_gives_the_forgotten_state) {
  live();
  forget();
  test::RedisServer other;
  redis::Redis other_redis{
      io, {.url = redis::parse_url(other.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
  auto const report = run(rebuild(other_redis, background.shared().journal,
                                  {.problem = [](std::string const& line) { ADD_FAILURE() << line; }}));
  EXPECT_EQ(report.problems, 0);
  EXPECT_EQ(privacy::lines_with(privacy::redis_text(other), forgotten_id), "");
  EXPECT_EQ(other.cli({"ZSCORE", "lb", pseudonym().str()}), balance(pseudonym().str()));
  Lines found;
  run(verify(other_redis, background.shared().journal, run(all_realms(other_redis)),
             {.difference = [&](std::string const& line) { found.push_back(line); }}));
  EXPECT_EQ(found, Lines{});
}

// Other systems take such ids, so an operator may forget such a user.
TEST_F(PlayerPrivacyTest, what_larder_uses_itself_is_no_player_who_is_forgotten_or_exported) {
  live();
  while_projecting([] {});
  cli({"SET", "user:1", "an account"});
  auto const before = everything();
  while_projecting([&] {
    for (auto const word : reserved_players) {
      run(forget_user(redis, background.shared().journal, {.user = user(word), .pseudonym = pseudonym()}));
      run(export_user(redis, background.shared().journal, user(word),
                      [&](std::string_view, json::object const& object) {
                        ADD_FAILURE() << word << " " << json::serialize(object);
                      }));
    }
  });
  EXPECT_EQ(everything(), before);
}

TEST_F(PlayerPrivacyTest, a_number_that_looks_like_the_id_stays) {
  for (std::string const id : {"5", "222"}) give(id, 500);
  open();
  auto const paid = run(economy.pay(with_key(move("222"), "paid"), user("5"), amount(5)));
  run(economy.pay(move("222"), user("333"), amount(5)));
  run(economy.plant_bomb(move("222"), 5));
  while_projecting([&] {
    run(forget_user(redis, background.shared().journal, {.user = user("5"), .pseudonym = pseudonym()}));
  });
  auto const again = run(economy.pay(with_key(move("222"), "paid"), user("5"), amount(5)));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->replayed);
  EXPECT_EQ(again->what.balance, paid->what.balance);
  EXPECT_EQ(balance(pseudonym().str()), "505");
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(PlayerPrivacyTest, an_export_has_what_the_player_has) {
  live();
  std::map<std::string, int> sections;
  std::string text;
  while_projecting([&] {
    run(export_user(redis, background.shared().journal, forgotten(),
                    [&](std::string_view section, json::object const& object) {
                      ++sections[std::string(section)];
                      text += json::serialize(object);
                    }));
  });
  EXPECT_EQ(sections["players"], 2);
  EXPECT_GT(sections["events"], 10);
  EXPECT_GT(sections["states"], 1);
  EXPECT_NE(text.find("Secretname"), std::string::npos);
  EXPECT_NE(text.find(":athletic_shoe:"), std::string::npos);
}

}  // namespace
}  // namespace larder::economy
