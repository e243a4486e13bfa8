// TOML settings: whatever is accepted can be dumped and read again, and everything else is refused in one
// line.
#include "base/config.hpp"
#include "fuzz/fuzz.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

namespace larder {

namespace {

// A file in memory, which can be opened by its path.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("settings", MFD_CLOEXEC)), path_(fmt::format("/proc/self/fd/{}", fd_)) {}
  std::string const& write(std::string_view text) const {
    LARDER_ASSERT(::ftruncate(fd_, 0) == 0);
    LARDER_ASSERT(::pwrite(fd_, text.data(), text.size(), 0) == ssize_t(text.size()));
    return path_;
  }

 private:
  int fd_;
  std::string path_;
};

// The settings after a file was read, as TOML. Throws SetupError.
std::string dumped(std::string_view text) {
  static MemoryFile const file;
  Config config;
  auto settings = server_settings(config);
  auto const more = log_settings(config);
  settings.insert(settings.end(), more.begin(), more.end());
  load_settings(settings, {.file = file.write(text), .environment = {}, .flags = {}});
  return dump_settings(settings);
}

}  // namespace

}  // namespace larder

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  std::string text;
  try {
    text = dumped(fuzz::text_of(data, size));
  } catch (SetupError const& error) {
    std::string_view const why = error.what();
    LARDER_ASSERT(!why.empty() && why.find('\n') == std::string_view::npos);
    return 0;
  }
  // A hidden password is not read again.
  if (text.find("***") == std::string::npos) LARDER_ASSERT(dumped(text) == text);
  return 0;
}
