// The rules between the parts of a catalogue, for whoever reads one.
#pragma once

#include "base/error.hpp"
#include "systems/economy/catalogue.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace larder::economy {

using Problem = std::optional<Error>;

// Names the field in the detail, too.
Problem wrong(std::string field, std::string_view detail);

char lower(char c);
bool same_word(std::string_view a, std::string_view b);
// What a player types for an item: in lower case, ":Cross:" and "Cross" are one word.
std::string_view without_colons(std::string_view word);
std::string word_of(std::string_view name);

// The first rule that the game breaks.
Problem problem_of_game(Catalogue const& game);

}  // namespace larder::economy
