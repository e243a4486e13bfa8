// Checks that the parts of a catalogue fit together. Used when a catalogue is read.
#pragma once

#include "base/error.hpp"
#include "systems/economy/catalogue.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace larder::economy {

using Problem = std::optional<Error>;

// Makes an error. Its detail also names the field.
Problem wrong(std::string field, std::string_view detail);

char lower(char c);
bool same_word(std::string_view a, std::string_view b);
// Players may type an item in any case, with or without colons: ":Cross:" and "cross" are the same word.
std::string_view without_colons(std::string_view word);
std::string word_of(std::string_view name);

// The first rule that the catalogue breaks; none if it breaks no rule.
Problem problem_of_game(Catalogue const& game);

}  // namespace larder::economy
