// The words with which a caller says which events it wants.
#pragma once

#include "base/ids.hpp"
#include "base/limits.hpp"
#include "base/scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace larder::api {

using Words = std::set<std::string, std::less<>>;

inline constexpr auto system_words = std::span(scope_names).first(std::size_t(Scope::admin));

inline bool is_system_word(std::string_view word) {
  return std::ranges::find(system_words, word) != system_words.end();
}
inline bool is_type_word(std::string_view word) {
  return !word.empty() && word.size() <= limits::event_type_chars_max && all_in_charset(word, "_.-");
}
inline bool is_realm_word(std::string_view word) {
  return !word.empty() && word.size() <= limits::realm_chars_max && all_in_charset(word, "_.-");
}
inline std::string realm_word_expectation() {
  return fmt::format("must be 1 to {} characters of A-Z a-z 0-9 _ . -", limits::realm_chars_max);
}

// Refuses types that no system has. Discord's own names are in upper case, and not listed.
inline Result<void> check_types(std::string_view field, Words const& asked,
                                std::set<std::string_view> const& known, std::string_view hint = {}) {
  auto const is_name_of_discord = [](std::string_view type) {
    return std::ranges::all_of(type, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
  };
  for (auto const& type : asked) {
    if (known.contains(type) || is_name_of_discord(type)) continue;
    return invalid(std::string(field),
                   fmt::format("{} must be one of {}{}", field, fmt::join(known, ", "), hint));
  }
  return {};
}

}  // namespace larder::api
