// A number of points: a whole number from 0 to 2^53 - 1.
#pragma once

#include "base/limits.hpp"

#include <compare>
#include <cstdint>
#include <optional>

namespace larder {

class Amount {
 public:
  constexpr Amount() = default;
  static constexpr std::optional<Amount> from(std::int64_t value) {
    if (value < 0 || value > limits::amount_max) return std::nullopt;
    return Amount(value);
  }
  constexpr std::int64_t value() const { return value_; }
  friend auto operator<=>(Amount const&, Amount const&) = default;

 private:
  constexpr explicit Amount(std::int64_t value) : value_(value) {}
  std::int64_t value_ = 0;
};

}  // namespace larder
