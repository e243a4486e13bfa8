// Heists: thieves of one town steal coins from another. These functions are the only ones that change two
// towns.
#pragma once

#include "base/error.hpp"
#include "base/random.hpp"
#include "systems/tribes/rules.hpp"
#include "systems/tribes/town.hpp"
#include "systems/tribes/tribes_types.hpp"

#include <cstdint>

namespace larder::tribes {

namespace errors {
inline constexpr ErrorCode own_town{ErrorKind::conflict, "own_town"};
inline constexpr ErrorCode not_enough_thieves{ErrorKind::conflict, "not_enough_thieves"};
inline constexpr ErrorCode target_busy{ErrorKind::conflict, "target_busy"};
// Two documents contradict each other: one of them is corrupt.
inline constexpr ErrorCode heist_unknown{ErrorKind::internal, "heist_unknown"};
}  // namespace errors

// The time that thieves need for one way: ceil(travel_ms_per_field x distance), without rounding errors.
std::int64_t travel_ms(Field from, Field to, Rules const& rules);

// Sends thieves, at least one. Both towns must be advanced to the same moment. The attacker gets a Travel and
// the target gets an Arrival. Refusals: own_town, not_enough_thieves, queue_full (travels of the attacker),
// target_busy (arrivals of the target). If refused, both towns are unchanged.
Result<void> send_heist(Town& attacker, Town& target, Rules const& rules, std::int64_t thieves, Seed seed);

// All that the reports of both sides need.
struct HeistResult {
  Encounter encounter;
  std::int64_t thieves = 0;
  std::int64_t caught = 0;
  std::int64_t guards = 0;
  std::int64_t loot = 0;  // coins
  Seed seed;
  std::int64_t successful() const { return thieves - caught; }
};

// The thieves arrive. Both towns must be advanced to exactly that moment, and the encounter must be the next
// one of both. Each thief draws from the heist's seed, and those who fail are caught and lost. The others
// take the loot: the rules' coins for each of them, or all whole coins of the target, if it has fewer. Their
// way back starts at this moment; if all were caught, there is none. A ruin can be robbed like any town; it
// has no guards. Refusal: heist_unknown, if the towns do not both have this heist. Then both are unchanged.
Result<HeistResult> resolve_heist(Town& attacker, Town& target, Rules const& rules,
                                  Encounter const& encounter);

}  // namespace larder::tribes
