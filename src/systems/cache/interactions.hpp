// How interactions are stored.
#pragma once

#include <string_view>

namespace larder::cache {

// What the user may do in a channel belongs to the interaction, not to the member or channel that carries it.
// So it is kept next to the ids, under a name of our own.
inline constexpr std::string_view kept_permissions = "larder_permissions";

// The members of `resolved` that are taken out.
inline constexpr std::string_view resolved_kinds[] = {"users", "members", "roles", "channels", "messages"};

}  // namespace larder::cache
