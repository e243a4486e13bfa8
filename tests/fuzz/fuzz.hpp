// What the fuzzers share. A fuzzer calls code with bytes that libFuzzer invents, and asserts what must hold
// for all of them. tests/fuzz/run starts them.
#pragma once

#include "base/error.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace larder::fuzz {

inline std::string_view text_of(std::uint8_t const* data, std::size_t size) {
  return {reinterpret_cast<char const*>(data), size};  // NOLINT: libFuzzer hands out bytes
}

// Takes the first byte off the text: a choice that the fuzzer makes. 0 if the text is empty.
inline std::uint8_t take_byte(std::string_view& text) {
  if (text.empty()) return 0;
  auto const byte = static_cast<std::uint8_t>(text.front());
  text.remove_prefix(1);
  return byte;
}

// What a reader has found in bytes that came at once, and in the same bytes in pieces.
inline void expect_same(std::string_view at_once, std::string_view in_pieces) {
  if (at_once == in_pieces) return;
  fmt::print(stderr, "at once:\n{}\nin pieces:\n{}\n", at_once, in_pieces);
  LARDER_ASSERT(at_once == in_pieces);
}

}  // namespace larder::fuzz

// libFuzzer calls this function for each input.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);
