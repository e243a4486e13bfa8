#include "systems/cache/raw_json.hpp"

#include "base/json.hpp"
#include "base/random.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace larder::cache {

namespace {

std::string compacted(std::string_view text) { return compact(text).value_or("refused"); }

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(RawJson, removes_white_space_only_outside_of_strings) {
  EXPECT_EQ(compacted(" { \"a b\" :\t[ 1 ,\r\n \" x \\\" y \" ] } \n"), R"({"a b":[1," x \" y "]})");
  EXPECT_EQ(compacted("null "), "null");
  EXPECT_EQ(compacted("[]"), "[]");
}

TEST(RawJson, keeps_numbers_and_escapes_as_they_are_written) {
  std::string_view const text =
      R"({"a":18446744073709551615,"b":1.50,"c":-0,"d":1E5,"e":"\u00e9\/","f":[],"g":{}})";
  EXPECT_EQ(compacted(text), text);
}

TEST(RawJson, refuses_what_is_not_one_json_value) {
  for (std::string_view const text : {"",
                                      " ",
                                      "{",
                                      "[1,]",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "'a'",
                                      "01",
                                      "1 2",
                                      "nul",
                                      "\"\t\"",
                                      "\"\\x\"",
                                      "[1]]",
                                      "NaN",
                                      "+1",
                                      "// x\n1",
                                      "\"\\ud800\"",
                                      "\"\\ud800x\"",
                                      "\"\\udc00\"",
                                      "\"\\ud800\\ud800\"",
                                      "\"\xff\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xc0\x80\"",
                                      "\xef\xbb\xbf{}"}) {
    EXPECT_EQ(compacted(text), "refused") << text;
  }
  EXPECT_EQ(compacted("\"\\ud83d\\ude00\""), "\"\\ud83d\\ude00\"");
}

TEST(RawJson, refuses_what_is_nested_too_deep) {
  auto const deepest = limits::gateway_json_depth_max;
  EXPECT_EQ(compacted(nested(deepest)), nested(deepest));
  EXPECT_EQ(compacted(nested(deepest + 1)), "refused");
  EXPECT_EQ(compacted(nested(100'000)), "refused");
}

TEST(RawJson, reads_ids_only_from_strings_that_are_64_bit_numbers) {
  EXPECT_EQ(id_in(R"("18446744073709551615")"), "18446744073709551615");
  EXPECT_EQ(id_in(R"("0")"), "0");
  for (std::string_view const value : {"", "1", "null", R"("")", R"("01")", R"("-1")", R"("1 ")",
                                       R"("18446744073709551616")", R"("\u0031")"}) {
    EXPECT_FALSE(id_in(value)) << value;
  }
}

TEST(RawJson, an_object_has_each_name_once) {
  EXPECT_FALSE(RawObject::parse(R"({"a":1,"b":2,"a":3})"));
  EXPECT_FALSE(RawObject::parse("[]"));
  EXPECT_FALSE(RawObject::parse("1"));
  EXPECT_TRUE(RawObject::parse("{}")->empty());
}

TEST(RawJson, an_object_has_a_limited_number_of_members) {
  std::string text = "{";
  for (std::size_t i = 0; i < limits::raw_members_max; ++i) text += fmt::format("\"{}\":0,", i);
  auto const most = text.substr(0, text.size() - 1) + "}";
  EXPECT_TRUE(RawObject::parse(most));
  auto const too_many = text + "\"more\":0}";
  EXPECT_FALSE(RawObject::parse(too_many));
}

TEST(RawJson, members_can_be_replaced_added_erased_and_merged) {
  auto object = RawObject::parse(R"({"a":{"x":[1,{"y":"]}"}]},"b":"\"","c":null})").value();
  EXPECT_EQ(object.find("a"), R"({"x":[1,{"y":"]}"}]})");
  EXPECT_EQ(object.find("x"), "");
  EXPECT_TRUE(object.has("c"));
  object.set("b", "2");
  object.set("d", "[]");
  object.erase("c");
  auto const newer = RawObject::parse(R"({"d":4,"e":5})").value();
  object.merge(newer);
  EXPECT_EQ(object.text(), R"({"a":{"x":[1,{"y":"]}"}]},"b":2,"d":4,"e":5})");
}

