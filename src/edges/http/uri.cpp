#include "edges/http/uri.hpp"

#include <cstdint>

namespace larder::http {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// What a first byte says: how many bytes follow (-1 if no character begins with it), and the least code point
// that needs that many bytes.
struct Lead {
  int following;
  std::uint32_t bits;
  std::uint32_t least;
};
Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {0, byte, 0};
  if ((byte & 0xE0) == 0xC0) return {1, byte & 0x1FU, 0x80};
  if ((byte & 0xF0) == 0xE0) return {2, byte & 0x0FU, 0x800};
  if ((byte & 0xF8) == 0xF0) return {3, byte & 0x07U, 0x10000};
  return {-1, 0, 0};
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    auto const [following, bits, least] = lead_of(static_cast<unsigned char>(text[i++]));
    if (following < 0 || text.size() - i < std::size_t(following)) return false;
    std::uint32_t point = bits;
    for (int k = 0; k < following; ++k, ++i) {
      auto const byte = static_cast<unsigned char>(text[i]);
      if ((byte & 0xC0) != 0x80) return false;
      point = point << 6 | (byte & 0x3FU);
    }
    bool const surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (point < least || point > 0x10FFFF || surrogate) return false;
  }
  return true;
}

std::optional<std::string> percent_decode(std::string_view text, Plus plus) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus == Plus::space) {
      out.push_back(' ');
    } else if (text[i] != '%') {
      out.push_back(text[i]);
    } else {
      if (text.size() - i < 3) return std::nullopt;
      int const high = hex_digit(text[i + 1]);
      int const low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out.push_back(char(high * 16 + low));
      i += 2;
    }
  }
  if (out.find('\0') != std::string::npos || !is_valid_utf8(out)) return std::nullopt;
  return out;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.~").find(c) != std::string_view::npos;
    if (plain) {
      out.push_back(c);
    } else {
      out += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return out;
}

}  // namespace larder::http
