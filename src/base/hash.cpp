#include "base/hash.hpp"

#include "base/error.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace larder {

namespace {

using Digest = std::array<unsigned char, 32>;

std::string to_hex(Digest const& bytes) {
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
  // OpenSSL uses what the processor offers for it, but would look the algorithm up by its name in each call.
  static EVP_MD const* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  Digest digest{};
  LARDER_ASSERT(algorithm &&
                EVP_Digest(text.data(), text.size(), digest.data(), nullptr, algorithm, nullptr) == 1);
  return to_hex(digest);
}

std::string hmac_sha256_hex(std::string_view key, std::string_view text) {
  Digest digest{};
  LARDER_ASSERT(HMAC(EVP_sha256(), key.data(), int(key.size()),
                     reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data(),
                     nullptr));
  return to_hex(digest);
}

std::string key_hash(std::string_view text) { return sha256_hex(text).substr(0, key_hash_chars); }

}  // namespace larder
