// Hashes for names and comparisons; passwords have their own.
#pragma once

#include <string>
#include <string_view>

namespace larder {

// 64 lower-case hex digits.
std::string sha256_hex(std::string_view text);

}  // namespace larder
