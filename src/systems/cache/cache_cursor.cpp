#include "systems/cache/cache_cursor.hpp"

#include "base/json.hpp"
#include "base/limits.hpp"
#include "base/number.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

namespace larder::cache {

namespace {

std::unexpected<Error> bad_cursor() {
  return invalid("cursor", "cursor must come from an earlier page of this list");
}

// In hex, a name needs no escapes in a URL.
std::string to_hex(std::string_view name) {
  std::string hex;
  for (unsigned char const c : name) hex += fmt::format("{:02x}", c);
  return hex;
}

std::optional<std::string> from_hex(std::string_view hex) {
  if (hex.empty() || hex.size() % 2 != 0) return std::nullopt;
  std::string name;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    unsigned value = 0;
    auto const [stop, code] = std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    if (code != std::errc{} || stop != hex.data() + i + 2) return std::nullopt;
    name.push_back(char(value));
  }
  return to_hex(name) == hex ? std::optional(name) : std::nullopt;
}

}  // namespace

std::string cursor_after(std::string_view name) {
  return is_snowflake(name) ? fmt::format("a{}", name) : fmt::format("x{}", to_hex(name));
}

Result<std::optional<std::string>> read_cursor_after(std::string_view cursor) {
  if (cursor.empty()) return std::nullopt;
  if (cursor.size() > limits::cursor_chars_max) return bad_cursor();
  auto const rest = cursor.substr(1);
  if (cursor.front() == 'a' && is_snowflake(rest)) return std::string(rest);
  auto name = cursor.front() == 'x' ? from_hex(rest) : std::nullopt;
  if (!name || !is_utf8(*name)) return bad_cursor();
  return name;
}

std::string ScanCursor::text() const { return fmt::format("s{}-{}", position, last); }

Result<ScanCursor> ScanCursor::read(std::string_view text) {
  if (text.empty()) return ScanCursor{};
  auto const dash = text.find('-');
  if (text.front() != 's' || text.size() > limits::cursor_chars_max || dash == std::string_view::npos) {
    return bad_cursor();
  }
  auto const position = text.substr(1, dash - 1);
  auto const last = text.substr(dash + 1);
  if (!is_snowflake(position) || (!last.empty() && !is_snowflake(last))) return bad_cursor();
  return ScanCursor{.position = number_of(position), .last = std::string(last)};
}

}  // namespace larder::cache
