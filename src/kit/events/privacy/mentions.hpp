// Finds ids in texts.
#pragma once

#include "base/ids.hpp"
#include "base/json.hpp"

#include <string>
#include <string_view>

namespace larder::privacy {

// Whether the id is long enough that a text which contains it means this user. "7" in a text is just a
// number.
inline constexpr std::size_t telling_chars_min = 8;
inline bool is_telling(UserId const& user) { return user.str().size() >= telling_chars_min; }

// Whether the text contains the id as a whole word: between two characters that are neither letters nor
// digits.
bool names(std::string_view text, std::string_view id);
// Replaces the id wherever it is a whole word. Returns whether the text has changed.
bool replace_name(std::string& text, std::string_view id, std::string_view by);
// Replaces each string that is equal to the id. Returns whether the value has changed.
bool replace_strings(json::value& value, std::string_view id, std::string_view by);

}  // namespace larder::privacy
