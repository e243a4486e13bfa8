#include "kit/documents/path.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::documents {
namespace {

// The document of the original Pizza Tribes game, with something in its queue.
json::value const printed = json::parse(R"({
  "resources": {"coins": 20, "pizzas": 0},
  "lots": {"1": {"building": 3}, "10": {"building": 2, "level": null}, "a b": 1, "ä": 2},
  "trainingQueue": [{"amount": 1}, [7, 8]],
  "timestamp": 1620845911})");

// The part as JSON, or "<error> <field>".
std::string look(std::string_view text, json::value const& document = printed) {
  auto const path = Path::parse(text);
  if (!path) return fmt::format("{} {}", path.error().code.name, path.error().field);
  auto const part = path->find(document);
  if (!part) return fmt::format("{} {}", part.error().code.name, part.error().field);
  return json::serialize(**part);
}

TEST(Path, finds_the_part) {
  struct Case {
    std::string_view path, part;
  };
  for (auto const& [path, part] : {Case{".timestamp", "1620845911"},
                                   {".resources", R"({"coins":20,"pizzas":0})"},
                                   {".resources.coins", "20"},
                                   {R"(.lots["1"])", R"({"building":3})"},
                                   {R"(.lots["1"].building)", "3"},
                                   {R"(.lots["10"].level)", "null"},
                                   {R"(.lots["a b"])", "1"},
                                   {R"(.lots["ä"])", "2"},
                                   {R"(.["resources"]["coins"])", "20"},
                                   {".trainingQueue[0]", R"({"amount":1})"},
                                   {".trainingQueue[0].amount", "1"},
                                   {".trainingQueue[1][1]", "8"}}) {
    EXPECT_EQ(look(path), part) << path;
  }
  EXPECT_EQ(look("."), json::serialize(printed));
  EXPECT_EQ(look(".", 7), "7");
  EXPECT_EQ(look(".[1]", json::array{1, 2}), "2");
}

TEST(Path, says_that_a_part_is_missing) {
  for (std::string_view const path :
       {".coins", R"(.lots["5"])", R"(.lots["5"].building)", R"(.lots[""])", ".trainingQueue[2]",
        ".trainingQueue[18446744073709551615]", ".trainingQueue.amount", R"(.trainingQueue["0"])", ".lots[1]",
        ".timestamp.x", ".timestamp[0]", R"(.lots["10"].level.x)"}) {
    EXPECT_EQ(look(path), "path_not_found path") << path;
  }
  EXPECT_EQ(Path::parse(R"(.lots["5"].building)").value().find(printed).error().detail,
            R"(the document has no .lots["5"])");
}

TEST(Path, says_how_a_name_of_digits_is_written) {
  for (auto const& [path, better] :
       {std::pair(".lots.5", R"(.lots["5"])"), {".5", R"(.["5"])"}, {".lots.10.level", R"(.lots["10"])"}}) {
    EXPECT_EQ(Path::parse(path).error().detail,
              fmt::format("a name does not begin with a digit; write {}", better));
  }
}

TEST(Path, refuses_what_is_malformed_and_says_where) {
  struct Case {
    std::string path, detail;
  };
  std::string const name = "a name; others than [A-Za-z_][A-Za-z0-9_]* are written [\"...\"],";
  for (auto const& [path, what] :
       std::vector<Case>{{"", "'.' at character 1"},
                         {"lots", "'.' at character 1"},
                         {"$", "'.' at character 1"},
                         {R"(["lots"])", "'.' at character 1"},
                         {"..", name + " at character 2"},
                         {".lots.", name + " at character 7"},
                         {".lots..x", name + " at character 7"},
                         {R"(.lots.["5"])", name + " at character 7"},
                         {". lots", name + " at character 2"},
                         {".*", name + " at character 2"},
                         {".ä", name + " at character 2"},
                         {".lots ", "'.' or '[' at character 6"},
                         {".lots-1", "'.' or '[' at character 6"},
                         {R"(.lots["5"]building)", "'.' or '[' at character 11"},
                         {R"(.lots["ä"]!)", "'.' or '[' at character 11"},
                         {".lots[", "a name in '\"' or an index at character 7"},
                         {".lots[]", "a name in '\"' or an index at character 7"},
                         {".lots[-1]", "a name in '\"' or an index at character 7"},
                         {".lots['5']", "a name in '\"' or an index at character 7"},
                         {".lots[*]", "a name in '\"' or an index at character 7"},
                         {".lots[1", "']' at character 8"},
                         {".lots[1.5]", "']' at character 8"},
                         {R"(.lots["5)", "'\"]' after the name at character 9"},
                         {R"(.lots["5")", "'\"]' after the name at character 9"},
                         {R"(.lots["5\"6"])", "'\"]' after the name at character 9"}}) {
    auto const refused = Path::parse(path);
    ASSERT_FALSE(refused) << path;
    EXPECT_EQ(refused.error().code, errors::malformed_path) << path;
    EXPECT_EQ(refused.error().field, "path") << path;
    EXPECT_EQ(refused.error().detail, "expected " + what) << path;
  }
  EXPECT_EQ(look(".a[18446744073709551616]"), "malformed_path path");
  EXPECT_EQ(look(".a[\"\xff\"]"), "malformed_path path");
  EXPECT_EQ(look(std::string_view(".a\0b", 4)), "malformed_path path");
}

TEST(Path, has_as_many_steps_as_a_document_can_have) {
  std::string names = ".a";
  std::string indices = ".";
  json::value deep = 1;
  for (std::size_t i = 1; i < limits::json_depth_max; ++i) names += ".a";
  for (std::size_t i = 0; i < limits::json_depth_max; ++i) {
    indices += "[0]";
    deep = json::array{deep};
  }
  EXPECT_EQ(look(names), "path_not_found path");
  EXPECT_EQ(look(indices, deep), "1");
  EXPECT_EQ(look(names + ".a"), "path_too_deep path");
  EXPECT_EQ(look(indices + "[0]", deep), "path_too_deep path");
  EXPECT_EQ(look(names + ".a!"), "path_too_deep path") << "what is behind the last step is not looked at";
}

}  // namespace
}  // namespace larder::documents
