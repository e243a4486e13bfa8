#include "systems/tribes/world_clock.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace larder::tribes {

GameMs WorldClock::game_at(TimeMs real) const {
  if (real <= base_real) return base_game;
  auto const passed = (__int128(real.value) - base_real.value) * speed;
  return base_game + std::int64_t(std::min<__int128>(passed, game_ms_max));
}

TimeMs WorldClock::real_at(GameMs game) const {
  auto const ahead = game - base_game;
  // The quotient is rounded up: a division of whole numbers rounds a negative quotient up by itself.
  return base_real + (ahead > 0 ? (ahead + speed - 1) / speed : ahead / speed);
}

WorldClock WorldClock::with_speed(std::int64_t new_speed, TimeMs now) const {
  LARDER_ASSERT(new_speed >= 1 && new_speed <= speed_max);
  return {.base_real = std::max(now, base_real), .base_game = game_at(now), .speed = new_speed};
}

}  // namespace larder::tribes
