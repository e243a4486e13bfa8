// A second implementation of Redis' math.random, so that tests know every roll beforehand.
#pragma once

#include <cstdint>

namespace larder::economy {

// drand48: the upper 31 of 48 bits, scaled to the requested range.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : state_((std::uint64_t(seed) << 16U) | 0x330eU) {}

  // A whole number from `low` to `high`.
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    constexpr std::uint64_t largest = 2'147'483'647;
    state_ = (state_ * 0x5deece66dU + 0xbU) & 0xffffffffffffU;
    auto const part = double((state_ >> 17U) % largest) / double(largest);
    return low + std::int64_t(part * double(high - low + 1));
  }

 private:
  std::uint64_t state_;
};

// The first seed for which the predicate is true.
template <class F>
std::uint32_t seed_where(F likes) {
  for (std::uint32_t seed = 1;; ++seed) {
    Dice dice(seed);
    if (likes(dice)) return seed;
  }
}

}  // namespace larder::economy
