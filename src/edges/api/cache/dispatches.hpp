// Cuts a body into the events of Discord's gateway that it contains, without parsing them.
#pragma once

#include "base/error.hpp"

#include <string_view>
#include <vector>

namespace larder::api {

enum class BodyForm { json, lines };

// The texts of the dispatches in a body. A body of the form `json` is one object, or an array of values. A
// body of the form `lines` has one value per line; blank lines are skipped. A text need not be valid JSON:
// its reader checks that. So a malformed dispatch does not affect the others. Refuses a body that is neither
// an object nor an array, an array that does not end or is followed by anything, and more than
// limits::dispatches_max dispatches. The texts refer to the body.
Result<std::vector<std::string_view>> split_dispatches(std::string_view body, BodyForm form);

// The elements of an array, which begins with '['. Looks only at strings, brackets and commas.
Result<std::vector<std::string_view>> split_array(std::string_view text);

}  // namespace larder::api
