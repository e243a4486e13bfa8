// Turns real time into game time and back. A world at speed s is the same game, s times faster.
#pragma once

#include "base/time.hpp"
#include "systems/tribes/tribes_types.hpp"

#include <cstdint>

namespace larder::tribes {

inline constexpr std::int64_t speed_max = 10'000;

struct WorldClock {
  TimeMs base_real;  // at this moment, game time was base_game
  GameMs base_game;
  std::int64_t speed = 1;  // 1 to speed_max

  // Before base_real, and after the end of game time, the clock stands still.
  GameMs game_at(TimeMs real) const;
  // The first moment at which game time has reached `game`. For a moment before base_game it is the moment at
  // which it would have been, if the speed had always been the same.
  TimeMs real_at(GameMs game) const;
  // The clock with another speed from `now` on. Time that has passed stays passed.
  WorldClock with_speed(std::int64_t new_speed, TimeMs now) const;

  friend bool operator==(WorldClock const&, WorldClock const&) = default;
};

}  // namespace larder::tribes
