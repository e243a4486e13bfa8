#include "base/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace larder {

void assertion_failed(char const* expression, char const* file, int line) {
  std::fprintf(stderr, "larder: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace larder
