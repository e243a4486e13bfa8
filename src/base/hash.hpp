// Hashes for names and comparisons. Do not use them for passwords.
#pragma once

#include <string>
#include <string_view>

namespace larder {

// The SHA-256 of `text` as 64 lower-case hex digits.
std::string sha256_hex(std::string_view text);

// The HMAC-SHA256 of `text` under `key` as 64 lower-case hex digits.
std::string hmac_sha256_hex(std::string_view key, std::string_view text);

// For free text in a Redis key: 32 lower-case hex digits, so that the text cannot name another key.
inline constexpr std::size_t key_hash_chars = 32;
std::string key_hash(std::string_view text);

}  // namespace larder
