// Shows how far a long command with several steps has come.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace larder::cli {

// On a terminal: a bar on stderr that is overwritten with each update. Otherwise: a line on stderr every ten
// seconds, so that a short step prints none.
class ProgressBar {
 public:
  // The step is the first word of the line: "copying larder.db".
  explicit ProgressBar(std::string step);
  ~ProgressBar();
  ProgressBar(ProgressBar const&) = delete;
  ProgressBar& operator=(ProgressBar const&) = delete;

  // If nobody knows how much there is to do, `total` is 0.
  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::string step_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

// "[#####---------------]  25 %"
std::string bar_of(std::uint64_t done, std::uint64_t total);
// "12 bytes", "3.4 MiB"
std::string in_bytes(std::uint64_t bytes);

}  // namespace larder::cli
