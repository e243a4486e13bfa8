// Merge patches (RFC 7396).
#pragma once

#include "base/json.hpp"

namespace larder::api {

// What turns `before` into `after`: members that are new or different, and null for those that are gone. Has
// only what has changed, down to the innermost object. An array that is different is included as a whole.
// Neither object may have a member that is null, because a patch cannot express it.
json::object merge_patch(json::object const& before, json::object const& after);

}  // namespace larder::api
