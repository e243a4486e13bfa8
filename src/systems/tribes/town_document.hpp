// A town as JSON: the document of the original Pizza Tribes game, and what the API shows of it.
//
// The members are those of the original, in its order. Whole coins and pizzas are rounded down. A last member
// `larder` has what the original lacks: `at`, `coinUnits` and `pizzaUnits` (the fractions, in units), and, if
// not empty or false, `arrivals` and `ruin`. Elements of the queues also have further members: `cost`,
// `target` and `seed` (as a string, since it has 64 bits). Times are game time in milliseconds. Buildings and
// educations are numbers.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/time.hpp"
#include "systems/tribes/tribes_types.hpp"
#include "systems/tribes/world_clock.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace larder::tribes {

// `timestamp_s` is the moment of the update, in Unix seconds.
std::string to_document(Town const& town, std::int64_t timestamp_s);

// Reads what to_document has written, exactly. Also reads a document of the original game, which has no
// member `larder` and no levels: its fractions are 0, its levels are 1, and it is advanced to `at_default`.
// A corrupt document is refused, and the error names the member.
Result<Town> from_document(std::string_view text, UserId user, GameMs at_default = {});

// The town as the API shows it: the members of the original, with queue times and tap times in Unix
// milliseconds of real time. `now` becomes the timestamp.
json::object view(Town const& town, WorldClock const& clock, TimeMs now);

}  // namespace larder::tribes
