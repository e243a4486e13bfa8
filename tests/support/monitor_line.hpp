// One line of MONITOR, which shows a command and who sent it:
//
//   1339518083.107412 [0 127.0.0.1:60866] "EVALSHA" "<sha>" "1" "key"
//   1339518083.107437 [0 lua] "SET" "key" "a value\n"
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace larder::test {

// The text must outlive the line.
class MonitorLine {
 public:
  explicit MonitorLine(std::string_view text);

  bool from_script() const { return from_script_; }
  // The words of the command, one after the other.
  std::optional<std::string> next_word();

 private:
  char next_char();  // after a backslash

  bool from_script_ = false;
  std::string_view words_;
};

}  // namespace larder::test
