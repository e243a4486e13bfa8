#include "overlap.hpp"

#include <algorithm>
#include <compare>
#include <deque>
#include <vector>

namespace larder::keys {

namespace {

// How far a pattern has read a key.
struct Place {
  std::size_t piece = 0;
  std::size_t chars = 0;   // of fixed text: how many were read; of a placeholder: 0 or 1 (at least one)
  std::string value = {};  // of a placeholder: what was read, while it is the beginning of a refused value
  bool value_is_free = false;  // it cannot become a refused value any more
  std::string ending = {};     // the same for what follows the last colon
  bool ending_is_free = false;
  auto operator<=>(Place const&) const = default;
};

bool begins_one(std::set<std::string, std::less<>> const& words, std::string_view text) {
  auto const at = words.lower_bound(text);
  return at != words.end() && at->starts_with(text);
}

class Walker {
 public:
  Walker(KeyPattern const& pattern, RefusedByName const& refused) : pattern_(pattern), refused_(refused) {}

  bool at_end(Place const& place) const { return place.piece == pattern_.pieces.size(); }

  // Where the pattern can be after one more character. A placeholder may end with the character or go on.
  std::vector<Place> after(Place const& place, char c) const {
    if (at_end(place)) return {};
    auto const& piece = pattern_.pieces[place.piece];
    if (!piece.placeholder) {
      if (piece.text[place.chars] != c) return {};
      if (place.chars + 1 == piece.text.size()) return {{.piece = place.piece + 1}};
      return {{.piece = place.piece, .chars = place.chars + 1}};
    }
    if (!piece.placeholder->alphabet.test(static_cast<unsigned char>(c))) return {};
    static Refused const none;
    auto const found = refused_.find(piece.placeholder->name);
    auto const& refused = found == refused_.end() ? none : found->second;
    auto const next = read(place, c, refused);
    std::vector<Place> places{next};
    bool const is_refused = (!next.value_is_free && refused.values.contains(next.value)) ||
                            (!next.ending_is_free && refused.endings.contains(next.ending));
    if (!is_refused) places.push_back({.piece = place.piece + 1});
    return places;
  }

 private:
  static Place read(Place place, char c, Refused const& refused) {
    place.chars = 1;
    if (!place.value_is_free) place.value += c;
    if (!begins_one(refused.values, place.value)) place.value_is_free = true;
    if (c == ':') {
      place.ending.clear();
      place.ending_is_free = false;
    } else if (!place.ending_is_free) {
      place.ending += c;
    }
    if (!begins_one(refused.endings, place.ending)) place.ending_is_free = true;
    if (place.value_is_free) place.value.clear();
    if (place.ending_is_free) place.ending.clear();
    return place;
  }

  KeyPattern const& pattern_;
  RefusedByName const& refused_;
};

// The characters to try. All characters of fixed texts and refused values count. Of the others, one stands
// for all that the same placeholders take.
std::string characters_of(KeyPattern const& a, KeyPattern const& b, RefusedByName const& refused) {
  std::set<char> characters;
  std::map<std::vector<bool>, char> others;
  std::vector<Placeholder> placeholders;
  for (auto const* const pattern : {&a, &b}) {
    for (auto const& piece : pattern->pieces) {
      characters.insert(piece.text.begin(), piece.text.end());
      if (piece.placeholder) placeholders.push_back(*piece.placeholder);
    }
  }
  for (auto const& placeholder : placeholders) {
    auto const found = refused.find(placeholder.name);
    if (found == refused.end()) continue;
    for (auto const& word : found->second.values) characters.insert(word.begin(), word.end());
    for (auto const& word : found->second.endings) characters.insert(word.begin(), word.end());
  }
  characters.insert(':');
  for (int c = 0; c < 256; ++c) {
    if (characters.contains(char(c))) continue;
    std::vector<bool> takes;
    for (auto const& placeholder : placeholders) takes.push_back(placeholder.alphabet.test(std::size_t(c)));
    others.emplace(takes, char(c));
  }
  std::string all(characters.begin(), characters.end());
  for (auto const& [takes, c] : others) all += c;
  return all;
}

// Whether the fixed text at the beginnings, or at the ends, already tells the patterns apart. This spares
// most searches.
bool differ_at_an_end(KeyPattern const& a, KeyPattern const& b) {
  auto const& first_a = a.pieces.front().text;
  auto const& first_b = b.pieces.front().text;
  auto const head = std::min(first_a.size(), first_b.size());
  if (first_a.compare(0, head, first_b, 0, head) != 0) return true;
  std::string_view const last_a = a.pieces.back().text;
  std::string_view const last_b = b.pieces.back().text;
  auto const tail = std::min(last_a.size(), last_b.size());
  return last_a.substr(last_a.size() - tail) != last_b.substr(last_b.size() - tail);
}

}  // namespace

std::optional<std::string> common_key(KeyPattern const& a, KeyPattern const& b,
                                      RefusedByName const& refused) {
  if (differ_at_an_end(a, b)) return std::nullopt;
  Walker const walk_a(a, refused);
  Walker const walk_b(b, refused);
  auto const characters = characters_of(a, b, refused);
  using Both = std::pair<Place, Place>;
  std::set<Both> seen{Both{}};
  std::deque<std::pair<Both, std::string>> open{{Both{}, ""}};
  while (!open.empty()) {
    auto const [places, key] = std::move(open.front());
    open.pop_front();
    if (walk_a.at_end(places.first) && walk_b.at_end(places.second)) return key;
    for (char const c : characters) {
      auto const firsts = walk_a.after(places.first, c);
      if (firsts.empty()) continue;
      auto const seconds = walk_b.after(places.second, c);
      for (auto const& first : firsts) {
        for (auto const& second : seconds) {
          if (seen.emplace(first, second).second) open.push_back({{first, second}, key + c});
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace larder::keys
