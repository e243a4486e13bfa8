// Hashes for names and comparisons. Do not use them for passwords.
#pragma once

#include <string>
#include <string_view>

namespace larder {

// The SHA-256 of `text` as 64 lower-case hex digits.
std::string sha256_hex(std::string_view text);

}  // namespace larder
