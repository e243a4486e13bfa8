// The names that Discord's documentation gives to permissions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace larder::api {

// In the order of the bits. A bit without a name is left out.
std::vector<std::string_view> permission_names(std::uint64_t permissions);

}  // namespace larder::api
