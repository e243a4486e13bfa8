#include "stores/redis/slot.hpp"

#include <array>

namespace larder::redis {

namespace {

constexpr std::array<std::uint16_t, 256> crc_table = [] {
  std::array<std::uint16_t, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned crc = byte << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000) ? (crc << 1) ^ 0x1021 : crc << 1;
    table[byte] = std::uint16_t(crc);
  }
  return table;
}();

}  // namespace

std::uint16_t crc16(std::string_view bytes) {
  std::uint16_t crc = 0;
  for (char c : bytes)
    crc = std::uint16_t((crc << 8) ^ crc_table[((crc >> 8) ^ static_cast<unsigned char>(c)) & 0xFF]);
  return crc;
}

int slot_of(std::string_view key) {
  auto const open = key.find('{');
  if (open != std::string_view::npos) {
    auto const close = key.find('}', open + 1);
    if (close != std::string_view::npos && close > open + 1) key = key.substr(open + 1, close - open - 1);
  }
  return crc16(key) % slot_count;
}

}  // namespace larder::redis
