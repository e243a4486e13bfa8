#include "base/hash.hpp"

#include "base/error.hpp"

#include <openssl/evp.h>

#include <array>

namespace larder {

std::string sha256_hex(std::string_view text) {
  // OpenSSL uses what the processor offers for it, but would look the algorithm up by its name in each call.
  static EVP_MD const* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  std::array<unsigned char, 32> digest{};
  LARDER_ASSERT(algorithm &&
                EVP_Digest(text.data(), text.size(), digest.data(), nullptr, algorithm, nullptr) == 1);
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
