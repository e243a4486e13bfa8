// What the script of a move answers, and what a refusal in it means.
#pragma once

#include "systems/economy/economy.hpp"

namespace larder::economy {

// Lines of text: "ok" or the name of a refusal, then what the move says, read line by line. Every function
// that reads throws std::runtime_error, which names the script and the line, if the answer has another shape.
class Economy::Answer {
 public:
  Answer(std::string_view script, std::string_view text, bool replayed);
  Answer(Answer const&) = delete;
  Answer(Answer&&) = default;
  Answer& operator=(Answer const&) = delete;
  Answer& operator=(Answer&&) = default;

  std::string_view status() const { return status_; }  // "ok" or the name of a refusal
  bool replayed() const { return replayed_; }

  std::string_view text();
  std::int64_t number();
  bool flag();  // 1 or 0
  Roll roll();  // "seed value value ..."
  bool at_end() const { return left() == 0; }
  std::size_t left() const;  // lines
  // Nothing is left.
  void end() const;

  // Of an answer that is not "ok".
  Error refusal();

 private:
  [[noreturn]] void fail(std::string_view why) const;
  std::int64_t to_number(std::string_view text) const;
  std::string read_needs(Error& error);

  std::vector<char> text_;  // stays where it is when it is moved
  std::string_view script_;
  std::string_view status_;
  std::optional<std::string_view> rest_;  // none: all lines are read
  int line_ = 0;                          // that was read last, from 1
  bool replayed_ = false;
};

}  // namespace larder::economy
