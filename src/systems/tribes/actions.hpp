// What a player can do in a town. Each rule has one error code, and the rules are checked in the order in
// which a function lists them. A refused action leaves the town unchanged.
//
// A town must be advanced to the moment of the action, and the encounters of that moment must be resolved.
//
// Constructions queue. So construct, upgrade and raze look at a lot as it will be when its queued work is
// done: a lot whose construction is queued is taken and can be upgraded, several levels can be queued at
// once, and on a lot that is going to be razed a new building can be queued.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "systems/tribes/rules.hpp"
#include "systems/tribes/tribes_types.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace larder::tribes {

namespace errors {
inline constexpr ErrorCode lot_taken{ErrorKind::conflict, "lot_taken"};
inline constexpr ErrorCode lot_empty{ErrorKind::conflict, "lot_empty"};
inline constexpr ErrorCode lot_busy{ErrorKind::conflict, "lot_busy"};
inline constexpr ErrorCode max_level{ErrorKind::conflict, "max_level"};
inline constexpr ErrorCode queue_full{ErrorKind::conflict, "queue_full"};
inline constexpr ErrorCode not_enough_coins{ErrorKind::conflict, "not_enough_coins"};
inline constexpr ErrorCode no_school{ErrorKind::conflict, "no_school"};
inline constexpr ErrorCode too_few_uneducated{ErrorKind::conflict, "too_few_uneducated"};
inline constexpr ErrorCode not_tappable{ErrorKind::conflict, "not_tappable"};
inline constexpr ErrorCode tapped_too_soon{ErrorKind::conflict, "tapped_too_soon"};
inline constexpr ErrorCode not_cancellable{ErrorKind::conflict, "not_cancellable"};
inline constexpr ErrorCode no_such_element{ErrorKind::conflict, "no_such_element"};
}  // namespace errors

inline constexpr std::int64_t coordinate_max = 1'000'000;  // that an action may name

enum class Queue { construction, training, travel };
inline constexpr std::array<std::string_view, 3> queue_names = {"construction", "training", "travel"};

struct Construct {
  LotId lot;
  Building building = Building::kitchen;
  friend bool operator==(Construct const&, Construct const&) = default;
};
struct Upgrade {
  LotId lot;
  friend bool operator==(Upgrade const&, Upgrade const&) = default;
};
struct Raze {
  LotId lot;
  friend bool operator==(Raze const&, Raze const&) = default;
};
struct Train {
  Education education = Education::chef;
  std::int64_t amount = 1;
  friend bool operator==(Train const&, Train const&) = default;
};
struct Steal {
  Field field;
  std::int64_t thieves = 1;
  friend bool operator==(Steal const&, Steal const&) = default;
};
struct Tap {
  LotId lot;
  friend bool operator==(Tap const&, Tap const&) = default;
};
struct Cancel {
  Queue queue = Queue::construction;
  std::int64_t index = 0;  // counted from 0
  friend bool operator==(Cancel const&, Cancel const&) = default;
};
using Action = std::variant<Construct, Upgrade, Raze, Train, Steal, Tap, Cancel>;

// Reads {"type": "construct", "lot": "1", "building": "kitchen"} and so on. Strict: a refusal has the name of
// the field. Whether the rules allow the action is not checked here.
Result<Action> parse_action(json::value const& body);
// parse_action reads it back.
json::object to_json(Action const& action);

// "construct", "upgrade", ...
std::string_view type_of(Action const& action);

// The lot as it will be when its queued work is done.
std::optional<Lot> planned_lot(Town const& town, LotId lot);

// Refusals: lot_taken, queue_full, not_enough_coins (with `needs`, the whole price).
// The first building of a kind has its own price and time: no building of that kind is finished or queued.
Result<void> construct(Town& town, Rules const& rules, Construct const& action);
// Refusals: lot_empty, max_level, queue_full, not_enough_coins (with `needs`).
Result<void> upgrade(Town& town, Rules const& rules, Upgrade const& action);
// Refusals: lot_empty, queue_full, not_enough_coins (with `needs`).
Result<void> raze(Town& town, Rules const& rules, Raze const& action);
// Refusals: no_school, too_few_uneducated, not_enough_coins (with `needs`), queue_full.
Result<void> train(Town& town, Rules const& rules, Train const& action);
// Refusals: lot_empty, not_tappable, tapped_too_soon (with `seconds_left` of game time, rounded up).
Result<void> tap(Town& town, Rules const& rules, Tap const& action);
// Takes an element out of its queue. One that has begun (the first construction, or any training) is refunded
// in part, one that has not is refunded in full. Later constructions move forward. Mice in training are
// uneducated again. Refusals: not_cancellable (a travel), no_such_element, lot_busy (later work on the same
// lot is queued and builds on this element: cancel that first).
Result<void> cancel(Town& town, Rules const& rules, Cancel const& action);

// Does any action but Steal, which needs two towns: see heist.hpp.
Result<void> act(Town& town, Rules const& rules, Action const& action);

}  // namespace larder::tribes
