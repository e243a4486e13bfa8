#include "edges/http/router.hpp"

#include "edges/http/schema.hpp"

#include <gtest/gtest.h>

namespace larder::http {

namespace {

Answering nothing(Request const&) { co_return no_content(); }

Route route(Method method, std::string_view path) {
  return {method, path, Access::everyone(), &nothing, {.id = path, .summary = ""}};
}

struct OneText {
  std::string text;
};
Answering use_number(int&, OneText) { co_return no_content(); }

// Reads the `{x}` of its path, and works with an int.
Route reading_route(std::string_view path) {
  return {Method::get,
          path,
          Access::everyone(),
          handle(Schema<OneText>().path("x", kind::text(1, 9), &OneText::text, "a text"), &use_number),
          {.id = path, .summary = ""}};
}

struct Found {
  RouteMatch::Outcome outcome;
  std::string path;        // of the route
  std::string parameters;  // "uid=7 order=a/b"
  std::string allow;
  bool operator==(Found const&) const = default;
};

std::ostream& operator<<(std::ostream& out, Found const& found) {
  return out << int(found.outcome) << " [" << found.path << "] [" << found.parameters << "] [" << found.allow
             << "]";
}

Found find(Router const& router, Method method, std::string_view path) {
  std::vector<PathParameter> parameters;
  auto const match = router.match(method, path, parameters);
  Found found{match.outcome, match.entry ? std::string(match.entry->route->path) : "", "",
              std::string(match.allow)};
  for (auto const& [name, value] : parameters) {
    found.parameters += fmt::format("{}{}={}", found.parameters.empty() ? "" : " ", name, value);
  }
  return found;
}

TEST(Router, finds_what_the_table_says) {
  static Route const routes[] = {
      route(Method::get, "/"),
      route(Method::get, "/v1/users/{id}"),
      route(Method::put, "/v1/users/{uid}"),
      route(Method::post, "/v1/users/select"),
      route(Method::get, "/v1/users/select/all"),
      route(Method::get, "/v1/users/{id}/orders/{order}"),
      route(Method::delete_, "/v1/things"),
      route(Method::get, "/files/{path...}"),
      route(Method::put, "/files/{name...}"),
      route(Method::get, "/files/{name}/info"),
      route(Method::post, "/files/list"),
      route(Method::get, "/{realm}/files/{path...}"),
  };
  Router const router({{.tables = {routes}}});
  using enum RouteMatch::Outcome;
  struct Case {
    Method method;
    std::string_view path;
    Found expected;
  };
  Case const cases[] = {
      {Method::get, "/", {found, "/", "", "GET, HEAD"}},
      {Method::head, "/", {found, "/", "", "GET, HEAD"}},
      {Method::get, "/v1/users/7", {found, "/v1/users/{id}", "id=7", "GET, HEAD, PUT"}},
      {Method::put, "/v1/users/7", {found, "/v1/users/{uid}", "uid=7", "GET, HEAD, PUT"}},
      {Method::get, "/v1/%75sers/7", {found, "/v1/users/{id}", "id=7", "GET, HEAD, PUT"}},
      {Method::post, "/v1/users/select", {found, "/v1/users/select", "", "POST"}},
      {Method::get, "/v1/users/select", {method_not_allowed, "", "", "POST"}},
      {Method::get,
       "/v1/users/select/orders/3",
       {found, "/v1/users/{id}/orders/{order}", "id=select order=3", "GET, HEAD"}},
      {Method::get,
       "/v1/users/a%2Fb/orders/%C3%A9",
       {found, "/v1/users/{id}/orders/{order}", "id=a/b order=\xC3\xA9", "GET, HEAD"}},
      {Method::post, "/v1/users/7/orders/3", {method_not_allowed, "", "", "GET, HEAD"}},
      {Method::other, "/v1/things", {method_not_allowed, "", "", "DELETE"}},
      {Method::options, "/v1/things", {method_not_allowed, "", "", "DELETE"}},
      {Method::get, "/files/a", {found, "/files/{path...}", "path=a", "GET, HEAD, PUT"}},
      {Method::put, "/files/a", {found, "/files/{name...}", "name=a", "GET, HEAD, PUT"}},
      {Method::post, "/files/a/b", {method_not_allowed, "", "", "GET, HEAD, PUT"}},
      {Method::get,
       "/files/a/b.c/%20%C3%A9",
       {found, "/files/{path...}", "path=a/b.c/ \xC3\xA9", "GET, HEAD, PUT"}},
      {Method::get,
       "/files/../../etc/passwd",
       {found, "/files/{path...}", "path=../../etc/passwd", "GET, HEAD, PUT"}},
      {Method::get, "/files/%2e%2e%2fetc", {found, "/files/{path...}", "path=../etc", "GET, HEAD, PUT"}},
      {Method::get, "/files/a/info", {found, "/files/{name}/info", "name=a", "GET, HEAD"}},
      {Method::get, "/files/a/info/b", {found, "/files/{path...}", "path=a/info/b", "GET, HEAD, PUT"}},
      {Method::get, "/files/list", {method_not_allowed, "", "", "POST"}},
      {Method::get, "/files/list/a", {found, "/files/{path...}", "path=list/a", "GET, HEAD, PUT"}},
      {Method::get, "/files//a", {found, "/files/{path...}", "path=/a", "GET, HEAD, PUT"}},
      {Method::get, "/files/a/", {found, "/files/{path...}", "path=a/", "GET, HEAD, PUT"}},
      {Method::get, "/r/files/a/b", {found, "/{realm}/files/{path...}", "realm=r path=a/b", "GET, HEAD"}},
      {Method::get, "/files/files/b", {found, "/files/{path...}", "path=files/b", "GET, HEAD, PUT"}},
      {Method::get, "/files", {not_found, "", "", ""}},
      {Method::get, "/files/", {not_found, "", "", ""}},
      {Method::get, "/files/1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6", {not_found, "", "", ""}},
      {Method::get, "/files/a/%zz", {malformed, "", "", ""}},
      {Method::get, "/files/%00", {malformed, "", "", ""}},
      {Method::get, "/v1/users", {not_found, "", "", ""}},
      {Method::get, "/v1/users/", {not_found, "", "", ""}},
      {Method::get, "/v1/users/7/", {not_found, "", "", ""}},
      {Method::get, "//", {not_found, "", "", ""}},
      {Method::get, "/V1/users/7", {not_found, "", "", ""}},
      {Method::get, "/1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7", {not_found, "", "", ""}},
      {Method::get, "/v1/users/%", {malformed, "", "", ""}},
      {Method::get, "/v1/users/%4", {malformed, "", "", ""}},
      {Method::get, "/v1/users/%zz", {malformed, "", "", ""}},
      {Method::get, "/v1/users/%00", {malformed, "", "", ""}},
      {Method::get, "/v1/users/%C3%28", {malformed, "", "", ""}},
      {Method::get, "/v1/users/%ED%A0%80", {malformed, "", "", ""}},
      {Method::get, "/v1/users/\xff", {malformed, "", "", ""}},
      {Method::get, "*", {malformed, "", "", ""}},
  };
  for (auto const& [method, path, expected] : cases) {
    EXPECT_EQ(find(router, method, path), expected) << method_name(method) << " " << path;
  }
}

TEST(Router, refuses_a_table_that_cannot_be_right) {
  static Route const twice[] = {route(Method::get, "/a/{x}"), route(Method::get, "/a/{y}")};
  static Route const trailing[] = {route(Method::get, "/a/")};
  static Route const relative[] = {route(Method::get, "a")};
  static Route const tails[] = {route(Method::get, "/a/{x...}"), route(Method::get, "/a/{y...}")};
  static Route const inner_tail[] = {route(Method::get, "/a/{x...}/b")};
  static Route const other_name[] = {reading_route("/a/{y}")};
  static Route const options[] = {route(Method::options, "/a")};
  for (std::span<Route const> const table :
       {std::span<Route const>(twice), std::span<Route const>(trailing), std::span<Route const>(relative),
        std::span<Route const>(tails), std::span<Route const>(inner_tail), std::span<Route const>(options),
        std::span<Route const>(other_name)}) {
    EXPECT_THROW(Router({{.tables = {table}}}), SetupError);
  }
}

TEST(Router, refuses_a_handler_that_cannot_work_with_the_part_of_its_system) {
  static Route const routes[] = {reading_route("/a/{x}")};
  Router const router({{.tables = {routes}}});
  EXPECT_NO_THROW(router.check_parts({Part(std::make_shared<int>(1))}));
  EXPECT_THROW(router.check_parts({Part(std::make_shared<long>(1))}), SetupError);
  EXPECT_THROW(router.check_parts({Part()}), SetupError);
  EXPECT_THROW(router.check_parts({}), SetupError);
}

}  // namespace

}  // namespace larder::http
