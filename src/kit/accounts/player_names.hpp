// The names of players: which names are allowed, and when two names are the same.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace larder::accounts {

// The form in which names are compared: NFKC_Casefold. Texts with the same form look the same or differ only
// in case or width. `utf8` must be valid.
std::string fold_name(std::string_view utf8);

// A valid name. It has 3 to 32 characters (code points): letters, digits, `_` and `-`. Letters include the
// marks that belong to a script, such as the vowel signs of Devanagari, but not combining accents. All
// characters are of one script, before and after folding (UTS 39, "single script"; Japanese and Korean count
// as one script each). A name does not look like a player's id, so that nobody can mistake one for the other.
class PlayerName {
 public:
  // `utf8` must be valid. Refusal: invalid_request with the field `username`.
  static Result<PlayerName> parse(std::string_view utf8);

  // As the player wrote it, in NFC.
  std::string const& text() const { return text_; }
  // The folded name. Two names with the same key are the same name. Has no ASCII characters but a-z 0-9 _ -
  // and at most limits::name_key_chars_max code points.
  std::string const& key() const { return key_; }

 private:
  PlayerName(std::string text, std::string key) : text_(std::move(text)), key_(std::move(key)) {}
  std::string text_;
  std::string key_;
};

// The normal form NFC. `utf8` must be valid.
std::string to_nfc(std::string_view utf8);

}  // namespace larder::accounts
