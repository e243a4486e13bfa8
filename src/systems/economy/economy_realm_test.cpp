// Realms and their catalogues, and a Redis that was filled by hand.
#include "base/hash.hpp"
#include "systems/economy/economy_test.hpp"
#include "systems/economy/small_game_test.hpp"

namespace larder::economy {
namespace {

class Realms : public EconomyTest {
 protected:
  RealmKeys const default_keys{realm()};

  std::string version() { return cli({"GET", "catalogue"}); }
  std::set<std::string> catalogue_keys() {
    std::set<std::string> found;
    for (auto const& key : keys()) {
      if (key.starts_with("items:") || key.starts_with("craft:") || key == "drop-rate") found.insert(key);
    }
    return found;
  }
};

TEST_F(Realms, a_new_one_gets_the_shipped_catalogue_as_the_original_keeps_it) {
  EXPECT_EQ(keys(), std::set<std::string>{});
  open();
  EXPECT_EQ(cli({"TYPE", "drop-rate"}), "list");
  EXPECT_EQ(cli({"LRANGE", "drop-rate", "0", "8"}),
            ":sauropod:\n1\n1\n:chopsticks:\n250\n5\n:cross:\n500\n10");
  EXPECT_EQ(cli({"LLEN", "drop-rate"}), "30");
  EXPECT_EQ(cli({"TYPE", "items::cross:"}), "hash");
  EXPECT_EQ(cli({"HGETALL", "items::cross:"}), "max_stack\n10\ncurrency\n:herb:\nprice\n4");
  EXPECT_EQ(cli({"HGETALL", "items::chopsticks:"}), "max_stack\n5");
  EXPECT_EQ(cli({"TYPE", "craft::cross:"}), "list");
  EXPECT_EQ(cli({"LRANGE", "craft::reminder_ribbon:", "0", "-1"}), ":garlic:\n50");
  EXPECT_EQ(cli({"LRANGE", "craft::magic_wand:", "0", "-1"}), ":bone:\n5\n:tooth:\n2");
  EXPECT_EQ(catalogue_keys().size(), 1 + 13 + 5U);
  EXPECT_EQ(version(), ajo_catalogue()->version);
  EXPECT_EQ(cli({"GET", "catalogue-source"}), "start");
  EXPECT_EQ(cli({"SMEMBERS", "{larder}:economy:realms"}), "default");
  EXPECT_EQ(cli({"EXISTS", "lb"}), "0");
  EXPECT_EQ(all_events("ajobus"), Lines{});  // but it tells the catalogue, for a rebuild
}

TEST_F(Realms, a_catalogue_replaces_the_other_entirely) {
  open();
  load(parsed(small_game()));
  EXPECT_EQ(catalogue_keys(),
            (std::set<std::string>{"drop-rate", "items:fish", "items:sushi", "items:urchin", "items:crab",
                                   "craft:sushi", "craft:urchin", "craft:crab"}));
  EXPECT_EQ(cli({"LRANGE", "drop-rate", "0", "-1"}), "fish\n1\n50");
  EXPECT_EQ(version(), parsed(small_game())->version);
  EXPECT_EQ(cli({"GET", "catalogue-source"}), "command");
  load(ajo_catalogue());
  EXPECT_EQ(catalogue_keys().size(), 1 + 13 + 5U);
}

TEST_F(Realms, of_two_catalogues_that_come_at_once_one_replaces_the_other) {
  open();
  auto const one = parsed(small_game());
  auto const other = parsed(small_game(R"("roll")", R"("cross")"));
  std::vector<Task<CataloguePtr>> loads;
  for (auto const& catalogue : {one, other}) {
    loads.push_back(load_catalogue(redis, default_keys, catalogue, CatalogueSource::command));
  }
  run(when_all(std::move(loads)));
  EXPECT_TRUE(version() == one->version || version() == other->version) << version();
  EXPECT_EQ(run(read_catalogue(redis, RealmKeys(realm())))->version, version());
  EXPECT_EQ(catalogue_keys().size(), 1 + 4 + 3U);
}

TEST_F(Realms, a_start_keeps_what_a_command_gave_and_replaces_what_a_start_gave) {
  open();
  auto const changed = parsed(small_game());
  Background second(io, redis, sql, clock, {.catalogue = changed}, metrics);
  run(second.start());
  EXPECT_EQ(version(), changed->version);
  run(second.stop());

  auto const commanded = parsed(small_game(R"("gain": 2)", R"("gain": 9)"));
  load(commanded);
  Background third(io, redis, sql, clock, {.catalogue = changed}, metrics);
  run(third.start());
  EXPECT_EQ(version(), commanded->version);
  EXPECT_EQ(told(Economy(redis, third.shared()).farm(move("111"), "n")).substr(0, 5), "+9 =9");
  run(third.stop());
  run(background.start());
  EXPECT_EQ(version(), commanded->version);
  run(background.stop());
}

TEST_F(Realms, another_game_works_from_its_file_alone) {
  load(parsed(small_game()));
  EXPECT_EQ(told(economy.farm(move("111"), "n")), "+2 =2, found fish =1, vampire 1 -0");
  EXPECT_TRUE(lives("111:vampire", 20));
  EXPECT_EQ(told(economy.farm(move("111"), "n")), "+2 =4, found fish =2, vampire 2 -0");
  EXPECT_EQ(told(economy.claim(move("111"), "tide")), "+10 =14");
  EXPECT_TRUE(lives("111:tide", 60));
  EXPECT_EQ(told(economy.claim(move("111"), "tide")), R"(reward_not_ready {"seconds_left":60})");
  EXPECT_EQ(told(economy.claim(move("111"), "daily")), "reward_not_found");
  EXPECT_EQ(told(economy.craft(move("111"), "ROLL")), "sushi =1 balance 9");
  EXPECT_EQ(told(economy.use(move("111"), "sushi", {})), "sushi =0, gain 5 for 900");
  EXPECT_EQ(told(economy.farm(move("111"), "n")), "+5 =14, found fish =1, vampire 3 -0");
  EXPECT_EQ(told(economy.farm(move("111"), "n")), "+0 =14");  // level 4 is too high in this game
  EXPECT_EQ(told(economy.gamble(move("111"), amount(10))), "+5 =19");
  EXPECT_EQ(told(economy.craft(move("111"), "urchin")), "urchin =1 balance 18");
  EXPECT_EQ(told(economy.plant_bomb(move("111"), 61)), "invalid_request seconds");
  auto const planted = run(economy.plant_bomb(move("111"), 60)).value().what;
  EXPECT_EQ(planted.due - clock.now(), 60'000);
  clock.advance(60'000);
  run(economy.arm_bomb(run(economy.open(realm())).value(), user("111")));
  cli({"DEL", "111:vampire"});
  EXPECT_EQ(told(economy.farm(move("111"), "n")), "+0 =9, bomb of 111 -9");
  EXPECT_EQ(told(economy.craft(move("111"), "crab")), "crab =1 balance 8");
  EXPECT_EQ(told(economy.farm(move("111"), "n")), "+5 =13, found fish =2, vampire 1 -0 guarded");
  EXPECT_EQ(told(economy.pay(move("111"), user("222"), amount(3))), "=10 to =3");
  EXPECT_EQ(told(economy.discombobulate(move("111"), user("222"), amount(2))), "-2 =8 target =1 locked 0");
  EXPECT_EQ(cli({"EXISTS", "111:discombobulate"}), "0");
  EXPECT_EQ(told(economy.trade(move("111"), user("222"), "F", 2)), "fish =0 to =2");
  EXPECT_EQ(told(economy.inspect(move("111"), user("222"))), "=8 fish 2");
  auto const roulette = run(economy.start_roulette(move("x"))).value().what;
  EXPECT_TRUE(lives("roulette:" + roulette.str(), 30));
  EXPECT_EQ(told(economy.shoot(move("111"), roulette)), "shot -8 =0");
  EXPECT_EQ(told(economy.trade(move("111"), user("222"), "herb", 1)), "unknown_item");
  EXPECT_EQ(run(economy.player(realm(), user("111")))->cooldowns.contains("tide"), true);
  EXPECT_EQ(run(economy.catalogue(realm())).value()->items.size(), 4U);
  EXPECT_EQ(differences(), Lines{});
}

TEST_F(Realms, a_game_without_bombs_and_rewards_refuses_them) {
  auto const bare = small_game(R"("use": {"kind": "bomb"})", R"("use": {"kind": "clear_vampire"})");
  load(parsed(bare));
  EXPECT_EQ(told(economy.plant_bomb(move("111"), 1)), "unknown_item");
}

TEST_F(Realms, the_next_move_uses_a_catalogue_that_somebody_else_has_loaded) {
  EXPECT_EQ(told(economy.claim(move("111"), "daily")), "+32 =32");
  Background second(io, redis, sql, clock, {}, metrics);
  Economy other(redis, second.shared());
  EXPECT_EQ(told(other.claim(move("111"), "weekly")), "+256 =288");
  // Both servers know the old catalogue. Now a command changes it.
  auto const changed = parsed(small_game());
  load(changed);
  EXPECT_EQ(told(economy.gamble(move("111"), amount(2))), "+1 =289");
  EXPECT_EQ(told(other.claim(move("111"), "tide")), "+10 =299");           // unknown in the old catalogue
  EXPECT_EQ(told(other.claim(move("111"), "daily")), "reward_not_found");  // unknown in the new catalogue
  load(ajo_catalogue());
  EXPECT_EQ(run(economy.catalogue(realm())).value()->version, ajo_catalogue()->version);
  EXPECT_EQ(run(other.player(realm(), user("111")))->cooldowns.size(), 3U);
  EXPECT_EQ(told(other.craft(move("111"), "necklace")), ":reminder_ribbon: =1 balance 249");
}

TEST_F(Realms, moves_never_mix_two_catalogues) {
  // In one game, a farm gives 2 and finds fish. In the other game, it gives 7 and finds weed.
  auto const one = parsed(small_game());
  auto text = small_game(R"("gain": 2)", R"("gain": 7)");
  text.replace(text.find(R"("id": "fish", "names": ["f"])"), 28, R"("id": "weed", "names": ["f"])");
  text.replace(text.find(R"("item": "fish")"), 14, R"("item": "weed")");
  auto const two = parsed(text);
  load(one);
  Background second(io, redis, sql, clock, {}, metrics);
  Economy other(redis, second.shared());
  std::map<std::string, int> seen;
  auto const farm = [&](Economy& by, int first) -> Task<bool> {
    for (int i = first; i < first + 20; ++i) {
      ++seen[brief(co_await by.farm(move(fmt::format("p{}", i)), "n"))];
    }
    co_return true;
  };
  for (int round = 0; round < 20; ++round) {
    std::vector<Task<bool>> tasks;
    for (int i = 0; i < 10; ++i) tasks.push_back(farm(i % 2 ? economy : other, (round * 10 + i) * 20));
    bool loaded = false;
    asio::co_spawn(io, load_catalogue(redis, default_keys, round % 2 ? one : two, CatalogueSource::command),
                   [&](std::exception_ptr const&, CataloguePtr const&) { loaded = true; });
    run(when_all(std::move(tasks)));
    EXPECT_TRUE(loaded);
  }
  std::set<std::string> kinds;
  for (auto const& [what, times] : seen) kinds.insert(what);
  EXPECT_EQ(kinds, (std::set<std::string>{"+2 =2, found fish =1, vampire 1 -0",
                                          "+7 =7, found weed =1, vampire 1 -0"}));
}

TEST_F(Realms, a_named_one_has_its_prefix_on_every_key) {
  auto at = [&](std::string_view player) {
    auto made = move(player, seed_where([](Dice& dice) { return dice.draw(0, 99) == 0; }));
    made.realm = realm("guild-1");
    return made;
  };
  auto const hand = [&](Lines command) {
    command[1] = "{guild-1}:" + command[1];
    cli(command);
  };
  hand({"ZADD", "lb", "1000", "111"});
  hand({"HSET", "111:inventory", ":bomb:", "1", ":cross:", "1", ":athletic_shoe:", "1", ":eggplant:", "1",
        ":magic_wand:", "1", ":satellite:", "1", ":herb:", "9"});
  told(economy.farm(at("222"), "n"));
  told(economy.claim(at("111"), "daily"));
  told(economy.claim(with_key(at("111"), "k"), "weekly"));
  told(economy.pay(at("111"), user("222"), amount(10)));
  told(economy.gamble(at("111"), amount(1)));
  told(economy.plant_bomb(at("111"), 5));
  for (std::string const item : {"shoe", "eggplant", "satellite", "cross"})
    told(economy.use(at("111"), item, {}));
  told(economy.use(at("111"), "wand", user("222")));
  told(economy.trade(at("111"), user("222"), "herb", 1));
  told(economy.craft(at("111"), "cross"));
  told(economy.inspect(at("111"), user("222")));
  told(economy.discombobulate(at("111"), user("222"), amount(100)));
  auto const roulette = run(economy.start_roulette(at("111"))).value().what;
  clock.advance(1'000'000);
  run(background.start());
  EXPECT_TRUE(test::eventually(io, [&] { return cli({"EXISTS", "{guild-1}:bomb"}) == "1"; }));
  run(background.stop());
  std::set<std::string> expected{"{larder}:economy:realms"};
  for (auto const& key : std::vector<std::string>{"ajobus",
                                                  "ajobus-inventory",
                                                  "ajobus:projected",
                                                  "ajobus-inventory:projected",
                                                  "lb",
                                                  "drop-rate",
                                                  "catalogue",
                                                  "catalogue-data",
                                                  "catalogue-source",
                                                  "once:" + key_hash("k"),
                                                  "bomb",
                                                  "bomb-due",
                                                  "222",
                                                  "222:vampire",
                                                  "222:vampire-curse",
                                                  "222:inventory",
                                                  "111:inventory",
                                                  "111:daily",
                                                  "111:weekly",
                                                  "111:gain",
                                                  "111:discombobulate",
                                                  "111:discombobulate-buff"}) {
    expected.insert("{guild-1}:" + key);
  }
  expected.insert("{guild-1}:roulette:" + roulette.str());
  expected.insert("{larder}:economy:busy");
  for (auto const& item : ajo_catalogue()->items) {
    expected.insert("{guild-1}:items:" + item.id);
    if (!item.craft.empty()) expected.insert("{guild-1}:craft:" + item.id);
  }
  EXPECT_EQ(keys(), expected);
  EXPECT_EQ(differences("guild-1"), Lines{});
  EXPECT_EQ(cli({"SMEMBERS", "{larder}:economy:realms"}), "guild-1");
}

TEST_F(Realms, they_know_nothing_of_each_other) {
  auto other = move("111");
  other.realm = realm("other");
  load(parsed(small_game()), CatalogueSource::command, "other");
  EXPECT_EQ(told(economy.claim(move("111"), "daily")), "+32 =32");
  EXPECT_EQ(told(economy.claim(other, "tide")), "+10 =10");
  EXPECT_EQ(told(economy.claim(other, "daily")), "reward_not_found");
  EXPECT_EQ(run(economy.player(realm("other"), user("111")))->balance, 10);
  EXPECT_EQ(run(economy.leaderboard(realm("third"), 10, {}))->size(), 0U);
  EXPECT_EQ(cli({"SCARD", "{larder}:economy:realms"}), "2");
}

TEST_F(Realms, what_was_there_by_hand_becomes_openings) {
  give("111", 7);
  give("222", 4);
  give("111", ":cross:", 2);
  give("333", ":herb:", 1);
  cli({"ZADD", "lb", "0", "444"});
  // Some of it already has events, with and without version and guild. Some of the events are not true.
  cli({"XADD", "ajobus", "*", "user_id", "111", "amount", "5", "type", "farm"});
  cli({"XADD", "ajobus", "*", "version", "1", "type", "farm", "user_id", "222", "guild_id", "9", "amount",
       "4"});
  cli({"XADD", "ajobus", "*", "user_id", "555", "amount", "3", "type", "farm"});
  cli({"XADD", "ajobus-inventory", "*", "user_id", "111", "item", ":cross:", "quantity", "3", "type",
       "item_earned"});
  open();
  auto const points = all_events("ajobus");
  auto const items = all_events("ajobus-inventory");
  EXPECT_EQ(std::set(points.begin() + 3, points.end()),
            (std::set<std::string>{"version=1 type=opening user_id=111 guild_id=0 amount=2",
                                   "version=1 type=opening user_id=555 guild_id=0 amount=-3"}));
  EXPECT_EQ(std::set(items.begin() + 1, items.end()),
            (std::set<std::string>{"version=1 type=opening user_id=111 guild_id=0 item=:cross: quantity=-1",
                                   "version=1 type=opening user_id=333 guild_id=0 item=:herb: quantity=1"}));
  EXPECT_EQ(differences(), Lines{});
  load(parsed(small_game()));  // the opening happens only once
  EXPECT_EQ(all_events("ajobus").size(), 5U);
}

TEST_F(Realms, events_by_hand_that_make_no_sense_count_for_nothing) {
  give("111", 7);
  give("111", ":herb:", 2);
  auto const add = [&](std::string const& stream, Lines fields) {
    Lines command{"XADD", stream, "*"};
    command.insert(command.end(), fields.begin(), fields.end());
    cli(command);
  };
  for (std::string const& number :
       {"1.5", "1e3", "0x10", " 5", "many", "", "9007199254740992", "+5", "99999999999999999999"}) {
    add("ajobus", {"user_id", "111", "amount", number, "type", "farm"});
    add("ajobus-inventory", {"user_id", "111", "item", ":herb:", "quantity", number, "type", "item_earned"});
  }
  add("ajobus", {"user_id", "111", "type", "farm"});
  add("ajobus", {"amount", "5", "type", "farm"});
  add("ajobus", {"user_id", "1 1", "amount", "5", "type", "farm"});
  add("ajobus", {"user_id", std::string(65, '1'), "amount", "5", "type", "farm"});
  add("ajobus", {"user_id", "111", "amount", "5"});
  add("ajobus", {"user_id", "111", "amount", "5", "type", "farm", "version", "new"});
  add("ajobus", {"user_id", "111", "amount", "5", "type", "farm", "guild_id", "a guild"});
  add("ajobus", {"user_id", "111", "amount", "5", "type", std::string(65, 't')});
  add("ajobus", {"user_id", "111", "amount", "5", "type", "f\xff"});
  add("ajobus", {"user_id", "111", "amount", "5", "type", "farm", "note", "\xff\xfe"});
  add("ajobus-inventory", {"user_id", "111", "quantity", "1", "type", "item_earned"});
  add("ajobus-inventory",
      {"user_id", "111", "item", std::string(65, 'i'), "quantity", "1", "type", "item_earned"});
  open();
  EXPECT_EQ(differences(), Lines{});
  run(background.start());
  run(background.stop());
  EXPECT_EQ(differences(), Lines{});
  EXPECT_EQ(run(economy.player(realm(), user("111")))->balance, 7);
}

// Splits a line as redis-cli does: at spaces, except inside "..." and '...'.
Lines split_like_redis_cli(std::string_view line) {
  Lines words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char const c = line[i];
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote == '"' && i + 1 < line.size()) {
        word += line[++i];
      } else {
        word += c;
      }
    } else if (c == ' ') {
      if (inside) words.push_back(std::exchange(word, {}));
      inside = false;
    } else {
      inside = true;
      if (c == '"' || c == '\'') {
        quote = c;
      } else {
        word += c;
      }
    }
  }
  if (inside) words.push_back(word);
  return words;
}

// Every command in the description of the original ajo bot, in its order, without the comments after #.
constexpr std::string_view printed[] = {
    R"(set 111 "Zymna#0001")",
    R"(get 111)",
    R"(set 222 "Axl#0001")",
    R"(zincrby lb 7 "111")",
    R"(zincrby lb 4 "222")",
    R"(del drop-rate)",
    R"(rpush drop-rate ":cross:" 500 10)",
    R"(rpush drop-rate ":herb:" 1000 20)",
    R"(del items::cross:)",
    R"(hset items::cross: max_stack 10 currency ":herb:" price 4)",
    R"(hset items::reminder_ribbon: max_stack 10 currency ":garlic:" price 50)",
    R"(hset items::chopsticks: max_stack 1)",
    R"(del craft::cross:)",
    R"(rpush craft::cross: ":garlic:" 50)",
    R"(rpush craft::reminder_ribbon: ":herb:" 4)",
    R"(set 111:daily 1 ex 86400)",
    R"(set 111:weekly 1 ex 604800)",
    R"(set 111:vampire 1 EX 600)",
    R"(hincrby 111:inventory ":cross:" 1)",
    R"(hgetall 111:inventory)",
    R"(xadd "ajobus-inventory" "*" "user_id" 111 "item" ":cross:" "quantity" 1 "type" "item_earned")",
    R"(xadd "ajobus-inventory" "*" "user_id" 111 "item" ":cross:" "quantity" -1 "type" "trader")",
    R"(xadd "ajobus-inventory" "*" "user_id" 222 "item" ":cross:" "quantity" 1 "type" "tradee")",
    R"(xadd "ajobus" "*" "user_id" 111 "amount" 1 "type" "farm")",
    R"(xadd "ajobus" "*" "user_id" 111 "amount" 20 "type" "gamble")",
    R"(xadd "ajobus" "*" "user_id" 111 "amount" -20 "type" "discombobulator")",
    R"(xadd "ajobus" "*" "user_id" 111 "amount" -25 "type" "discombobulatee")",
    R"(zscore lb 222)",
    R"(zincrby lb -4 222)",
    R"(zincrby lb 4 111)",
    R"(ttl 222:daily)",
    R"(zincrby lb 32 222)",
    R"(set 222 1 EX 86400)",
};

TEST_F(Realms, a_redis_filled_with_the_commands_of_the_original_is_a_valid_start) {
  for (auto const& line : printed) {
    auto const answer = cli(split_like_redis_cli(line));
    EXPECT_EQ(answer.find("ERR"), answer.npos) << line << ": " << answer;
  }
  EXPECT_EQ(cli({"get", "111"}), "Zymna#0001");
  // 111 has 11 points and a cross. 222 has 32 points, and the name "1" for a day.
  auto const quiet = seed_where([](Dice& dice) { return dice.draw(0, 99) > 60; });
  EXPECT_EQ(told(economy.farm(move("111", quiet), "Zymna#0001")), "+1 =12");
  EXPECT_EQ(told(economy.farm(move("222", quiet), "Axl#0001")), "+1 =33");
  EXPECT_EQ(cli({"ttl", "222"}), "-1");
  EXPECT_TRUE(
      told(economy.claim(move("111"), "daily")).starts_with(R"(reward_not_ready {"seconds_left":86)"));
  EXPECT_EQ(told(economy.claim(move("222"), "daily")), "+32 =65");
  EXPECT_EQ(told(economy.pay(move("222"), user("111"), amount(4))), "=61 to =16");
  EXPECT_EQ(told(economy.trade(move("111"), user("222"), "cross", 1)), ":cross: =0 to =1");
  EXPECT_EQ(told(economy.use(move("222"), "cross", {})), "not_usable");
  EXPECT_EQ(told(economy.craft(move("222"), "necklace")), ":reminder_ribbon: =1 balance 11");
  EXPECT_EQ(differences(), Lines{});
  run(background.start());
  run(background.stop());
  EXPECT_EQ(differences(), Lines{});

  // With the commands in the description of the original ajo bot.
  EXPECT_EQ(cli({"get", "222"}), "Axl#0001");
  EXPECT_EQ(cli({"zscore", "lb", "222"}), "11");
  EXPECT_EQ(cli({"hgetall", "222:inventory"}), ":cross:\n1\n:reminder_ribbon:\n1");
  EXPECT_EQ(cli({"hgetall", "111:inventory"}), "");
  EXPECT_TRUE(lives("222:daily", 86'400));
  EXPECT_EQ(cli({"get", "222:daily"}), "1");
  EXPECT_EQ(cli({"get", "111:vampire"}), "1");
  EXPECT_EQ(events("ajobus").back(),
            "version=1 type=craft_fee user_id=222 guild_id=0 amount=-50 item=:reminder_ribbon:");
  EXPECT_EQ(events("ajobus-inventory").back(),
            "version=1 type=item_crafted user_id=222 guild_id=0 item=:reminder_ribbon: quantity=1");
}

}  // namespace
}  // namespace larder::economy
