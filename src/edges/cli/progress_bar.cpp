#include "edges/cli/progress_bar.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <unistd.h>

namespace larder::cli {

namespace {

constexpr auto line_every = std::chrono::seconds(10);
constexpr auto bar_every = std::chrono::milliseconds(200);
constexpr int bar_width = 30;

// Without overflow for any number of bytes that a disk can have.
int percent_of(std::uint64_t done, std::uint64_t total) {
  return total == 0 ? 0 : int(std::min(100.0, 100.0 * double(done) / double(total)));
}

}  // namespace

std::string bar_of(std::uint64_t done, std::uint64_t total) {
  auto const percent = percent_of(done, total);
  auto const full = std::size_t(percent * bar_width / 100);
  return fmt::format("[{}{}] {:>3} %", std::string(full, '#'), std::string(bar_width - full, '-'), percent);
}

std::string in_bytes(std::uint64_t bytes) {
  constexpr std::array<char const*, 4> units{"KiB", "MiB", "GiB", "TiB"};
  constexpr double kibi = 1024;
  if (bytes < std::uint64_t(kibi)) return fmt::format("{} bytes", bytes);
  double value = double(bytes) / kibi;
  std::size_t unit = 0;
  for (; value >= kibi && unit + 1 < units.size(); ++unit) value /= kibi;
  return fmt::format("{:.1f} {}", value, units.at(unit));
}

ProgressBar::ProgressBar(std::string step)
    : step_(std::move(step)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + (terminal_ ? bar_every : line_every)) {}

ProgressBar::~ProgressBar() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::show(std::uint64_t done, std::uint64_t total) {
  auto const now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? bar_every : line_every);
  shown_ = true;
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{} {}", total == 0 ? "..." : bar_of(done, total), step_);
    std::fflush(stderr);
  } else {
    fmt::print(stderr, "{}{}\n", step_, total == 0 ? "" : fmt::format(": {} %", percent_of(done, total)));
  }
}

}  // namespace larder::cli
