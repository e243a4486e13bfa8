// Discord's ids. A key is made of ids, so nothing else may pass for one.
#pragma once

#include "base/number.hpp"
#include "base/time.hpp"

#include <optional>
#include <string_view>

namespace larder::cache {

// A 64-bit number in decimal digits, without leading zeros.
inline bool is_snowflake(std::string_view text) {
  if (text.empty() || text.size() > 20 || (text.front() == '0' && text.size() > 1)) return false;
  for (char const c : text) {
    if (c < '0' || c > '9') return false;
  }
  return parse_int<std::uint64_t>(text).has_value();
}

// The id in a JSON string; nothing if the value is something else.
inline std::optional<std::string_view> id_in(std::string_view value) {
  if (value.size() < 3 || value.front() != '"') return std::nullopt;
  auto const id = value.substr(1, value.size() - 2);
  return is_snowflake(id) ? std::optional(id) : std::nullopt;
}

inline std::uint64_t number_of(std::string_view snowflake) { return *parse_int<std::uint64_t>(snowflake); }

// When Discord made the id.
inline TimeMs time_of(std::string_view snowflake) {
  constexpr std::int64_t discord_epoch_ms = 1'420'070'400'000;
  return TimeMs{std::int64_t(number_of(snowflake) >> 22) + discord_epoch_ms};
}

// Orders ids by their numbers.
inline bool is_older(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// An invite or template code.
bool is_code(std::string_view text);
// How a key names an emoji: the id of a custom emoji, or the name of any other one, which has 1 to 64 bytes
// and neither a colon nor a control character.
bool is_emoji_name(std::string_view text);

}  // namespace larder::cache
