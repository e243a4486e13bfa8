#include "base/random.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <sys/random.h>
#include <vector>

namespace larder {

namespace {

void fill(void* out, std::size_t bytes) {
  // For up to 256 bytes, getrandom never returns only a part.
  LARDER_ASSERT(bytes <= 256 && ::getrandom(out, bytes, 0) == ssize_t(bytes));
}

}  // namespace

Seed random_seed() {
  Seed seed;
  fill(&seed.value, sizeof seed.value);
  return seed;
}

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> raw(bytes);
  fill(raw.data(), bytes);
  return fmt::format("{:02x}", fmt::join(raw, ""));
}

}  // namespace larder
