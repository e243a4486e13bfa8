#include "edges/cli/read_file.hpp"

#include "base/read_file.hpp"

namespace larder::cli {

namespace {

constexpr std::size_t bytes_max = 4 * 1024 * 1024;

}  // namespace

std::string read_file(std::string const& file, std::string_view what) {
  return larder::read_file(file, what, bytes_max);
}

}  // namespace larder::cli
