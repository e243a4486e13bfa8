#include "base/read_file.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace larder {

namespace {

SetupError unreadable(std::string const& file, std::string_view what, int code) {
  return SetupError(
      fmt::format("cannot read the {} {}: {}", what, file, std::generic_category().message(code)));
}

}  // namespace

std::string read_file(std::string const& file, std::string_view what, std::size_t bytes_max) {
  int const fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw unreadable(file, what, errno);
  std::string text;
  std::array<char, 64 * 1024> portion;
  ssize_t bytes = 0;
  do {
    bytes = ::read(fd, portion.data(), portion.size());
    if (bytes > 0) text.append(portion.data(), std::size_t(bytes));
  } while (text.size() <= bytes_max && (bytes > 0 || (bytes < 0 && errno == EINTR)));
  int const code = errno;
  ::close(fd);
  if (bytes < 0) throw unreadable(file, what, code);
  if (text.size() > bytes_max)
    throw SetupError(fmt::format("the {} {} has more than {} bytes", what, file, bytes_max));
  return text;
}

}  // namespace larder
