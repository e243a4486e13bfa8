// Hash slots of Redis Cluster.
#pragma once

#include <cstdint>
#include <string_view>

namespace larder::redis {

inline constexpr int slot_count = 16384;

// CRC-16/XMODEM, as Redis Cluster uses it.
std::uint16_t crc16(std::string_view bytes);

// The slot of a key. If there is text between the first '{' and the next '}', only that text counts;
// otherwise the whole key counts.
int slot_of(std::string_view key);

}  // namespace larder::redis
