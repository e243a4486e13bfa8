#include "edges/http/openapi.hpp"

#include "app/server_thread.hpp"
#include "edges/http/idempotency.hpp"
#include "edges/http/problem.hpp"
#include "edges/http/test_server.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <ranges>
#include <set>

namespace larder::http::test {

namespace {

json::value const* at(json::value const& root, std::string_view pointer) {
  boost::system::error_code ignored;
  return root.find_pointer(pointer, ignored);
}

// Every $ref in the document must lead somewhere.
void expect_references_resolve(json::value const& document, json::value const& value) {
  if (auto const* object = value.if_object()) {
    for (auto const& [key, member] : *object) {
      if (key == "$ref") {
        std::string const target(member.as_string());
        ASSERT_TRUE(target.starts_with("#/"));
        EXPECT_NE(at(document, target.substr(1)), nullptr) << target;
      } else {
        expect_references_resolve(document, member);
      }
    }
  } else if (auto const* array = value.if_array()) {
    for (auto const& element : *array) expect_references_resolve(document, element);
  }
}

json::object const& resolved(json::value const& document, json::value const& schema) {
  auto const* const reference = schema.as_object().if_contains("$ref");
  return reference ? at(document, std::string(reference->as_string()).substr(1))->as_object()
                   : schema.as_object();
}

void expect_fields(json::object const& schema, std::vector<Field> const& fields, std::string_view route) {
  auto const& properties = schema.at("properties").as_object();
  EXPECT_EQ(properties.size(), fields.size()) << route;
  std::set<std::string> needed;
  if (auto const* list = schema.if_contains("required")) {
    for (auto const& name : list->as_array()) needed.emplace(name.as_string());
  }
  for (auto const& field : fields) {
    ASSERT_TRUE(properties.contains(field.name)) << route << " " << field.name;
    EXPECT_EQ(properties.at(field.name).at("description"), json::value(field.description));
    EXPECT_EQ(needed.contains(std::string(field.name)), field.required) << route << " " << field.name;
  }
}

void expect_described(json::value const& document, Route const& route) {
  std::string method(method_name(route.method));
  for (auto& c : method) c = char(c - 'A' + 'a');
  std::string path(route.path);
  if (path.ends_with("...}")) path.erase(path.size() - 4, 3);  // OpenAPI has no notation for it
  auto const& operation = document.at("paths").at(path).at(method);
  EXPECT_EQ(operation.at("operationId"), json::value(route.doc.id));
  EXPECT_FALSE(operation.at("summary").as_string().empty());
  EXPECT_EQ(operation.at("security").as_array().empty(), !route.access.needs_token());

  std::set<std::string> parameters;
  if (auto const* list = operation.as_object().if_contains("parameters")) {
    for (auto const& parameter : list->as_array()) {
      parameters.insert(fmt::format("{} {}", std::string_view(parameter.at("in").as_string()),
                                    std::string_view(parameter.at("name").as_string())));
    }
  }
  std::set<std::string> expected;
  for (auto const& field : route.input().query) expected.insert(fmt::format("query {}", field.name));
  if (route.input().list) expected.insert({"query limit", "query cursor"});
  if (route.access.kind() == Access::Kind::player) expected.insert("query player");
  for (auto const& field : route.doc.headers) expected.insert(fmt::format("header {}", field.name));
  if (takes_idempotency_key(route)) expected.insert("header Idempotency-Key");
  for (auto open = path.find('{'); open != std::string::npos; open = path.find('{', open + 1)) {
    expected.insert(fmt::format("path {}", path.substr(open + 1, path.find('}', open) - open - 1)));
  }
  EXPECT_EQ(parameters, expected) << route.path;

  EXPECT_EQ(operation.as_object().contains("requestBody"), route.takes_body());
  if (!route.input().body.empty()) {
    auto const& schema =
        operation.at("requestBody").at("content").at("application/json").at("schema").as_object();
    expect_fields(schema, route.input().body, route.path);
    EXPECT_EQ(schema.at("additionalProperties"), false);
  }
  auto const& answer = operation.at("responses").at(fmt::to_string(route.doc.status)).as_object();
  if (!route.doc.answer.empty()) {
    auto const& schema = answer.at("content").at("application/json").at("schema");
    expect_fields(
        resolved(document, route.input().list ? schema.at("properties").at("items").at("items") : schema),
        route.doc.answer, route.path);
  }
  for (auto const& code : route.doc.refusals) {
    auto const& schema = operation.at("responses")
                             .at(fmt::to_string(status_of(code.kind)))
                             .at("content")
                             .at("application/problem+json")
                             .at("schema");
    auto const& codes = schema.at("properties").at("code").at("enum").as_array();
    EXPECT_NE(std::ranges::find(codes, json::value(code.name)), codes.end())
        << route.path << " " << code.name;
  }
}

std::vector<Api> all_apis() {
  static auto const systems = all_systems();
  return apis_of(systems);
}

void expect_all_described(std::vector<Api> const& apis) {
  json::value const document = make_openapi(apis);
  std::size_t count = 0;
  std::set<std::string_view> ids;
  for (auto const& api : apis) {
    for (auto const& route : api.tables | std::views::join) {
      expect_described(document, route);
      EXPECT_TRUE(ids.insert(route.doc.id).second) << route.doc.id;
      ++count;
    }
  }
  std::size_t described = 0;
  for (auto const& path : document.at("paths").as_object()) described += path.value().as_object().size();
  EXPECT_EQ(described, count);
  EXPECT_EQ(document.at("openapi"), "3.1.0");
  expect_references_resolve(document, document);
}

TEST(OpenApi, describes_every_route_and_field_of_the_server) { expect_all_described(all_apis()); }

TEST(OpenApi, describes_every_kind_of_route) { expect_all_described({{.tables = {test_routes()}}}); }

TEST(OpenApi, names_the_limits) {
  json::value const document = make_openapi({{.tables = {test_routes()}}});
  EXPECT_EQ(*at(document, "/components/schemas/UserId/pattern"), json::value(UserId::pattern()));
  EXPECT_EQ(*at(document, "/components/schemas/PositiveAmount/minimum"), 1);
  EXPECT_EQ(*at(document, "/components/schemas/Amount/maximum"), limits::amount_max);
  EXPECT_EQ(*at(document, "/components/schemas/Time/format"), "date-time");
  auto const* lots =
      at(document,
         "/paths/~1v1~1ledger~1entries/post/requestBody/content/application~1json/schema/properties/lots");
  ASSERT_TRUE(lots);
  EXPECT_EQ(*at(*lots, "/items/properties/at/oneOf/1/type"), "null");
}

TEST(OpenApi, a_value_of_several_kinds_is_one_of_them) {
  json::value const document = make_openapi(all_apis());
  auto const* amount = at(document,
                          "/paths/~1v1~1economy~1{realm}~1players~1{id}~1gamble/post/requestBody/content/"
                          "application~1json/schema/properties/amount");
  ASSERT_TRUE(amount);
  EXPECT_EQ(*at(*amount, "/oneOf/0/$ref"), "#/components/schemas/PositiveAmount");
  EXPECT_EQ(*at(*amount, "/oneOf/1/enum"), json::value(json::array{"all"}));
}

// A schema that allows anything tells a client nothing.
void expect_typed(json::value const& schema, std::string const& where) {
  auto const& object = schema.as_object();
  EXPECT_TRUE(object.contains("type") || object.contains("$ref") || object.contains("oneOf") ||
              object.contains("allOf"))
      << where;
  if (auto const* properties = object.if_contains("properties"); properties && object.contains("type")) {
    for (auto const& [name, member] : properties->as_object()) {
      expect_typed(member, where + "." + std::string(name));
    }
  }
  if (auto const* items = object.if_contains("items")) expect_typed(*items, where + "[]");
  if (auto const* options = object.if_contains("oneOf")) {
    for (auto const& option : options->as_array()) expect_typed(option, where);
  }
}

TEST(OpenApi, every_field_of_a_body_or_an_answer_has_a_type) {
  json::value const document = make_openapi(all_apis());
  for (auto const& [path, methods] : document.at("paths").as_object()) {
    for (auto const& [method, operation] : methods.as_object()) {
      auto const where = fmt::format("{} {}", std::string_view(method), std::string_view(path));
      if (auto const* schema = at(operation, "/requestBody/content/application~1json/schema")) {
        expect_typed(*schema, where);
      }
      for (auto const& [status, response] : operation.at("responses").as_object()) {
        if (auto const* schema = at(response, "/content/application~1json/schema")) {
          expect_typed(*schema, fmt::format("{} {}", where, std::string_view(status)));
        }
      }
    }
  }
}

TEST(OpenApi, in_progress_is_named_only_where_the_server_keeps_the_key) {
  json::value const document = make_openapi(all_apis());
  for (auto const& [path, methods] : document.at("paths").as_object()) {
    for (auto const& [method, operation] : methods.as_object()) {
      auto const text = json::serialize(operation);
      bool const takes_key = text.find(idempotency_header) != std::string::npos;
      bool const in_script =
          path.starts_with("/v1/economy/{realm}/") || path.ends_with("/join") || path.ends_with("/actions");
      EXPECT_EQ(text.find("\"in_progress\"") != std::string::npos, takes_key && !in_script) << path;
      EXPECT_EQ(text.find("\"idempotency_conflict\"") != std::string::npos, takes_key) << path;
    }
  }
}

TEST(OpenApi, tells_of_the_limit_where_there_is_a_token) {
  json::value const document = make_openapi({{.tables = {test_routes()}}});
  auto const* limited = at(document, "/paths/~1v1~1ledger~1secret/get/responses/429");
  ASSERT_TRUE(limited);
  EXPECT_EQ(*at(*limited, "/content/application~1problem+json/schema/properties/code/enum"),
            (json::array{"too_many_connections", "rate_limited"}));
  for (std::string const name : {"Retry-After", "RateLimit", "RateLimit-Policy"}) {
    ASSERT_TRUE(at(*limited, "/headers/" + name)) << name;
    EXPECT_TRUE(at(document, "/components/headers/" + name + "/schema")) << name;
  }
  auto const* unlimited = at(document, "/paths/~1hello/get/responses/429");
  ASSERT_TRUE(unlimited);
  EXPECT_EQ(*at(*unlimited, "/content/application~1problem+json/schema/properties/code/enum"),
            (json::array{"too_many_connections"}));
  EXPECT_FALSE(at(*unlimited, "/headers/RateLimit"));
}

TEST(OpenApi, is_served_with_its_page) {
  TestServer server;
  Client client(server.endpoint());
  EXPECT_EQ(client.get("/openapi.json").body, server.openapi());
  auto const page = client.get("/docs");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_TRUE(page.header("Content-Security-Policy").starts_with("default-src 'none'; script-src 'sha256-"));
  EXPECT_TRUE(page.body.ends_with("</html>\n"));
  for (auto const* outside : {"src=\"http", "href=\"http", "url(", "@import"}) {
    EXPECT_EQ(page.body.find(outside), std::string::npos) << outside;
  }
}

// For the validator that tests/openapi_validate runs.
TEST(OpenApi, writes_the_document_where_it_is_told) {
  auto const* path = std::getenv("LARDER_OPENAPI_OUT");  // NOLINT(concurrency-mt-unsafe)
  if (!path) GTEST_SKIP() << "LARDER_OPENAPI_OUT is not set";
  std::ofstream(path) << json::serialize(make_openapi(all_apis()));
}

}  // namespace

}  // namespace larder::http::test
