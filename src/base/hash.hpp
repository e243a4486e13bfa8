// Hashes for names and comparisons; passwords have their own.
#pragma once

#include <string>
#include <string_view>

namespace larder {

// 64 lower-case hex digits.
std::string sha256_hex(std::string_view text);

// For free text in a Redis key: 32 lower-case hex digits, so that the text cannot name another key.
inline constexpr std::size_t key_hash_chars = 32;
std::string key_hash(std::string_view text);

}  // namespace larder
