// Shows the progress of a long command on a terminal.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace larder::cli {

// One line on stderr that is overwritten with each update. Prints nothing if stderr is not a terminal.
class ProgressLine {
 public:
  ~ProgressLine() { clear(); }

  template <class Text>
  void show(Text text) {
    auto const now = std::chrono::steady_clock::now();
    if (!terminal_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    fmt::print(stderr, "\r\x1b[K{}", text(std::chrono::duration<double>(now - begin_).count()));
    shown_ = true;
  }
  void clear() {
    if (std::exchange(shown_, false)) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = begin_;
};

inline std::string per_second(std::int64_t count, double seconds) {
  return fmt::format("{:.0f} a second", double(count) / std::max(seconds, 0.001));
}

}  // namespace larder::cli
