// Numbers with their words, for the output of commands.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace larder::cli {

// "1 town", "3 towns"
inline std::string counted(std::integral auto count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// "no differences", "1 difference"
inline std::string differences(std::integral auto count) {
  return count == 0 ? "no differences" : counted(count, "difference");
}

}  // namespace larder::cli
