#include "edges/http/query.hpp"

#include "edges/http/gzip.hpp"

#include <gtest/gtest.h>

namespace larder::http {

namespace {

Request request_with(std::string query) {
  Request request;
  request.query = std::move(query);
  request.parameters = {{.name = "uid", .value = "ada"}, {.name = "id", .value = "12x"}};
  return request;
}

TEST(QueryReader, reads_every_kind_of_parameter) {
  auto const request =
      request_with("uid=a%2Bb&amount=5&from=2026-01-02T03:04:05Z&n=-3&q=two+words&raw&kind=b&limit=7");
  QueryReader in(request);
  static constexpr std::string_view kinds[] = {"a", "b"};
  EXPECT_EQ(in.path<UserId>("uid").str(), "ada");
  EXPECT_EQ(in.required<UserId>("uid").str(), "a+b");
  EXPECT_EQ(in.required<Amount>("amount").value(), 5);
  EXPECT_EQ(to_rfc3339(*in.optional<TimeMs>("from")), "2026-01-02T03:04:05.000Z");
  EXPECT_EQ(in.optional<TimeMs>("to"), std::nullopt);
  EXPECT_EQ(in.required_int("n", {.min = -5, .max = 5}), -3);
  EXPECT_EQ(in.required_text("q", {.chars_max = 20}), "two words");
  EXPECT_TRUE(in.flag("raw"));
  EXPECT_FALSE(in.flag("other"));
  EXPECT_EQ(in.optional_choice("kind", kinds), 1);
  auto const page = in.page();
  EXPECT_EQ(page.limit, 7);
  EXPECT_EQ(page.cursor, std::nullopt);
  EXPECT_EQ(in.finish(), std::nullopt);
}

TEST(QueryReader, takes_a_bounded_number_of_parameters) {
  std::string query;
  for (std::size_t i = 0; i < limits::query_parameters_max; ++i) query += fmt::format("n{}=v&", i);
  auto const problem_of = [](std::string text) {
    auto const request = request_with(std::move(text));
    return QueryReader(request).finish();
  };
  EXPECT_EQ(problem_of(query)->field, "n0");  // it is not known
  EXPECT_EQ(problem_of(query + "&&")->field, "n0");
  EXPECT_EQ(problem_of(query + "n100")->field, "query");
  EXPECT_EQ(problem_of(query + "n100")->detail, "query has more than 100 parameters");
  auto const repeated = query.replace(query.find("n70="), 4, "n20=");
  EXPECT_EQ(problem_of(repeated)->detail, "n20 appears twice");
}

TEST(QueryReader, refuses_by_name) {
  struct Case {
    std::string_view query;
    std::string_view field;
  };
  Case const cases[] = {
      {"uid=a&uid=a", "uid"},
      {"uid=a&x=1", "x"},
      {"", "uid"},
      {"uid=", "uid"},
      {"uid=a%20b", "uid"},
      {"uid=a&limit=0", "limit"},
      {"uid=a&limit=501", "limit"},
      {"uid=a&limit=1.5", "limit"},
      {"uid=a&limit=", "limit"},
      {"uid=a&from=today", "from"},
      {"uid=a&cursor=", "cursor"},
      {"uid=a&from=%zz", "from"},
      {"uid=a&limit=%2B5", "limit"},
      {"uid=%ff", "uid"},
      {"uid=a&%ff=1", "query"},
  };
  for (auto const& [query, field] : cases) {
    auto const request = request_with(std::string(query));
    QueryReader in(request);
    in.required<UserId>("uid");
    in.optional<TimeMs>("from");
    in.page();
    auto const problem = in.finish();
    ASSERT_TRUE(problem) << query;
    EXPECT_EQ(problem->field, field) << query << ": " << problem->detail;
    EXPECT_EQ(problem->code, errors::invalid_request);
  }
}

TEST(QueryReader, refuses_a_path_parameter_by_name) {
  auto const request = request_with("");
  QueryReader in(request);
  EXPECT_EQ(in.path_int("id", {.min = 1, .max = 99}), 1);
  EXPECT_EQ(in.finish()->detail, "id must be a whole number from 1 to 99");
}

TEST(Gzip, is_used_only_for_clients_that_accept_it) {
  for (std::string_view const yes :
       {"gzip", "GZIP", "deflate, gzip;q=0.5", "*", "br;q=1, *;q=0.1", "x-gzip", "gzip ; q=0.001"}) {
    EXPECT_TRUE(accepts_gzip(yes)) << yes;
  }
  for (std::string_view const no :
       {"", "identity", "gzip;q=0", "gzip; q=0.000, *", "*;q=0", "br, deflate", "gzipped"}) {
    EXPECT_FALSE(accepts_gzip(no)) << no;
  }
}

}  // namespace

}  // namespace larder::http
