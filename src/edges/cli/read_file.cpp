#include "edges/cli/read_file.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

namespace larder::cli {

std::string read_file(std::string const& file, std::string_view what) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in.peek() != std::char_traits<char>::eof()) text << in.rdbuf();  // rdbuf() of an empty file would fail
  if (!in.is_open() || in.bad() || !text) {
    auto const why = std::error_code(errno, std::generic_category()).message();
    throw SetupError(fmt::format("cannot read the {} {}: {}", what, file, why));
  }
  return text.str();
}

}  // namespace larder::cli
