#include "kit/accounts/player_names.hpp"

#include "base/json.hpp"
#include "base/limits.hpp"
#include "kit/accounts/player_ids.hpp"

#include <gtest/gtest.h>

#include <set>

namespace larder::accounts {
namespace {

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(PlayerName, keeps_what_was_written_and_folds_it_to_a_key) {
  struct Case {
    std::string written;
    std::string key;
  };
  Case const cases[] = {
      {"ada", "ada"},
      {"Ada_Lovelace-99", "ada_lovelace-99"},
      {"12345", "12345"},
      {"---", "---"},
      {"Straße", "strasse"},
      {"STRASSE", "strasse"},
      {"Élise", "élise"},
      {"ΣΊΣΥΦΟΣ", "σίσυφοσ"},
      {"σίσυφος", "σίσυφοσ"},
      {"ａｄａ", "ada"},
      {"ﬃnd", "ffind"},
      {"Кирилл", "кирилл"},
      {"みかん", "みかん"},
      {"東京タワー", "東京タワー"},
      {"한국어", "한국어"},
      {"सीता_1", "सीता_1"},
      {"عمر_1", "عمر_1"},
      {"שלום", "שלום"},
      {"ไก่ย่าง", "ไก่ย่าง"},
      {"İzmir", "i\xCC\x87zmir"},
      {repeat("a", 32), repeat("a", 32)},
      {repeat("𐐀", 32), repeat("𐐨", 32)},
      {"score_1", "score_1"},
  };
  for (auto const& [written, key] : cases) {
    auto const name = PlayerName::parse(written);
    ASSERT_TRUE(name) << written << ": " << name.error().detail;
    EXPECT_EQ(name->text(), written);
    EXPECT_EQ(name->key(), key);
    EXPECT_EQ(fold_name(key), key) << "folding again changes nothing";
    EXPECT_LE(count_chars(name->key()), limits::name_key_chars_max);
  }
}

TEST(PlayerName, composes_accents_that_were_typed_separately) {
  auto const name = PlayerName::parse("E\xCC\x81lise");  // E, then a combining acute accent
  ASSERT_TRUE(name);
  EXPECT_EQ(name->text(), "Élise");
  EXPECT_EQ(name->key(), PlayerName::parse("élise")->key());
}

TEST(PlayerName, refuses_what_could_deceive_or_break_a_key) {
  struct Case {
    std::string about;
    std::string written;
  };
  Case const cases[] = {
      {"nothing", ""},
      {"too short", "ab"},
      {"too short in code points", "éé"},
      {"too short when composed", "ae\xCC\x81"},
      {"too long", repeat("a", 33)},
      {"too long in code points", repeat("𐐀", 33)},
      {"a space", "ada l"},
      {"a space at the end", "ada "},
      {"a colon", "ada:1"},
      {"braces", "{ada}"},
      {"a dot", "ada.l"},
      {"a line break", "ada\n"},
      {"a control character", "ada\x01"},
      {"a NUL", std::string("ada\0b", 5)},
      {"an emoji", "ada🍕"},
      {"a zero-width space", "ada\xE2\x80\x8B"},
      {"a zero-width joiner",
       "ad\xE2\x80\x8D"
       "a"},
      {"a soft hyphen",
       "ad\xC2\xAD"
       "a"},
      {"a right-to-left override",
       "\xE2\x80\xAE"
       "ada"},
      {"a right-to-left mark", "ada\xE2\x80\x8F"},
      {"a byte order mark",
       "\xEF\xBB\xBF"
       "ada"},
      {"an accent that no letter takes", "x\xCC\x81yz"},
      {"a stack of accents", "ada\xCC\xB4\xCC\xB5\xCC\xB6"},
      {"a mark at the beginning",
       "\xE0\xA4\xBF"
       "सत"},
      {"a letter that stands for words", "abcﷺ"},
      {"a Cyrillic a among Latin letters", "аda"},
      {"a Greek o among Latin letters", "gοd"},
      {"Latin and Hebrew", "adaשל"},
      {"Latin and Han", "ada東京"},
      {"Cyrillic and Greek", "кирΣ"},
      {"digits of another script", "ada٣"},
      {"digits of two scripts", "१२٣"},
      {"a micro sign, which folds to a Greek letter", "µada"},
      {"an ohm sign among Latin letters", "adaΩ"},
      {"a roman numeral", "adaⅧ"},
      {"a superscript", "ada²"},
      {"a private character", "ada\xEE\x80\x80"},
      {"an id", new_player_id({1'767'225'600'000}).str()},
  };
  for (auto const& [about, written] : cases) {
    auto const name = PlayerName::parse(written);
    ASSERT_FALSE(name) << about;
    EXPECT_EQ(name.error().code, errors::invalid_request) << about;
    EXPECT_EQ(name.error().field, "username") << about;
  }
}

TEST(PlayerId, sorts_by_time_and_is_a_user_id) {
  std::string last;
  for (std::int64_t const time : {0LL, 1LL, 1'767'225'600'000LL, 1'767'225'600'001LL, (1LL << 42) - 1}) {
    auto const id = new_player_id({time}).str();
    EXPECT_TRUE(is_player_id(id)) << id;
    EXPECT_EQ(time_of_player_id(id).value, time);
    EXPECT_LT(last, id);
    last = id;
  }
}

TEST(PlayerId, differs_from_every_other_of_its_millisecond) {
  std::set<std::string> ids;
  for (int i = 0; i < 10'000; ++i) ids.insert(new_player_id({1'767'225'600'000}).str());
  EXPECT_EQ(ids.size(), 10'000u);
  std::set<char> seen;  // all of the bits that follow the time are used
  for (auto const& id : ids) seen.insert(id[10]);
  EXPECT_EQ(seen.size(), 32u);
}

TEST(PlayerId, has_a_form_of_its_own) {
  for (std::string const text :
       {"", "0", "0000000000000000000", "000000000000000000000", "0000000000000000000v",
        "0000000000000000000A", "000000000000000000w0", "0000000000 000000000"}) {
    EXPECT_FALSE(is_player_id(text)) << text;
  }
  EXPECT_TRUE(is_player_id("00000000000000000000"));
  EXPECT_TRUE(is_player_id("vvvvvvvvvvvvvvvvvvvg"));
}

}  // namespace
}  // namespace larder::accounts
