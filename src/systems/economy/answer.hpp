// What the script of a move answers, and what a refusal in it means.
#pragma once

#include "systems/economy/economy.hpp"

namespace larder::economy {

// Lines of text: "ok" or the name of a refusal, then what the move says.
struct Economy::Answer {
  Answer(std::string_view text, bool replayed);
  Answer(Answer const&) = delete;
  Answer(Answer&&) = default;
  Answer& operator=(Answer const&) = delete;
  Answer& operator=(Answer&&) = default;

  std::string_view text(std::size_t line) const;  // empty if there is none
  std::int64_t number(std::size_t line) const;    // throws std::runtime_error if it is none
  Roll roll(std::size_t line) const;              // "seed value value ..."
  std::size_t size() const { return lines_.size(); }
  // Of an answer that is not "ok".
  Error refusal() const;

  bool replayed = false;

 private:
  std::vector<char> text_;  // stays where it is when it is moved
  std::vector<std::string_view> lines_;
};

// What a call of a script is made of, beside its own.
struct Economy::Context {
  RealmKeys const& keys;
  Catalogue const& catalogue;
  TimeMs now;
};

}  // namespace larder::economy
