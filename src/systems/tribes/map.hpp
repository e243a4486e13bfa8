// Where new towns are founded: on a random free field of the open zone nearest to the centre of the world.
#pragma once

#include "base/random.hpp"
#include "systems/tribes/rules.hpp"
#include "systems/tribes/tribes_types.hpp"

#include <optional>
#include <span>
#include <vector>

namespace larder::tribes {

// A square of fields. The zone {0, 0} has the field {0, 0}.
struct Zone {
  int x = 0;
  int y = 0;
  friend auto operator<=>(Zone const&, Zone const&) = default;
};

Zone zone_of(Field field, WorldMap const& world);

// All zones, nearest to the centre of the world first, by the distance between the centres. Zones with the
// same distance are ordered by y, then by x.
std::vector<Zone> zones_by_distance(WorldMap const& world);

// Draws a free field of the zone; each has the same chance. `taken` has the fields of all towns in the zone,
// ruins included, in any order. Nothing if the zone is not open: it has as many towns as the rules allow.
std::optional<Field> draw_field(Zone zone, std::span<Field const> taken, WorldMap const& world, Seed seed);

}  // namespace larder::tribes
