// Parts of a catalogue that are off unless a game asks for them.
#include "base/json.hpp"
#include "systems/economy/small_game_test.hpp"

#include <gtest/gtest.h>

namespace larder::economy {
namespace {

std::string refused_field(std::string const& json) {
  auto const parsed = parse_catalogue(json);
  return parsed ? "no problem" : parsed.error().field;
}

TEST(CatalogueOptions, the_shipped_game_has_none_of_them) {
  auto const ajo = ajo_catalogue();
  EXPECT_EQ(ajo->farm.cooldown_s, 0);
  for (auto const& item : ajo->items) EXPECT_EQ(item.sell, 0) << item.id;
  for (auto const& reward : ajo->rewards) EXPECT_EQ(reward.time_zone, "") << reward.name;
  for (auto const* const word : {"cooldown_s", "sell", "time_zone"})
    EXPECT_FALSE(ajo->text.contains(word)) << word;
  EXPECT_EQ(ajo->version, "aa35d0ab6af4d772");
}

TEST(CatalogueOptions, are_read_and_written) {
  auto game = parsed(small_game(R"("drop_faces": 1)", R"("drop_faces": 1, "cooldown_s": 30)"));
  EXPECT_EQ(game->farm.cooldown_s, 30);
  EXPECT_TRUE(*parsed(game->text) == *game);
  game = parsed(small_game(R"("max_stack": 50,)", R"("max_stack": 50, "sell": 3,)"));
  EXPECT_EQ(game->find_item("fish")->sell, 3);
  EXPECT_TRUE(*parsed(game->text) == *game);
  game = parsed(small_game(R"("every_s": 60)", R"("every_s": 604800, "time_zone": "Europe/Berlin")"));
  EXPECT_EQ(game->rewards[0].time_zone, "Europe/Berlin");
  EXPECT_TRUE(*parsed(game->text) == *game);
}

TEST(CatalogueOptions, a_stated_default_makes_no_other_version) {
  auto const version = parsed(small_game())->version;
  EXPECT_EQ(parsed(small_game(R"("drop_faces": 1)", R"("drop_faces": 1, "cooldown_s": 0)"))->version,
            version);
  EXPECT_EQ(parsed(small_game(R"("max_stack": 50,)", R"("max_stack": 50, "sell": 0,)"))->version, version);
}

TEST(CatalogueOptions, wrong_values_are_refused_by_field) {
  auto const farm = [](std::string_view cooldown) {
    return small_game(R"("drop_faces": 1)", fmt::format(R"("drop_faces": 1, "cooldown_s": {})", cooldown));
  };
  for (auto const* const wrong : {"-1", "1.5", "\"5\"", "315360001"})
    EXPECT_EQ(refused_field(farm(wrong)), "farm.cooldown_s") << wrong;
  auto const fish = [](std::string_view sell) {
    return small_game(R"("max_stack": 50,)", fmt::format(R"("max_stack": 50, "sell": {},)", sell));
  };
  for (auto const* const wrong : {"-1", "1.5", "\"5\"", "9007199254740992"})
    EXPECT_EQ(refused_field(fish(wrong)), "items[0].sell") << wrong;
  auto const tide = [](std::string_view every_s, std::string_view zone) {
    return small_game(R"("every_s": 60)", fmt::format(R"("every_s": {}, "time_zone": {})", every_s, zone));
  };
  for (auto const* const wrong :
       {R"("")", R"("Europe/Atlantis")", "1", R"("GMT+3:07")", R"("europe berlin")"})
    EXPECT_EQ(refused_field(tide("86400", wrong)), "rewards[0].time_zone") << wrong;
  EXPECT_EQ(refused_field(tide("86400", R"("UTC")")), "no problem");
  EXPECT_EQ(refused_field(tide("86401", R"("UTC")")), "rewards[0].every_s");
  EXPECT_EQ(refused_field(tide("60", R"("UTC")")), "rewards[0].every_s");
}

TEST(CatalogueOptions, a_reward_named_farm_would_be_mistaken_for_the_cooldown_of_farms) {
  auto game = small_game(R"("name": "tide")", R"("name": "farm")");
  EXPECT_EQ(refused_field(game), "no problem");
  game.replace(game.find(R"("drop_faces": 1)"), 15, R"("drop_faces": 1, "cooldown_s": 5)");
  EXPECT_EQ(refused_field(game), "rewards[0].name");
}

}  // namespace
}  // namespace larder::economy
