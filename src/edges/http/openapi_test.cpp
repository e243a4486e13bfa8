#include "edges/http/openapi.hpp"

#include <gtest/gtest.h>

namespace larder::http {

namespace {

Answering answer_nothing(Request const&) { co_return no_content(); }

TEST(OpenApi, describes_values_that_may_be_null_inside_of_arrays_and_maps) {
  static Route const routes[] = {{Method::get,
                                  "/a",
                                  Access::everyone(),
                                  &answer_nothing,
                                  {.id = "a",
                                   .summary = "",
                                   .answer = {required("list", type::array(type::boolean.or_null()), ""),
                                              required("map", type::map(type::boolean.or_null()), "")}}}};
  auto const document = json::value(make_openapi({{.tables = {routes}}}));
  auto const schema =
      document.at_pointer("/paths/~1a/get/responses/200/content/application~1json/schema/properties");
  json::value const expected = {{"oneOf", {{{"type", "boolean"}}, {{"type", "null"}}}}};
  EXPECT_EQ(schema.at("list").at("items"), expected);
  EXPECT_EQ(schema.at("map").at("additionalProperties"), expected);
}

TEST(OpenApi, a_route_of_a_player_takes_the_player_of_a_service_key) {
  static Route const routes[] = {
      {Method::get, "/a", Access::player(), &answer_nothing, {.id = "a", .summary = ""}}};
  auto const document = json::value(make_openapi({{.tables = {routes}}}));
  auto const& parameter = document.at_pointer("/paths/~1a/get/parameters/0");
  EXPECT_EQ(parameter.at("name"), "player");
  EXPECT_EQ(parameter.at("in"), "query");
  EXPECT_EQ(parameter.at("required"), false);
  EXPECT_TRUE(document.at_pointer("/paths/~1a/get/responses").as_object().contains("400"));
}

TEST(OpenApi, an_object_with_a_name_is_described_once) {
  auto const thing = type::object({required("id", type::integer(1), "the id")}).named("Thing");
  static Route const routes[] = {{Method::get,
                                  "/a",
                                  Access::everyone(),
                                  &answer_nothing,
                                  {.id = "a",
                                   .summary = "",
                                   .answer = {required("id", type::integer(1), "the id")},
                                   .answer_name = "Thing"}},
                                 {Method::get,
                                  "/b",
                                  Access::everyone(),
                                  &answer_nothing,
                                  {.id = "b",
                                   .summary = "",
                                   .answer = {required("list", type::array(thing), "things"),
                                              required("one", thing, "the best thing")}}}};
  auto const document = json::value(make_openapi({{.tables = {routes}}}));
  json::value const reference = {{"$ref", "#/components/schemas/Thing"}};
  auto const answer_of = [&](std::string_view path) -> json::value const& {
    return document.at("paths").at(path).at_pointer("/get/responses/200/content/application~1json/schema");
  };
  EXPECT_EQ(answer_of("/a"), reference);
  EXPECT_EQ(answer_of("/b").at_pointer("/properties/list/items"), reference);
  EXPECT_EQ(answer_of("/b").at_pointer("/properties/one"),
            json::parse(R"({"$ref": "#/components/schemas/Thing", "description": "the best thing"})"));
  auto const& described = document.at_pointer("/components/schemas/Thing");
  EXPECT_TRUE(described.at("properties").as_object().contains("id"));
  EXPECT_FALSE(described.as_object().contains("x-name"));
}

TEST(OpenApi, a_member_of_the_problems_of_two_systems_keeps_both_meanings) {
  Api const one{
      .tables = {},
      .problem_members = {optional("id", type::boolean, "one"), optional("same", type::boolean, "a")}};
  Api const two{
      .tables = {},
      .problem_members = {optional("id", type::number, "two"), optional("same", type::boolean, "a")}};
  auto const document = json::value(make_openapi({one, two}));
  auto const& members = document.at_pointer("/components/schemas/Problem/properties");
  EXPECT_EQ(members.at("id"), json::parse(R"({"anyOf": [{"type": "boolean"}, {"type": "number"}],
                                              "description": "one; two"})"));
  EXPECT_EQ(members.at("same"), json::parse(R"({"type": "boolean", "description": "a"})"));
}

}  // namespace

}  // namespace larder::http
