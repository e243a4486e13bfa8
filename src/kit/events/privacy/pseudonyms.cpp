#include "kit/events/privacy/pseudonyms.hpp"

#include "base/error.hpp"
#include "stores/redis/slot.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <span>
#include <stdexcept>

namespace larder::privacy {

namespace {

constexpr std::size_t key_bytes = crypto_auth_hmacsha256_KEYBYTES;
constexpr std::size_t shown_chars = 16;  // five bits each
constexpr int partitions = 1024;

std::array<unsigned char, key_bytes> bytes_of(std::string const& hex) {
  std::array<unsigned char, key_bytes> bytes{};
  std::size_t size = 0;
  if (sodium_hex2bin(bytes.data(), bytes.size(), hex.data(), hex.size(), nullptr, &size, nullptr) != 0 ||
      size != key_bytes)
    throw std::runtime_error("the key of the pseudonyms in SQL is damaged");
  return bytes;
}

std::string base32_of(std::span<unsigned char const> bytes) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuv";
  std::string text;
  unsigned buffer = 0;
  int bits = 0;
  for (auto const byte : bytes) {
    buffer = (buffer << 8U) | byte;
    for (bits += 8; bits >= 5 && text.size() < shown_chars; bits -= 5)
      text += digits[(buffer >> unsigned(bits - 5)) & 31U];
  }
  return text;
}

int partition_of_id(std::string_view id) { return redis::crc16(id) % partitions; }

}  // namespace

std::string find_pseudonym_key(sql::Session& session) {
  auto const rows = session.query("SELECT secret FROM privacy_key WHERE name = 'pseudonyms'");
  return rows.empty() ? std::string() : rows[0].text(0);
}

std::string keep_pseudonym_key(sql::Session& session, TimeMs now) {
  std::array<unsigned char, key_bytes> secret{};
  crypto_auth_hmacsha256_keygen(secret.data());
  std::string hex(2 * secret.size() + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), secret.data(), secret.size());
  hex.pop_back();
  sql::Values const row{"pseudonyms", hex, now.value};
  session.bulk_insert("privacy_key", {"name", "secret", "made_ms"}, {&row, 1}, sql::OnConflict::ignore);
  return find_pseudonym_key(session);  // another server may have been first
}

UserId pseudonym_of(std::string const& key, UserId const& user, int life) {
  auto const secret = bytes_of(key);
  auto const partition = partition_of_id(user.str());
  for (int attempt = 0;; ++attempt) {
    auto const text = fmt::format("{} {} {}", user.str(), life, attempt);
    std::array<unsigned char, crypto_auth_hmacsha256_BYTES> digest{};
    crypto_auth_hmacsha256(digest.data(), reinterpret_cast<unsigned char const*>(text.data()), text.size(),
                           secret.data());
    auto const shown = fmt::format("{}{}", pseudonym_prefix, base32_of(digest));
    if (partition_of_id(shown) == partition) return UserId::from(shown).value();
  }
}

}  // namespace larder::privacy