TEST(RawJson, an_object_stays_whole_when_it_is_moved) {
  auto object = RawObject::parse("{}").value();
  object.set("a", "1");
  auto const moved = std::move(object);
  EXPECT_EQ(moved.text(), R"({"a":1})");
}

TEST(RawJson, texts_come_out_of_strings_and_go_in) {
  EXPECT_EQ(text_in(R"("plain")"), "plain");
  EXPECT_EQ(text_in(R"("\u00e9\n\"")"), "\u00e9\n\"");
  EXPECT_FALSE(text_in("1"));
  EXPECT_EQ(text_in(cache::quoted(std::string_view("a\"b\\c\x01\u00e9"))), "a\"b\\c\x01\u00e9");
}

// Writes a random value, with random white space in `spaced` and without it in `plain`.
class Writer {
 public:
  explicit Writer(Seed seed) : random_(seed) {}

  void value(int depth) {
    switch (random_.below(depth > 5 ? 4 : 6)) {
      case 0: both(fmt::to_string(std::int64_t(random_.next()))); break;
      case 1: both(random_.chance(1, 2) ? "true" : "null"); break;
      case 2: both("1.25e-7"); break;
      case 3: string(); break;
      case 4: list('[', ']', [&] { value(depth + 1); }); break;
      default:
        list('{', '}', [&, name = 0]() mutable {
          both(fmt::format("\"n{}\"", name++));
          space();
          both(":");
          space();
          value(depth + 1);
        });
    }
  }
  std::string plain;
  std::string spaced;

 private:
  void both(std::string_view text) {
    plain += text;
    spaced += text;
  }
  void space() {
    for (auto count = random_.below(3); count > 0; --count) spaced += " \n\t\r"[random_.below(4)];
  }
  void string() {
    constexpr std::string_view pieces[] = {"a", " ",      "\\\"",    "\\\\",          "{", "]", ",",
                                           ":", "\u00e9", "\\u00e9", "\\ud83d\\ude00"};
    both("\"");
    for (auto count = random_.below(8); count > 0; --count) both(pieces[random_.below(std::size(pieces))]);
    both("\"");
  }
  template <class Element>
  void list(char open, char close, Element element) {
    both(std::string_view(&open, 1));
    space();
    for (auto count = random_.below(5), i = count; i > 0; --i) {
      if (i != count) both(",");
      space();
      element();
      space();
    }
    both(std::string_view(&close, 1));
  }

  Random random_;
};

// Takes a value apart to its leaves and puts it together again.
std::string rebuilt(std::string_view value) {
  if (is_array(value)) {
    std::vector<std::string> parts;
    for (auto const element : elements_of(value)) parts.push_back(rebuilt(element));
    return array_of({parts.begin(), parts.end()});
  }
  if (!is_object(value)) return std::string(value);
  auto object = RawObject::parse(value).value();
  auto const members = object.members();
  for (auto const& member : members) object.set(member.name, rebuilt(member.value));
  return object.text();
}

TEST(RawJson, random_values_come_out_as_they_went_in) {
  auto const* const given = std::getenv("LARDER_SEED");
  auto const first = given ? Seed{std::strtoull(given, nullptr, 10)} : random_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", first.value));
  Random seeds(first);
  for (int i = 0; i < 2000; ++i) {
    Writer writer({seeds.next()});
    writer.value(0);
    ASSERT_EQ(compacted(writer.spaced), writer.plain);
    ASSERT_EQ(rebuilt(writer.plain), writer.plain);
    // A text that is cut off or damaged is refused or stays well-formed, and never reads beyond its end.
    auto damaged = writer.spaced.substr(0, seeds.below(writer.spaced.size() + 1));
    if (!damaged.empty()) damaged[seeds.below(damaged.size())] = char(seeds.below(256));
    if (auto const text = compact(damaged)) {
      ASSERT_TRUE(parse_json(*text, {}, {.depth_max = 64}) || text->find('{') != std::string::npos)
          << damaged;
      if (!is_object(*text) || RawObject::parse(*text)) elements_of(*text);
    }
  }
}

}  // namespace

}  // namespace larder::cache
