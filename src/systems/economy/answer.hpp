// The answer that the script of a move returns, and the refusals in it.
#pragma once

#include "systems/economy/economy.hpp"

namespace larder::economy {

// An answer is lines of text: "ok" or the name of a refusal, then the values of the move. The lines are read
// one after the other. Every function that reads throws std::runtime_error if the line is missing or has
// another form; the message names the script and the line.
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
  bool flag();              // 1 or 0
  Roll roll();              // "seed value value ..."
  std::string_view rest();  // all that is left, which may be several lines
  bool at_end() const { return left() == 0; }
  std::size_t left() const;  // in lines
  // Throws if a line is left.
  void end() const;

  // Reads the refusal. Call it only if status() is not "ok".
  Error refusal();

 private:
  [[noreturn]] void fail(std::string_view why) const;
  std::int64_t to_number(std::string_view text) const;
  std::string read_needs(Error& error);

  std::vector<char> text_;  // a vector, because its bytes stay in place when the answer is moved
  std::string_view script_;
  std::string_view status_;
  std::optional<std::string_view> rest_;  // none: all lines were read
  int line_ = 0;                          // the line that was read last; the first line is 1
  bool replayed_ = false;
};

// The refusal foreign_record, if a script met a value that Larder cannot have written; otherwise nothing.
std::optional<Error> foreign_value(redis::ReplyError const& error);
// The same for a script or command that only reads. Redis itself says that a key has another type.
std::optional<Error> foreign_value_read(redis::ReplyError const& error);

}  // namespace larder::economy
