#include "kit/accounts/passwords.hpp"

#include "base/json.hpp"
#include "base/random.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <new>

namespace larder::accounts {

namespace {

constexpr unsigned long long passes = 2;
constexpr std::size_t memory_bytes = 19UL * 1024 * 1024;

// Keyboards write the same character in different forms, so the NFC form is hashed (RFC 8265).
std::string hash_of(std::string_view password) {
  auto const text = to_nfc(password);
  std::array<char, crypto_pwhash_STRBYTES> out = {};
  if (crypto_pwhash_str_alg(out.data(), text.data(), text.size(), passes, memory_bytes,
                            crypto_pwhash_ALG_ARGON2ID13) != 0) {
    throw std::bad_alloc();
  }
  return out.data();
}

bool is_hash_of(std::string const& hash, std::string_view password) {
  auto const text = to_nfc(password);
  return crypto_pwhash_str_verify(hash.c_str(), text.data(), text.size()) == 0;
}

}  // namespace

Result<void> check_password(std::string_view utf8, PlayerName const& name, std::string_view field) {
  auto const chars = count_chars(utf8);
  if (chars < limits::password_chars_min || chars > limits::password_chars_max) {
    return invalid(std::string(field), fmt::format("{} must have {} to {} characters", field,
                                                   limits::password_chars_min, limits::password_chars_max));
  }
  if (fold_name(utf8).find(name.key()) != std::string::npos) {
    return invalid(std::string(field), fmt::format("{} must not contain the username", field));
  }
  return {};
}

Passwords::Passwords(CpuPool& pool) : pool_(pool) {
  LARDER_ASSERT(sodium_init() >= 0);
  decoy_ = hash_of(random_hex(16));
}

Task<Result<std::string>> Passwords::hash(std::string password) {
  return pool_.run([password = std::move(password)] { return hash_of(password); });
}

Task<Result<bool>> Passwords::matches(std::string hash, std::string password) {
  bool const known = !hash.empty();
  return pool_.run(
      [known, hash = known ? std::move(hash) : decoy_, password = std::move(password), compared = compared_] {
        ++*compared;
        return is_hash_of(hash, password) && known;
      });
}

}  // namespace larder::accounts
