#include "systems/economy/catalogue.hpp"

#include "base/json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace larder::economy {
namespace {

// The shipped catalogue with the value at a JSON pointer replaced, or with a member added.
std::string ajo_with(std::string_view pointer, std::string_view replacement) {
  auto game = parse_json(ajo_catalogue()->text).value();
  auto const last = pointer.rfind('/');
  auto& parent = game.at_pointer(pointer.substr(0, last));
  auto const name = pointer.substr(last + 1);
  auto& value =
      parent.is_array() ? parent.as_array().at(std::stoul(std::string(name))) : parent.as_object()[name];
  value = json::parse(replacement);
  return json::serialize(game);
}

std::string ajo_without(std::string_view section) {
  auto game = parse_json(ajo_catalogue()->text).value();
  game.as_object().erase(section);
  return json::serialize(game);
}

std::string read_file(std::string const& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(in) << path;
  return text.str();
}

// The field and the detail of the problem, in one line.
std::string said_of(Result<Catalogue> const& parsed) {
  return parsed ? "no problem" : parsed.error().field + " | " + parsed.error().detail;
}

TEST(Catalogue, ajo_has_the_items_of_the_original_game_in_its_order) {
  std::vector<Item> const expected = {
      {.id = ":sauropod:", .names = {"sauropod", "🦕"}, .max_stack = 1, .drop = 1, .craft = {}, .use = {}},
      {.id = ":chopsticks:",
       .names = {"chopsticks", "🥢"},
       .max_stack = 5,
       .drop = 250,
       .craft = {},
       .use = {.kind = UseKind::clear_vampire}},
      {.id = ":cross:",
       .names = {"cross", "✝️", "✝"},
       .max_stack = 10,
       .drop = 500,
       .craft = {{":herb:", 4}},
       .use = {.kind = UseKind::lower_vampire, .levels = 1}},
      {.id = ":bomb:",
       .names = {"bomb", "💣"},
       .max_stack = 1,
       .drop = 900,
       .craft = {},
       .use = {.kind = UseKind::bomb}},
      {.id = ":herb:", .names = {"herb", "🌿"}, .max_stack = 20, .drop = 4000, .craft = {}, .use = {}},
      {.id = ":reminder_ribbon:",
       .names = {"necklace", "ajo_necklace", "ribbon", "🎗️", "🎗"},
       .max_stack = 1,
       .craft = {{":garlic:", 50}},
       .use = {.kind = UseKind::guard}},
      {.id = ":athletic_shoe:",
       .names = {"shoe", "👟"},
       .max_stack = 1,
       .drop = 300,
       .craft = {},
       .use = {.kind = UseKind::effect, .effect = EffectKind::gain, .by = 1, .seconds = 600, .stacks = true}},
      {.id = ":eggplant:",
       .names = {"eggplant", "🍆"},
       .max_stack = 1,
       .drop = 300,
       .craft = {},
       .use = {.kind = UseKind::effect, .effect = EffectKind::discombobulate, .by = 31, .seconds = 600}},
      {.id = ":bone:", .names = {"bone", "🦴"}, .max_stack = 206, .drop = 2500, .craft = {}, .use = {}},
      {.id = ":tooth:", .names = {"tooth", "🦷"}, .max_stack = 32, .drop = 2000, .craft = {}, .use = {}},
      {.id = ":magic_wand:",
       .names = {"wand", "🪄"},
       .max_stack = 1,
       .tradable = false,
       .craft = {{":bone:", 5}, {":tooth:", 2}},
       .use = {.kind = UseKind::effect,
               .effect = EffectKind::vampire,
               .by = 12,
               .seconds = 7200,
               .on_target = true}},
      {.id = ":satellite:",
       .names = {"satellite", "📡"},
       .max_stack = 4,
       .craft = {{":gear:", 3}},
       .use = {.kind = UseKind::radar, .count = 5}},
      {.id = ":gear:",
       .names = {"gear", "⚙️", "⚙"},
       .max_stack = 20,
       .drop = 600,
       .craft = {{":garlic:", 15}},
       .use = {}},
  };
  auto const ajo = ajo_catalogue();
  ASSERT_EQ(ajo->items.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(ajo->items[i] == expected[i]) << expected[i].id;
  }
  EXPECT_EQ(ajo->drop_total(), 1 + 250 + 500 + 900 + 4000 + 300 + 300 + 2500 + 2000 + 600);
}

TEST(Catalogue, ajo_has_the_numbers_of_the_original_game) {
  auto const ajo = ajo_catalogue();
  EXPECT_EQ(ajo->currency, ":garlic:");
  EXPECT_TRUE(ajo->farm == (Farm{.gain = 1, .drop_balance_min = 50, .drop_faces = 100'000}));
  EXPECT_TRUE(ajo->vampire == (Vampire{.level_max = 69,
                                       .chance_first = 1,
                                       .chance_log10 = 20,
                                       .level_ttl_s = 600,
                                       .ttl_max_s = 7200,
                                       .damage_low_tenths = 12,
                                       .damage_low_max = 30,
                                       .damage_high_tenths = 20,
                                       .damage_high_max = 40}));
  EXPECT_TRUE(ajo->bomb == (Bomb{.damage_percent = 18, .timer_max_s = 28'800, .spread_s = 210}));
  EXPECT_TRUE(ajo->gamble == (Gamble{.win_one_in = 4, .win_faces = 100, .win_divisor = 40}));
  EXPECT_TRUE(
      ajo->discombobulate ==
      (Discombobulate{.offer_min_percent = 35, .damage_low = 69, .damage_high = 200, .lock_s = 1800}));
  EXPECT_EQ(ajo->inspect_fee, 10);
  EXPECT_TRUE(ajo->roulette == (Roulette{.chambers = 6, .ttl_s = 600}));
  std::vector<Reward> const rewards = {{"daily", 32, 86'400}, {"weekly", 256, 604'800}};
  EXPECT_TRUE(ajo->rewards == rewards);
  EXPECT_EQ(ajo_catalogue(), ajo) << "it is parsed once";
}

TEST(Catalogue, finds_an_item_by_whatever_a_player_may_call_it) {
  auto const ajo = ajo_catalogue();
  struct Case {
    std::string_view name;
    std::string_view id;  // empty: no item
  };
  std::vector<Case> const cases = {
      {":cross:", ":cross:"},
      {":CROSS:", ":cross:"},
      {"cross", ":cross:"},
      {"Cross", ":cross:"},
      {":Necklace:", ":reminder_ribbon:"},
      {"ribbon", ":reminder_ribbon:"},
      {"reminder_ribbon", ":reminder_ribbon:"},
      {":wand:", ":magic_wand:"},
      {"", ""},
      {":", ""},
      {"::", ""},
      {"::cross::", ""},
      {":cross", ""},
      {"cros", ""},
      {"crosses", ""},
      {":garlic:", ""},
  };
  for (auto const& [name, id] : cases) {
    auto const* item = ajo->find_item(name);
    EXPECT_EQ(item ? item->id : "", id) << name;
  }
}

TEST(Catalogue, finds_rewards_and_the_one_item_of_a_use) {
  auto const ajo = ajo_catalogue();
  ASSERT_TRUE(ajo->find_reward("weekly"));
  EXPECT_EQ(ajo->find_reward("weekly")->points, 256);
  EXPECT_FALSE(ajo->find_reward("monthly"));
  ASSERT_TRUE(ajo->find_use(UseKind::bomb));
  EXPECT_EQ(ajo->find_use(UseKind::bomb)->id, ":bomb:");
  ASSERT_TRUE(ajo->find_use(UseKind::guard));
  EXPECT_EQ(ajo->find_use(UseKind::guard)->id, ":reminder_ribbon:");
  auto const unguarded = parse_catalogue(ajo_with("/items/5/use", R"({"kind": "clear_vampire"})"));
  ASSERT_TRUE(unguarded) << said_of(unguarded);
  EXPECT_FALSE(unguarded->find_use(UseKind::guard));
}

TEST(Catalogue, its_text_is_the_same_catalogue_in_one_sorted_line) {
  auto const ajo = ajo_catalogue();
  EXPECT_TRUE(
      ajo->text.starts_with(R"({"bomb":{"damage_percent":18,"spread_s":210,"timer_max_s":28800},"curr)"));
  EXPECT_EQ(ajo->text.find('\n'), std::string::npos);
  EXPECT_EQ(ajo->version.size(), 16U);
  EXPECT_EQ(ajo->version.find_first_not_of("0123456789abcdef"), std::string::npos);
  auto const again = parse_catalogue(ajo->text);
  ASSERT_TRUE(again) << said_of(again);
  EXPECT_TRUE(*again == *ajo);
}

TEST(Catalogue, a_version_tells_whether_the_content_differs) {
  auto const file = read_file(LARDER_SOURCE_DIR "/src/systems/economy/ajo.json");
  auto const ajo = ajo_catalogue();
  auto items = json::parse(ajo->text).at("items").as_array();
  std::ranges::reverse(items);
  auto const reversed = json::serialize(items);
  struct Case {
    std::string fact;
    std::string text;
    bool same;
  };
  std::vector<Case> const cases = {
      {"the file as it is", file, true},
      {"other white space", "\n\t " + file + "  ", true},
      {"another order of names", ajo_with("/roulette", R"({"ttl_s": 600, "chambers": 6})"), true},
      {"another order of names, deeper",
       ajo_with("/rewards/0", R"({"every_s": 86400, "points": 32, "name": "daily"})"), true},
      {"a default that is said", ajo_with("/items/0/tradable", "true"), true},
      {"a number written in another way", ajo_with("/inspect/fee", "1e1"), true},
      {"another number", ajo_with("/inspect/fee", "11"), false},
      {"another order of items", ajo_with("/items", reversed), false},
      {"another name", ajo_with("/items/0/names", R"(["sauropod", "dino"])"), false},
  };
  for (auto const& test : cases) {
    auto const parsed = parse_catalogue(test.text);
    ASSERT_TRUE(parsed) << test.fact << ": " << said_of(parsed);
    EXPECT_EQ(parsed->version == ajo->version, test.same) << test.fact;
    EXPECT_EQ(*parsed == *ajo, test.same) << test.fact;
  }
}

TEST(Catalogue, the_game_in_the_document_is_one) {
  auto const document = read_file(LARDER_SOURCE_DIR "/docs/catalogue.md");
  auto const start = document.find('\n', document.find("```json"));
  ASSERT_NE(start, std::string::npos);
  auto const game = parse_catalogue(document.substr(start, document.find("```", start) - start));
  ASSERT_TRUE(game) << said_of(game);
  EXPECT_EQ(game->currency, "🐚");
  ASSERT_TRUE(game->find_item("Roll"));
  EXPECT_EQ(game->find_item("Roll")->id, "🍣");
  EXPECT_FALSE(game->find_use(UseKind::bomb));
  auto const again = parse_catalogue(game->text);
  ASSERT_TRUE(again) << said_of(again);
  EXPECT_TRUE(*again == *game);
}

TEST(Catalogue, a_game_may_go_to_its_limits) {
  struct Case {
    std::string_view pointer;
    std::string_view value;
  };
  std::vector<Case> const cases = {
      {"/items", "[]"},
      {"/rewards", "[]"},
      {"/items/0/names", "[]"},
      {"/items/0/max_stack", "1000000000"},
      {"/items/0/id", R"("👩‍🚀")"},
      {"/items/0/id", R"("0123456789012345678901234567890123456789012345678901234567890123")"},
      {"/items/0/drop", "88650"},
      {"/items/5/craft/0/amount", "9007199254740991"},
      {"/items/2/craft/0/amount", "20"},
      {"/farm/gain", "0"},
      {"/bomb/spread_s", "0"},
      {"/bomb/timer_max_s", "315360000"},
      {"/discombobulate/lock_s", "0"},
      {"/discombobulate/damage_low", "200"},
      {"/discombobulate/offer_min_percent", "100000"},
      {"/gamble/win_one_in", "1"},
      {"/roulette/chambers", "1"},
      {"/rewards/0/name", R"("a23456789-123456789-123456789-12")"},
      {"/vampire/level_max", "10000"},
      {"/vampire/damage_high_max", "100"},
      {"/items/7/use/on", R"("self")"},
  };
  for (auto const& [pointer, value] : cases) {
    auto const parsed = parse_catalogue(ajo_with(pointer, value));
    EXPECT_TRUE(parsed) << pointer << ' ' << value << ": " << said_of(parsed);
  }
}

// A catalogue with a mistake, and the refusal that it gets.
struct Wrong {
  std::string text;
  std::string_view field;
  std::string_view detail;  // a part of the detail
};

std::vector<Wrong> wrong_sections() {
  return {
      {"", "", "malformed JSON"},
      {"[]", "", "JSON object"},
      {R"({"farm": {}, "farm": {}})", "farm", "twice"},
      {ajo_without("gamble"), "gamble", "is required"},
      {ajo_without("currency"), "currency", "is required"},
      {ajo_without("items"), "items", "is required"},
      {ajo_with("/farm", "7"), "farm", "JSON object"},
      {ajo_with("/colour", "7"), "colour", "not a known field"},
      {ajo_with("/farm/lotto", "7"), "farm.lotto", "not a known field"},
      {ajo_with("/farm/gain", "null"), "farm.gain", "is required"},
      {ajo_with("/farm/gain", "1.5"), "farm.gain", "whole number"},
      {ajo_with("/farm/gain", "-1"), "farm.gain", "from 0"},
      {ajo_with("/farm/gain", "\"1\""), "farm.gain", "whole number"},
      {ajo_with("/farm/drop_balance_min", "9007199254740992"), "farm.drop_balance_min",
       "to 9007199254740991"},
      {ajo_with("/farm/drop_faces", "0"), "farm.drop_faces", "from 1"},
      {ajo_with("/farm/drop_faces", "2147483648"), "farm.drop_faces", "to 1000000000"},
      {ajo_with("/currency", "\"\""), "currency", "1 to 64"},
      {ajo_with("/currency", "\"a b\""), "currency", "spaces"},
      {ajo_with("/vampire/level_max", "0"), "vampire.level_max", "from 1"},
      {ajo_with("/vampire/level_ttl_s", "0"), "vampire.level_ttl_s", "from 1 to 315360000"},
      {ajo_with("/vampire/damage_high_max", "101"), "vampire.damage_high_max", "to 100"},
      {ajo_with("/vampire/damage_low_max", "41"), "vampire.damage_low_max", "above damage_high_max"},
      {ajo_with("/vampire/damage_low_tenths", "21"), "vampire.damage_low_tenths", "above damage_high_tenths"},
      {ajo_with("/vampire/damage_high_tenths", "13"), "vampire.damage_low_tenths",
       "at level 1 there is no whole"},
      {ajo_with("/bomb/damage_percent", "101"), "bomb.damage_percent", "to 100"},
      {ajo_with("/bomb/spread_s", "1000001"), "bomb.spread_s", "to 1000000"},
      {ajo_with("/bomb/timer_max_s", "315360001"), "bomb.timer_max_s", "to 315360000"},
      {ajo_with("/gamble/win_one_in", "0"), "gamble.win_one_in", "from 1"},
      {ajo_with("/gamble/win_divisor", "0"), "gamble.win_divisor", "from 1"},
      {ajo_with("/gamble/win_faces", "1000001"), "gamble.win_faces", "to 1000000"},
      {ajo_with("/discombobulate/damage_low", "201"), "discombobulate.damage_low", "above damage_high"},
      {ajo_with("/discombobulate/damage_high", "100001"), "discombobulate.damage_high", "to 100000"},
      {ajo_with("/inspect/fee", "-1"), "inspect.fee", "from 0"},
      {ajo_with("/roulette/chambers", "1001"), "roulette.chambers", "to 1000"},
  };
}

std::vector<Wrong> wrong_rewards() {
  return {
      {ajo_with("/rewards", "{}"), "rewards", "array"},
      {ajo_with("/rewards/1", "5"), "rewards[1]", "JSON object"},
      {ajo_with("/rewards/1/name", "\"daily\""), "rewards[1].name", "taken"},
      {ajo_with("/rewards/1/name", "\"gain\""), "rewards[1].name", "players' keys"},
      {ajo_with("/rewards/1/name", "\"discombobulate-buff\""), "rewards[1].name", "players' keys"},
      {ajo_with("/rewards/1/name", "\"tokens\""), "rewards[1].name", "keys use"},
      {ajo_with("/rewards/1/name", "\"Weekly\""), "rewards[1].name", "a-z"},
      {ajo_with("/rewards/1/name", "\"7days\""), "rewards[1].name", "begin with a letter"},
      {ajo_with("/rewards/1/name", "\"a:b\""), "rewards[1].name", "a-z"},
      {ajo_with("/rewards/1/points", "0"), "rewards[1].points", "from 1"},
      {ajo_with("/rewards/1/every_s", "0"), "rewards[1].every_s", "from 1"},
      {ajo_with("/rewards/1/gift", "0"), "rewards[1].gift", "not a known field"},
  };
}

std::vector<Wrong> wrong_items() {
  std::string const cost = R"({"item": ":herb:", "amount": 1})";
  return {
      {ajo_with("/items/3", "\":bomb:\""), "items[3]", "JSON object"},
      {ajo_with("/items/3/colour", "1"), "items[3].colour", "not a known field"},
      {ajo_with("/items/3/id", "\"a\\nb\""), "items[3].id", "control characters"},
      {ajo_with("/items/3/id", "\"a\\u0085b\""), "items[3].id", "control characters"},
      {ajo_with("/items/3/id", "\"a\\u2003b\""), "items[3].id", "spaces"},
      {ajo_with("/items/3/id", "\"a\\u0000b\""), "items[3].id", "NUL"},
      {ajo_with("/items/3/id", '"' + std::string(65, 'x') + '"'), "items[3].id", "1 to 64"},
      {ajo_with("/items/3/id", "\"score_os\""), "items[3].id", "must not end with score_os"},
      {ajo_with("/items/3/id", "\"a:1:score\""), "items[3].id", "must not end with score,"},
      {ajo_with("/items/3/id", "\":garlic:\""), "items[3].id", "taken by currency"},
      {ajo_with("/items/3/id", "\":CROSS:\""), "items[3].id", "taken by items[2].id"},
      {ajo_with("/items/3/id", "\"cross\""), "items[3].id", "taken by items[2].id"},
      {ajo_with("/items/3/names/0", "\"cross\""), "items[3].names[0]", "cross is taken by items[2].id"},
      {ajo_with("/items/6/names/0", "\"ribbon\""), "items[6].names[0]", "taken by items[5].names[2]"},
      {ajo_with("/items/5/names/1", "\"necklace\""), "items[5].names[1]", "taken by items[5].names[0]"},
      {ajo_with("/items/3/names/0", "\"Bomb\""), "items[3].names[0]", "a-z"},
      {ajo_with("/items/3/names/0", "\"\""), "items[3].names[0]", "1 to 32"},
      {ajo_with("/items/3/names/0", "5"), "items[3].names[0]", "a-z"},
      {ajo_with("/items/3/names", "\"bomb\""), "items[3].names", "array"},
      {ajo_with("/items/3/max_stack", "0"), "items[3].max_stack", "from 1"},
      {ajo_with("/items/3/max_stack", "1000000001"), "items[3].max_stack", "to 1000000000"},
      {ajo_with("/items/3/tradable", "1"), "items[3].tradable", "true or false"},
      {ajo_with("/items/3/drop", "-1"), "items[3].drop", "from 0 to 100000"},
      {ajo_with("/items/3/drop", "100001"), "items[3].drop", "to 100000"},
      {ajo_with("/items/0/drop", "88651"), "items[12].drop", "with it all drops are 100001"},
      {ajo_with("/items/2/craft/0/item", "\":hreb:\""), "items[2].craft[0].item",
       "items[2].craft[0].item: there is no item :hreb:"},
      {ajo_with("/items/2/craft/0/item", "\"herb\""), "items[2].craft[0].item", "no item herb"},
      {ajo_with("/items/2/craft/0/item", "\":cross:\""), "items[2].craft[0].item", "of itself"},
      {ajo_with("/items/2/craft/0/amount", "0"), "items[2].craft[0].amount", "from 1"},
      {ajo_with("/items/2/craft/0/amount", "21"), "items[2].craft[0].amount", "more than 20 :herb:"},
      {ajo_with("/items/2/craft/0/price", "4"), "items[2].craft[0].price", "not a known field"},
      {ajo_with("/items/2/craft", "[]"), "items[2].craft", "1 to 20"},
      {ajo_with("/items/2/craft", '[' + cost + ',' + cost + ']'), "items[2].craft[1].item", "twice"},
  };
}

std::vector<Wrong> wrong_uses() {
  return {
      {ajo_with("/items/2/use", "\"guard\""), "items[2].use", "JSON object"},
      {ajo_with("/items/2/use/kind", "\"none\""), "items[2].use.kind", "one of clear_vampire"},
      {ajo_with("/items/2/use/kind", "\"dance\""), "items[2].use.kind", "one of clear_vampire"},
      {ajo_with("/items/2/use/levels", "0"), "items[2].use.levels", "from 1"},
      {ajo_with("/items/2/use/count", "1"), "items[2].use.count", "not a known field"},
      {ajo_with("/items/3/use/on", "\"target\""), "items[3].use.on", "not a known field"},
      {ajo_with("/items/2/use", R"({"kind": "bomb"})"), "items[3].use.kind", "only one item can be a bomb"},
      {ajo_with("/items/8/use", R"({"kind": "guard"})"), "items[8].use.kind", ":reminder_ribbon: is"},
      {ajo_with("/items/6/use/effect", "\"luck\""), "items[6].use.effect", "one of gain"},
      {ajo_with("/items/6/use/by", "0"), "items[6].use.by", "from 1"},
      {ajo_with("/items/10/use/by", "101"), "items[10].use.by", "to 100"},
      {ajo_with("/items/6/use/seconds", "0"), "items[6].use.seconds", "from 1"},
      {ajo_with("/items/6/use/stacks", "2"), "items[6].use.stacks", "true or false"},
      {ajo_with("/items/6/use/on", "\"guild\""), "items[6].use.on", "one of self, target"},
      {ajo_with("/items/11/use/count", "101"), "items[11].use.count", "to 100"},
  };
}

TEST(Catalogue, names_the_field_that_is_wrong) {
  for (auto const& cases : {wrong_sections(), wrong_rewards(), wrong_items(), wrong_uses()}) {
    for (auto const& test : cases) {
      auto const parsed = parse_catalogue(test.text);
      ASSERT_FALSE(parsed) << test.field << ' ' << test.detail;
      EXPECT_EQ(parsed.error().field, test.field) << said_of(parsed);
      EXPECT_NE(parsed.error().detail.find(test.detail), std::string::npos) << said_of(parsed);
    }
  }
}

TEST(Catalogue, has_at_most_500_items_and_50_rewards) {
  std::string items;
  std::string rewards;
  for (int i = 0; i <= 500; ++i) {
    items += fmt::format(R"({}{{"id":"item-{}","names":[],"max_stack":1}})", i ? "," : "[", i);
  }
  for (int i = 0; i <= 50; ++i) {
    rewards += fmt::format(R"({}{{"name":"reward-{}","points":1,"every_s":1}})", i ? "," : "[", i);
  }
  EXPECT_EQ(said_of(parse_catalogue(ajo_with("/items", items + ']'))),
            "items | items must be an array with 0 to 500 elements");
  EXPECT_EQ(said_of(parse_catalogue(ajo_with("/rewards", rewards + ']'))),
            "rewards | rewards must be an array with 0 to 50 elements");
}

}  // namespace
}  // namespace larder::economy
