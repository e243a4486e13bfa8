#include "base/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace larder {

ForeignRecord::ForeignRecord(std::string key)
    : std::runtime_error("the key " + key + " has a value that Larder did not write"), key_(std::move(key)) {}

Error ForeignRecord::refusal() const {
  Error error{.code = errors::foreign_record,
              .detail = std::string(what()) + "; look at it, then delete it or set it right"};
  error.more["key"] = key_;
  return error;
}

void assertion_failed(char const* expression, char const* file, int line) {
  std::fprintf(stderr, "larder: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace larder
