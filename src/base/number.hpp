// Whole numbers from text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace larder {

// Reads all of `text` as a decimal number. Returns nothing if `text` is not a number that fits.
template <class Number = std::int64_t>
std::optional<Number> parse_int(std::string_view text) {
  Number number = 0;
  auto const* const end = text.data() + text.size();
  auto const [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace larder
