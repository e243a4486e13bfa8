#include "reserved.hpp"

#include <algorithm>
#include <functional>

namespace larder::keys {

namespace {

using Words = std::set<std::string, std::less<>>;

bool is_fixed(std::string_view word) { return !word.empty() && word.find_first_of("<{") == word.npos; }

// "{<realm>}:<player>:inventory" -> "<player>:inventory"
std::string without_tag(std::string const& text) {
  if (!text.starts_with('{')) return text;
  auto const end = text.find("}:");
  return end == text.npos ? "" : text.substr(end + 2);
}

// "{drc:v1}:jobs" has a colon in its tag, and no realm has one in its name.
bool has_tag_of_cache(KeyPattern const& pattern) {
  return pattern.system == "cache" && pattern.text().starts_with('{');
}

// A player may be the first word of a key, and a realm of any name may be its tag.
Words first_words(std::vector<std::vector<KeyPattern>> const& modes) {
  Words words;
  for (auto const& mode : modes) {
    for (auto const& pattern : mode) {
      if (has_tag_of_cache(pattern)) continue;
      auto const rest = without_tag(pattern.text());
      auto const word = rest.substr(0, rest.find(':'));
      if (is_fixed(word)) words.insert(word);
    }
  }
  return words;
}

Words last_words(std::vector<KeyPattern> const& patterns) {
  Words words;
  for (auto const& pattern : patterns) {
    auto const text = pattern.text();
    auto const word = text.substr(text.rfind(':') + 1);
    if (is_fixed(word)) words.insert(word);
  }
  return words;
}

// The pattern with `end` in place of its last piece, which is a placeholder.
KeyPattern ending_with(KeyPattern pattern, std::vector<KeyPattern::Piece> const& end) {
  pattern.pieces.pop_back();
  pattern.pieces.insert(pattern.pieces.end(), end.begin(), end.end());
  return pattern;
}

bool takes(KeyPattern::Piece const& piece, std::string_view word) {
  return std::ranges::all_of(
      word, [&](char c) { return piece.placeholder->alphabet.test(static_cast<unsigned char>(c)); });
}

// The words that a pattern must not end with: with such a word, it could be a key of another pattern.
Words endings_of(std::string_view name, std::vector<KeyPattern> const& patterns,
                 RefusedByName const& refused) {
  Words words;
  for (auto const& own : patterns) {
    auto const last = own.pieces.back();
    if (!last.placeholder || last.placeholder->name != name) continue;
    std::vector<KeyPattern> others;  // that have keys in common with this one
    std::ranges::copy_if(patterns, std::back_inserter(others), [&](KeyPattern const& other) {
      return other.text() != own.text() && common_key(own, other, refused);
    });
    for (auto const& word : last_words(patterns)) {
      if (!takes(last, word)) continue;
      std::vector<KeyPattern> ends{ending_with(own, {{.text = word}})};
      if (takes(last, ":")) ends.push_back(ending_with(own, {last, {.text = ":" + word}}));
      bool const is_taken = std::ranges::any_of(others, [&](KeyPattern const& other) {
        return std::ranges::any_of(
            ends, [&](KeyPattern const& end) { return common_key(end, other, refused).has_value(); });
      });
      if (is_taken) words.insert(word);
    }
  }
  return words;
}

}  // namespace

RefusedByName find_refused(std::vector<std::vector<KeyPattern>> const& modes) {
  RefusedByName refused{{"player", {.values = first_words(modes), .endings = {}}}};
  auto const players = refused;
  for (auto const& patterns : modes) {
    refused["reward"].values.merge(endings_of("reward", patterns, players));
    refused["item"].endings.merge(endings_of("item", patterns, players));
  }
  return refused;
}

}  // namespace larder::keys
