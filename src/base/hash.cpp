#include "base/hash.hpp"

#include <sodium.h>

#include <array>

namespace larder {

std::string sha256_hex(std::string_view text) {
  // For a text this short, OpenSSL 3 takes four times as long: it looks up its algorithm again in each call.
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), reinterpret_cast<unsigned char const*>(text.data()), text.size());
  std::string hex(2 * digest.size(), '0');
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < digest.size(); ++i) {
    hex[2 * i] = digits[digest[i] >> 4U];
    hex[2 * i + 1] = digits[digest[i] & 15U];
  }
  return hex;
}

std::string key_hash(std::string_view text) { return sha256_hex(text).substr(0, key_hash_chars); }

}  // namespace larder
