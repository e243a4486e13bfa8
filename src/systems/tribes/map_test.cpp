#include "systems/tribes/map.hpp"

#include "systems/tribes/tribes_rules_test.hpp"

#include <gtest/gtest.h>

#include <set>

namespace larder::tribes {
namespace {

TEST(Map, a_zone_has_10_x_10_fields) {
  auto const& world = pizza_rules()->world;
  EXPECT_EQ(zone_of({.x = 0, .y = 0}, world), (Zone{0, 0}));
  EXPECT_EQ(zone_of({.x = 9, .y = 10}, world), (Zone{0, 1}));
  EXPECT_EQ(zone_of({.x = 109, .y = 50}, world), (Zone{10, 5}));
}

TEST(Map, zones_come_nearest_to_the_centre_first) {
  auto const zones = zones_by_distance(pizza_rules()->world);
  ASSERT_EQ(zones.size(), 121U);
  EXPECT_EQ(std::set<Zone>(zones.begin(), zones.end()).size(), 121U);
  std::vector<Zone> const first = {{5, 5}, {5, 4}, {4, 5}, {6, 5}, {5, 6},
                                   {4, 4}, {6, 4}, {4, 6}, {6, 6}, {5, 3}};
  EXPECT_EQ(std::vector<Zone>(zones.begin(), zones.begin() + 10), first);
  std::vector<Zone> const last = {{0, 0}, {10, 0}, {0, 10}, {10, 10}};
  EXPECT_EQ(std::vector<Zone>(zones.end() - 4, zones.end()), last);
}

TEST(Map, an_even_number_of_zones_has_four_in_the_centre) {
  auto const zones = zones_by_distance({.size = 40, .zone_size = 10, .towns_per_zone_max = 8});
  std::vector<Zone> const first = {{1, 1}, {2, 1}, {1, 2}, {2, 2}};
  EXPECT_EQ(std::vector<Zone>(zones.begin(), zones.begin() + 4), first);
}

TEST(Map, a_zone_is_filled_with_8_towns_on_different_fields) {
  auto const& world = pizza_rules()->world;
  std::vector<Field> taken;
  for (std::uint64_t i = 0; i < 8; ++i) {
    auto const field = draw_field({3, 7}, taken, world, {i});
    ASSERT_TRUE(field);
    EXPECT_EQ(zone_of(*field, world), (Zone{3, 7}));
    EXPECT_EQ(std::ranges::count(taken, *field), 0);
    taken.push_back(*field);
  }
  EXPECT_EQ(draw_field({3, 7}, taken, world, {}), std::nullopt);
}

TEST(Map, every_free_field_can_be_drawn_and_no_other) {
  WorldMap const world{.size = 4, .zone_size = 2, .towns_per_zone_max = 4};
  std::vector<Field> const taken = {{.x = 3, .y = 0}};
  std::map<Field, int> drawn;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed)
    ++drawn[draw_field({1, 0}, taken, world, {seed}).value()];
  EXPECT_EQ(drawn.size(), 3U);
  for (auto const& [field, times] : drawn) {
    EXPECT_EQ(zone_of(field, world), (Zone{1, 0}));
    EXPECT_NE(field, taken[0]);
    EXPECT_NEAR(times, 1'000, 150);
  }
  EXPECT_EQ(draw_field({1, 0}, taken, world, {5}), draw_field({1, 0}, taken, world, {5}));
}

TEST(Map, the_shipped_world_has_room_for_968_towns) {
  auto const& world = pizza_rules()->world;
  std::set<Field> towns;
  Random random(Seed{1});
  for (auto const zone : zones_by_distance(world)) {
    std::vector<Field> taken;
    while (auto const field = draw_field(zone, taken, world, {random.next()})) {
      taken.push_back(*field);
      towns.insert(*field);
    }
  }
  EXPECT_EQ(towns.size(), 968U);
}

}  // namespace
}  // namespace larder::tribes
