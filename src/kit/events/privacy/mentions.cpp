#include "kit/events/privacy/mentions.hpp"

namespace larder::privacy {

namespace {

bool is_part_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Where the id is a whole word, from `from` on; npos if it is nowhere.
std::size_t find_name(std::string_view text, std::string_view id, std::size_t from) {
  for (auto at = text.find(id, from); at != std::string_view::npos; at = text.find(id, at + 1)) {
    auto const end = at + id.size();
    bool const begins = at == 0 || !is_part_of_word(text[at - 1]);
    bool const ends = end == text.size() || !is_part_of_word(text[end]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

}  // namespace

bool names(std::string_view text, std::string_view id) {
  return find_name(text, id, 0) != std::string_view::npos;
}

bool replace_name(std::string& text, std::string_view id, std::string_view by) {
  bool changed = false;
  for (auto at = find_name(text, id, 0); at != std::string::npos; at = find_name(text, id, at + by.size())) {
    text.replace(at, id.size(), by);
    changed = true;
  }
  return changed;
}

bool replace_strings(json::value& value, std::string_view id, std::string_view by) {
  if (auto* const text = value.if_string()) {
    if (std::string_view(*text) != id) return false;
    *text = by;
    return true;
  }
  bool changed = false;
  if (auto* const array = value.if_array()) {
    for (auto& element : *array) changed = replace_strings(element, id, by) || changed;
  } else if (auto* const object = value.if_object()) {
    for (auto& member : *object) changed = replace_strings(member.value(), id, by) || changed;
  }
  return changed;
}

}  // namespace larder::privacy
