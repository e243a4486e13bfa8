#include "edges/api/cache/dispatches.hpp"

#include "base/limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace larder::api {
namespace {

using Texts = std::vector<std::string_view>;

// The texts with | between them, or the refusal.
std::string split(std::string_view body, BodyForm form = BodyForm::json) {
  auto const texts = split_dispatches(body, form);
  return texts ? fmt::format("{}", fmt::join(*texts, "|")) : texts.error().detail;
}

TEST(Dispatches, cuts_an_array_into_its_elements) {
  EXPECT_EQ(split(R"([{"a":1},{"b":[1,2]}])"), R"({"a":1}|{"b":[1,2]})");
  EXPECT_EQ(split(" [ {\"a\": 1}\n,\t{} ] \r\n"), R"({"a": 1}|{})");
  EXPECT_EQ(split(R"([{"a":"],[}{\"],"},{"b":"\\"}])"), R"({"a":"],[}{\"],"}|{"b":"\\"})");
  EXPECT_EQ(split(R"([1,"x",null])"), R"(1|"x"|null)");
}

TEST(Dispatches, takes_an_object_as_one_element) {
  EXPECT_EQ(split(R"( {"t":"X","d":{}} )"), R"({"t":"X","d":{}})");
  EXPECT_EQ(split("{"), "{");
}

TEST(Dispatches, has_no_elements_in_an_empty_array) {
  EXPECT_EQ(split_dispatches("[]", BodyForm::json).value(), Texts());
  EXPECT_EQ(split_dispatches("[ \n ]", BodyForm::json).value(), Texts());
}

TEST(Dispatches, lets_an_element_that_is_not_json_fail_alone) {
  EXPECT_EQ(split("[{},{\"a\":\"\\ud800\"},{}]"), "{}|{\"a\":\"\\ud800\"}|{}");
  EXPECT_EQ(split("[{},\"\xff\",{}]"), "{}|\"\xff\"|{}");
  EXPECT_EQ(split("[{},nonsense,,{}]"), "{}|nonsense||{}");
  EXPECT_EQ(split("[{},]"), "{}|");
  EXPECT_EQ(split("[,]"), "|");
}

TEST(Dispatches, refuses_a_body_that_is_no_array_as_a_whole) {
  for (auto const* body : {"[", "[{}", "[{\"a\":\"]", "[\"\\", "[\"\\\"]", "[{}, [1]"})
    EXPECT_EQ(split(body), "the array in the body does not end") << body;
  for (auto const* body : {"[{}] x", "[]]", "[{}},{}]", "[1],[2]"})
    EXPECT_EQ(split(body), "the body goes on behind the end of the array") << body;
  for (auto const* body : {"1", "\"x\"", "null", "x", "]", "}"})
    EXPECT_EQ(split(body), "the body must be an event or an array of events") << body;
  for (auto const* body : {"", " \r\n\t"}) EXPECT_EQ(split(body), "the body is empty") << body;
}

TEST(Dispatches, cuts_lines_and_skips_blank_ones) {
  EXPECT_EQ(split("{\"a\":1}\r\n\n  \n{\"b\":\"x\"}\nnonsense", BodyForm::lines),
            R"({"a":1}|{"b":"x"}|nonsense)");
  EXPECT_EQ(split("[1,2]\n", BodyForm::lines), "[1,2]");
  EXPECT_EQ(split("\n \n", BodyForm::lines), "the body is empty");
}

TEST(Dispatches, refuses_more_than_a_request_may_have) {
  for (auto const form : {BodyForm::json, BodyForm::lines}) {
    for (std::size_t const count : {limits::dispatches_max, limits::dispatches_max + 1}) {
      std::vector<std::string> const all(count, "{}");
      auto const body = form == BodyForm::json ? fmt::format("[{}]", fmt::join(all, ","))
                                               : fmt::format("{}\n", fmt::join(all, "\n"));
      auto const texts = split_dispatches(body, form);
      EXPECT_EQ(texts.has_value(), count <= limits::dispatches_max);
      if (texts) EXPECT_EQ(texts->size(), count);
    }
  }
}

}  // namespace
}  // namespace larder::api
