// The life of one town while nobody acts: time passes, and what is in its queues completes.
#pragma once

#include "systems/tribes/rules.hpp"
#include "systems/tribes/tribes_types.hpp"

#include <cstdint>
#include <optional>

namespace larder::tribes {

// A heist arrives. It changes two towns, so only resolve_heist of heist.hpp takes a town past it.
struct Encounter {
  GameMs at;
  UserId attacker;
  UserId target;
  friend bool operator==(Encounter const&, Encounter const&) = default;
};

// A new town: no mice, no pizzas, no buildings, and the coins that the rules give.
Town found_town(UserId user, Field field, Rules const& rules, GameMs at);

// The account was deleted. The mice at home and in training leave, so a ruin has no guards, and what was
// being built is never finished. Coins and pizzas stay. Heists that are on their way continue: thieves of the
// ruin come back to it with their loot.
void make_ruin(Town& town);

// Applies production, and completes constructions, trainings and the thieves' ways back, each at its own
// time. At the same millisecond, constructions come first, then trainings, then thieves. `to` must not be
// before town.at, nor after the next encounter. It can be the moment of the encounter itself.
//
// A finished house, or a higher level of a house, adds its new beds as uneducated mice. A razed house removes
// as many mice at home as it had beds: uneducated first, then chefs, salesmice, guards and thieves.
void advance(Town& town, Rules const& rules, GameMs to);

// The earliest end of a construction, a training or a way back.
std::optional<GameMs> next_completion(Town const& town);

// The earliest heist that arrives here or that the town has sent. At the same millisecond, the attacker with
// the smaller id comes first. If a town has several travels that arrive at the same millisecond, the order of
// the queue counts. So all towns agree on one order of all encounters.
std::optional<Encounter> next_encounter(Town const& town);

// The first moment at which the town owns the coins of the goal, if nobody acts; town.at if it owns them now.
// Nothing if that is not until `horizon`, or not before the next encounter.
std::optional<GameMs> goal_reached_at(Town town, Rules const& rules, GameMs horizon);

// When the town must be advanced next: at its next completion or encounter, when it reaches the goal, and at
// the latest when the rules want an update, which is earlier while somebody is watching. Updates that only
// the rules want are at least `gap_ms` of game time apart: this is the game time that passes in the least
// real time between two updates. A town that already owns the coins of the goal is not due for the goal.
GameMs next_due(Town const& town, Rules const& rules, bool watched, std::int64_t gap_ms);

// Adds to a stock or to a group of mice, up to the limit.
void add_coins(Town& town, std::int64_t whole);
void add_pizzas(Town& town, std::int64_t whole);
void add_mice(std::int64_t& group, std::int64_t mice);

}  // namespace larder::tribes
