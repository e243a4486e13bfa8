#include "systems/tribes/map.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <tuple>

namespace larder::tribes {

Zone zone_of(Field field, WorldMap const& world) {
  auto const zone_size = int(world.zone_size);
  return {.x = field.x / zone_size, .y = field.y / zone_size};
}

std::vector<Zone> zones_by_distance(WorldMap const& world) {
  auto const side = int(world.size / world.zone_size);
  std::vector<Zone> zones;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) zones.push_back({.x = x, .y = y});
  }
  // In half zones, so that the centres are whole numbers.
  auto const distance = [side](Zone zone) {
    auto const dx = 2 * zone.x + 1 - side;
    auto const dy = 2 * zone.y + 1 - side;
    return dx * dx + dy * dy;
  };
  std::ranges::sort(zones, {}, [&](Zone zone) { return std::tuple(distance(zone), zone.y, zone.x); });
  return zones;
}

std::optional<Field> draw_field(Zone zone, std::span<Field const> taken, WorldMap const& world, Seed seed) {
  if (std::ssize(taken) >= world.towns_per_zone_max) return std::nullopt;
  auto const zone_size = std::size_t(world.zone_size);
  std::vector<bool> is_taken(zone_size * zone_size);
  for (auto const& field : taken) {
    LARDER_ASSERT(zone_of(field, world) == zone);
    is_taken[std::size_t(field.y) % zone_size * zone_size + std::size_t(field.x) % zone_size] = true;
  }
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < is_taken.size(); ++i) {
    if (!is_taken[i]) free.push_back(i);
  }
  LARDER_ASSERT(!free.empty());
  auto const drawn = free[Random(seed).below(free.size())];
  return Field{.x = int(std::size_t(zone.x) * zone_size + drawn % zone_size),
               .y = int(std::size_t(zone.y) * zone_size + drawn / zone_size)};
}

}  // namespace larder::tribes
