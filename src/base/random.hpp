// Chance is a parameter: the same seed draws the same numbers, so any roll can be checked afterwards.
#pragma once

#include <cstdint>
#include <string>

namespace larder {

struct Seed {
  std::uint64_t value = 0;
};

// The generator SplitMix64. Thread-compatible. Do not use it for secrets.
class Random {
 public:
  explicit Random(Seed seed) : state_(seed.value) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound), without the bias of a plain remainder. `bound` must not be 0.
  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t const threshold = -bound % bound;
    for (;;) {
      std::uint64_t const draw = next();
      if (draw >= threshold) return draw % bound;
    }
  }

  bool chance(std::uint64_t numerator, std::uint64_t denominator) { return below(denominator) < numerator; }

 private:
  std::uint64_t state_;
};

// A seed from the operating system.
Seed random_seed();

// `bytes` (at most 256) unpredictable bytes from the operating system, in lower-case hex. For tokens.
std::string random_hex(std::size_t bytes);

}  // namespace larder
