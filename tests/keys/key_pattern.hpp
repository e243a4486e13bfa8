// Which keys Larder may write in Redis. A pattern is a key with placeholders: "{<realm>}:<player>:inventory".
#pragma once

#include "base/ids.hpp"

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::keys {

// A part of a key that may have many values.
struct Placeholder {
  std::string name;           // "player"
  std::bitset<256> alphabet;  // the characters that a value may have
  std::size_t chars_max = 0;  // a value has at least one character

  // From the characters themselves; "a-z" is a range, and a hyphen at the end is a hyphen.
  Placeholder(std::string name, std::string_view alphabet, std::size_t chars_max);
  // As a regular expression: [a-z0-9_]{1,64}
  std::string regex() const;
};

struct KeyPattern {
  // Either fixed text or a placeholder.
  struct Piece {
    std::string text;
    std::optional<Placeholder> placeholder = {};
  };

  std::string system;
  std::string type;   // what Redis keeps there: "string", "hash", ...
  std::string about;  // what the key is for
  std::vector<Piece> pieces;

  // "{<realm>}:<player>:inventory"
  std::string text() const;
};

// Collects the patterns of one system. They come from the functions that make the system's keys, called with
// sample values, so they cannot differ from the keys.
class KeyPatterns {
 public:
  struct Sample {
    std::string value;  // a value that no other part of the sample keys contains
    Placeholder stands_for;
  };
  template <class Rules>
  static Sample sample(std::string name, Id<Rules> const& id) {
    return {id.str(), {std::move(name), "A-Za-z0-9" + std::string(Rules::extra_chars), Rules::chars_max}};
  }

  KeyPatterns(std::string system, std::vector<Sample> samples)
      : system_(std::move(system)), samples_(std::move(samples)) {}

  void add(std::string_view sample_key, std::string type, std::string about);
  std::vector<KeyPattern> take() { return std::move(patterns_); }

 private:
  std::string system_;
  std::vector<Sample> samples_;
  std::vector<KeyPattern> patterns_;
};

}  // namespace larder::keys
