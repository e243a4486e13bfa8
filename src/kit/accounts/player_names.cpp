#include "kit/accounts/player_names.hpp"

#include "base/limits.hpp"
#include "kit/accounts/player_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

namespace larder::accounts {

namespace {

using CodePoints = std::u32string;

// ICU fails only if its data are missing. Then no name can be judged.
void check(UErrorCode status) { LARDER_ASSERT(U_SUCCESS(status)); }

icu::UnicodeString to_unicode(std::string_view utf8) {
  return icu::UnicodeString::fromUTF8({utf8.data(), std::int32_t(utf8.size())});
}

std::string normalise(icu::Normalizer2 const& form, std::string_view utf8) {
  UErrorCode status = U_ZERO_ERROR;
  std::string out;
  form.normalize(to_unicode(utf8), status).toUTF8String(out);
  check(status);
  return out;
}

CodePoints code_points(std::string_view utf8) {
  auto const text = to_unicode(utf8);
  CodePoints points;
  for (std::int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    points.push_back(char32_t(text.char32At(at)));
  }
  return points;
}

bool is_letter_or_digit(char32_t c) {
  constexpr std::uint32_t wanted = U_GC_L_MASK | U_GC_ND_MASK;
  return c == U'_' || c == U'-' || (U_GET_GC_MASK(UChar32(c)) & wanted) != 0;
}

bool is_mark(char32_t c) { return (U_GET_GC_MASK(UChar32(c)) & U_GC_M_MASK) != 0; }

// Combining accents belong to no script; a stack of them can hide a letter.
bool is_mark_of_a_script(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  auto const script = uscript_getScript(UChar32(c), &status);
  check(status);
  return is_mark(c) && script != USCRIPT_INHERITED && script != USCRIPT_COMMON;
}

bool has_one_script(std::string_view utf8) {
  // Checks by several threads may share a checker that nobody changes.
  static USpoofChecker const* const checker = [] {
    UErrorCode status = U_ZERO_ERROR;
    auto* const made = uspoof_open(&status);
    uspoof_setRestrictionLevel(made, USPOOF_SINGLE_SCRIPT_RESTRICTIVE);
    uspoof_setChecks(made, USPOOF_RESTRICTION_LEVEL | USPOOF_MIXED_NUMBERS | USPOOF_INVISIBLE, &status);
    check(status);
    return made;
  }();
  UErrorCode status = U_ZERO_ERROR;
  auto const failed = uspoof_check2UTF8(checker, utf8.data(), std::int32_t(utf8.size()), nullptr, &status);
  check(status);
  return failed == 0;
}

std::unexpected<Error> bad_name(std::string detail) { return invalid("username", std::move(detail)); }

}  // namespace

std::string fold_name(std::string_view utf8) {
  UErrorCode status = U_ZERO_ERROR;
  auto const* const form = icu::Normalizer2::getNFKCCasefoldInstance(status);
  check(status);
  return normalise(*form, utf8);
}

std::string to_nfc(std::string_view utf8) {
  UErrorCode status = U_ZERO_ERROR;
  auto const* const form = icu::Normalizer2::getNFCInstance(status);
  check(status);
  return normalise(*form, utf8);
}

Result<PlayerName> PlayerName::parse(std::string_view utf8) {
  auto text = to_nfc(utf8);
  auto const written = code_points(text);
  if (written.size() < limits::username_chars_min || written.size() > limits::username_chars_max) {
    return bad_name(fmt::format("username must have {} to {} characters", limits::username_chars_min,
                                limits::username_chars_max));
  }
  auto key = fold_name(text);
  auto const folded = code_points(key);
  bool const good_text = !is_mark(written.front()) && std::ranges::all_of(written, [](char32_t c) {
    return is_letter_or_digit(c) || is_mark_of_a_script(c);
  });
  // Some letters stand for several characters, even for words with spaces.
  bool const good_key =
      std::ranges::all_of(folded, [](char32_t c) { return is_letter_or_digit(c) || is_mark(c); });
  if (!good_text || !good_key) return bad_name("username may have only letters, digits, _ and -");
  if (!has_one_script(text) || !has_one_script(key)) {
    return bad_name("username must not mix letters or digits of several scripts");
  }
  if (folded.size() > limits::name_key_chars_max) return bad_name("username is too long");
  if (is_player_id(key)) return bad_name("username must not look like a user id");
  return PlayerName(std::move(text), std::move(key));
}

}  // namespace larder::accounts
