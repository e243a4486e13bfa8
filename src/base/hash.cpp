#include "base/hash.hpp"

#include <sodium.h>

#include <array>
#include <span>

namespace larder {

namespace {

unsigned char const* bytes_of(std::string_view text) {
  return reinterpret_cast<unsigned char const*>(text.data());
}

std::string to_hex(std::span<unsigned char const> bytes) {
  std::string hex(2 * bytes.size(), '0');
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    hex[2 * i] = digits[bytes[i] >> 4U];
    hex[2 * i + 1] = digits[bytes[i] & 15U];
  }
  return hex;
}

}  // namespace

std::string sha256_hex(std::string_view text) {
  // For a text this short, OpenSSL 3 takes four times as long: it looks up its algorithm again in each call.
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), bytes_of(text), text.size());
  return to_hex(digest);
}

std::string hmac_sha256_hex(std::string_view key, std::string_view text) {
  crypto_auth_hmacsha256_state state;
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> digest{};
  crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
  crypto_auth_hmacsha256_update(&state, bytes_of(text), text.size());
  crypto_auth_hmacsha256_final(&state, digest.data());
  return to_hex(digest);
}

std::string key_hash(std::string_view text) { return sha256_hex(text).substr(0, key_hash_chars); }

}  // namespace larder
