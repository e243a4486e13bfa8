#include "kit/accounts/player_ids.hpp"

#include "base/error.hpp"

#include <sodium.h>

#include <algorithm>

namespace larder::accounts {

namespace {

constexpr std::string_view alphabet = "0123456789abcdefghijklmnopqrstuv";
constexpr unsigned bits_per_char = 5;
constexpr unsigned time_bits = 42;
constexpr unsigned id_bits = 96;
constexpr unsigned padding_bits = player_id_chars * bits_per_char - id_bits;

using Bits = unsigned __int128;

}  // namespace

UserId new_player_id(TimeMs now) {
  LARDER_ASSERT(now.value >= 0 && now.value < std::int64_t(1) << time_bits);  // until the year 2109
  std::uint64_t chance = 0;
  randombytes_buf(&chance, sizeof chance);
  constexpr unsigned chance_bits = id_bits - time_bits;
  Bits bits = Bits(now.value) << chance_bits | (chance >> (64 - chance_bits));
  bits <<= padding_bits;
  std::string text(player_id_chars, '0');
  for (auto at = text.rbegin(); at != text.rend(); ++at) {
    *at = alphabet[std::size_t(bits % alphabet.size())];
    bits >>= bits_per_char;
  }
  return UserId::from(text).value();
}

bool is_player_id(std::string_view text) {
  constexpr std::size_t last_step = 1U << padding_bits;
  return text.size() == player_id_chars && text.find_first_not_of(alphabet) == std::string_view::npos &&
         alphabet.find(text.back()) % last_step == 0;
}

TimeMs time_of_player_id(std::string_view id) {
  LARDER_ASSERT(is_player_id(id));
  Bits bits = 0;
  for (char const c : id) bits = bits << bits_per_char | alphabet.find(c);
  return {std::int64_t(bits >> (player_id_chars * bits_per_char - time_bits))};
}

std::string random_base32(std::size_t chars) {
  std::string text(chars, '0');
  std::ranges::generate(text, [] { return alphabet[randombytes_uniform(std::uint32_t(alphabet.size()))]; });
  return text;
}

}  // namespace larder::accounts
