// The size limits and formats of bodies.
#include "edges/http/bodies.hpp"

#include "edges/http/ndjson.hpp"
#include "edges/http/request_parser.hpp"
#include "edges/http/test_server.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace larder::http::test {

namespace {

constexpr std::string_view post_bulk = "POST /bulk HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n";

std::string chunk(std::size_t bytes) { return fmt::format("{:x}\r\n{}\r\n", bytes, std::string(bytes, '1')); }

TEST(HttpBodies, may_be_as_large_as_the_route_says) {
  TestServer server;
  Client client(server.endpoint());
  std::string const largest(limits::bulk_body_bytes_max, '1');
  EXPECT_EQ(client.post("/bulk", largest).body, R"({"bytes":8388608})");
  client.send(fmt::format("{}Transfer-Encoding: chunked\r\n\r\n", post_bulk));
  for (int i = 0; i < 8; ++i) client.send(chunk(1 << 20));
  EXPECT_EQ(client.ask("0\r\n\r\n").body, R"({"bytes":8388608})");
  EXPECT_EQ(client.get("/hello").status, 200);

  auto const over = client.post("/bulk", largest + "1");
  EXPECT_EQ(over.status, 413);
  EXPECT_EQ(over.code(), "body_too_large");
  EXPECT_EQ(over.json().at("detail"), "the body is larger than 8 MiB");
  EXPECT_TRUE(client.closed());
}

TEST(HttpBodies, are_refused_as_soon_as_they_are_announced) {
  TestServer server;
  struct Case {
    std::string request;
    std::string_view detail;
  };
  std::string const chunked = fmt::format("{}Transfer-Encoding: chunked\r\n\r\n", post_bulk);
  Case const cases[] = {
      {fmt::format("{}Content-Length: 8388609\r\n\r\n", post_bulk), "the body is larger than 8 MiB"},
      {fmt::format("{}Content-Length: 18446744073709551615\r\n\r\n", post_bulk),
       "the body is larger than 8 MiB"},
      {chunked + "800001\r\n", "the body is larger than 8 MiB"},
      {chunked + chunk(10) + "7ffff7\r\n", "the body is larger than 8 MiB"},
      {chunked + "ffffffffffffffff\r\n", "the body is larger than 8 MiB"},
      // Only POST /bulk takes such a large body.
      {"PUT /bulk HTTP/1.1\r\nHost: t\r\nContent-Length: 1048577\r\n\r\n", "the body is larger than 1 MiB"},
      {"POST /bulk/ HTTP/1.1\r\nHost: t\r\nContent-Length: 1048577\r\n\r\n", "the body is larger than 1 MiB"},
      {"POST /none HTTP/1.1\r\nHost: t\r\nContent-Length: 1048577\r\n\r\n", "the body is larger than 1 MiB"},
      {"POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n",
       "the body is larger than 1 MiB"},
      {"POST /echo?/bulk HTTP/1.1\r\nHost: t\r\nContent-Length: 1048577\r\n\r\n",
       "the body is larger than 1 MiB"},
  };
  for (auto const& [request, detail] : cases) {
    Client client(server.endpoint());
    auto const reply = client.ask(request);
    ASSERT_EQ(reply.status, 413) << request;
    EXPECT_EQ(reply.json().at("detail"), json::value(detail)) << request;
    EXPECT_TRUE(client.closed());
  }
}

TEST(HttpBodies, must_arrive_in_time_however_large_they_are) {
  TestServer server({.request_deadline_ms = 200});
  Client client(server.endpoint());
  client.send(fmt::format("{}Content-Length: 8000000\r\n\r\n", post_bulk));
  EXPECT_EQ(client.ask(std::string(2'000'000, '1')).status, 408);
  EXPECT_TRUE(client.closed());
}

TEST(HttpBodies, may_have_a_small_limit) {
  TestServer server;
  for (auto const& [body, status] : {std::pair(std::string(4096, ' '), 204),
                                     {std::string(4097, ' '), 413},
                                     {std::string(200'000, ' '), 413}}) {
    Client client(server.endpoint());
    auto const reply = client.post("/names/special", body);
    EXPECT_EQ(reply.status, status) << body.size();
    if (status == 413) EXPECT_EQ(reply.json().at("detail"), "the body is larger than 4 KiB");
  }
}

TEST(HttpBodies, are_documented_where_they_differ) {
  TestServer server;
  auto const paths = json::parse(server.openapi()).at("paths");
  EXPECT_EQ(paths.at("/bulk").at("post").at("requestBody").at("description"), "up to 8 MiB");
  EXPECT_TRUE(paths.at("/bulk").at("post").at("responses").as_object().contains("503"));
  EXPECT_FALSE(paths.at("/echo").at("post").at("requestBody").as_object().contains("description"));
}

std::string post_as(std::string_view path, std::string_view media, std::string_view body) {
  return fmt::format("POST {} HTTP/1.1\r\nHost: t\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", path,
                     media, body.size(), body);
}

TEST(HttpBodies, may_be_lines_of_json_where_the_route_says_so) {
  TestServer server;
  Client client(server.endpoint());
  for (auto const* media : {"application/x-ndjson", "Application/X-NDJSON ; charset=utf-8"}) {
    EXPECT_EQ(client.ask(post_as("/bulk", media, "{\"a\":1}\n\n[2]\r\n")).body,
              R"({"bytes":14,"values":[{"a":1},[2]]})");
  }
  EXPECT_EQ(client.ask(post_as("/bulk", "application/x-ndjson", "")).body, R"({"bytes":0,"values":[]})");
  EXPECT_EQ(client.ask(post_as("/bulk", "application/json", "1\n2")).body, R"({"bytes":3})");
  for (auto const* media : {"application/ndjson", "text/plain", "application/x-ndjson2", ""}) {
    auto const reply = client.ask(post_as("/bulk", media, "1"));
    EXPECT_EQ(reply.status, 415) << media;
    EXPECT_EQ(reply.json().at("detail"),
              "send the body as Content-Type: application/json or application/x-ndjson");
  }
  auto const elsewhere = client.ask(post_as("/echo", "application/x-ndjson", "1"));
  EXPECT_EQ(elsewhere.status, 415);
  EXPECT_EQ(elsewhere.json().at("detail"), "send the body as Content-Type: application/json");

  auto const paths = json::parse(server.openapi()).at("paths");
  EXPECT_TRUE(paths.at("/bulk")
                  .at("post")
                  .at("requestBody")
                  .at("content")
                  .as_object()
                  .contains("application/x-ndjson"));
}

TEST(NdjsonReader, walks_the_lines) {
  struct Case {
    std::string_view body;
    std::vector<std::string> lines;  // index and value, or the problem
  };
  Case const cases[] = {
      {"", {}},
      {"\n \n\t\r\n", {}},
      {"1", {"0 1"}},
      {"1\n", {"0 1"}},
      {"\n1\n\n\n2\r\n 3 \n", {"0 1", "1 2", "2 3"}},
      {"1\r2\n3", {"0 malformed JSON at line 1, column 3: extra data", "1 3"}},
      {"1 2\n\n{\n}\n3",
       {"0 malformed JSON at line 1, column 3: extra data",
        "1 malformed JSON at line 3, column 2: incomplete JSON",
        "2 malformed JSON at line 4, column 1: syntax error", "3 3"}},
      {"\"a\nb\"",
       {"0 malformed JSON at line 1, column 3: incomplete JSON",
        "1 malformed JSON at line 2, column 1: syntax error"}},
      {"\"\\n\"\n{\"a\":1,\"a\":2}", {"0 \"\\n\"", "1 a appears twice"}},
      {"\"\xC3\"\n[[[[1]]]]\n[[[1]]]",
       {"0 malformed JSON: it is not UTF-8", "1 JSON nested deeper than 3 levels", "2 [[[1]]]"}},
      {std::string_view("1\n\0\n2", 5), {"0 1", "1 malformed JSON at line 2, column 1: syntax error", "2 2"}},
  };
  for (auto const& [body, expected] : cases) {
    std::vector<std::string> lines;
    for (NdjsonReader reader(body, 3); auto line = reader.next();) {
      lines.push_back(fmt::format("{} {}", line->index,
                                  line->value ? json::serialize(*line->value) : line->value.error().detail));
    }
    EXPECT_EQ(lines, expected) << body;
  }
}

// A parser and its request, without a connection.
struct Upload {
  using State = RequestParser::State;

  Upload(Bodies& bodies, Sender who) : parser(bodies), sender(std::move(who)) { parser.reset(request); }
  State feed(std::string_view input) {
    auto state = parser.feed(input, request);
    if (state == State::head) {
      if (parser.begin_body(sender)) return State::failed;
      state = parser.feed(input, request);
    }
    return state;
  }
  RequestParser parser;
  Request request;
  Sender sender;
};

Sender stranger(std::string name = "10.0.0.1") {
  return {.kind = Sender::Kind::stranger, .name = std::move(name)};
}
Sender key(std::string name) { return {.kind = Sender::Kind::caller, .name = std::move(name)}; }

std::string announcement(std::size_t bytes) {
  return fmt::format("{}Content-Length: {}\r\n\r\n", post_bulk, bytes);
}
std::string whole(std::size_t bytes) { return announcement(bytes) + std::string(bytes, '1'); }

class BodiesTest : public testing::Test {
 protected:
  using State = RequestParser::State;

  // Keeps what has arrived so far.
  State feed(Sender sender, std::string const& request) {
    return uploads.emplace_back(bodies, std::move(sender)).feed(request);
  }

  Router router{{{.tables = {test_routes()}}}};
  // All strangers get 4 MiB, one of them 1 MiB, a key 4 MiB. Only small bodies get the last 4 MiB.
  Bodies bodies{router, 16 << 20};
  std::deque<Upload> uploads;
};

TEST_F(BodiesTest, an_announcement_takes_no_memory) {
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(feed(key("a"), announcement(8'000'000)), State::need_more);
    EXPECT_EQ(feed(stranger(), announcement(1'000'000)), State::need_more);
  }
  EXPECT_LT(uploads.back().request.body.capacity(), 1000);
  for (auto const& sender : {key("a"), key("b"), stranger()}) {
    EXPECT_EQ(feed(sender, whole(1'000'000)), State::complete) << sender.name;
  }
}

TEST_F(BodiesTest, the_memory_of_a_body_is_given_back) {
  Upload upload(bodies, stranger());
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(upload.feed(whole(1'000'000)), State::complete);
    EXPECT_EQ(upload.request.body.size(), 1'000'000);
    upload.parser.reset(upload.request);
    EXPECT_LT(upload.request.body.capacity(), 100);
  }
}

TEST_F(BodiesTest, chunks_take_memory_as_they_arrive) {
  auto const begin = fmt::format("{}Transfer-Encoding: chunked\r\n\r\n", post_bulk);
  Upload first(bodies, stranger());
  EXPECT_EQ(first.feed(begin + chunk(1'000'000)), State::need_more);
  Upload second(bodies, stranger());
  EXPECT_EQ(second.feed(begin + chunk(100'000)), State::failed);
  auto const answer = problem_response(second.parser.problem(), "r");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(json::parse(answer.body).at("code"), "server_busy");
  EXPECT_EQ(json::parse(answer.body).at("retry_after_s"), 1);
  EXPECT_EQ(answer.headers, (decltype(answer.headers){{"Retry-After", "1"}}));

  first.parser.reset(first.request);  // its answer was sent
  Upload third(bodies, stranger());
  EXPECT_EQ(third.feed(begin + chunk(1'000'000)), State::need_more);
}

TEST_F(BodiesTest, a_sender_can_take_its_share_only) {
  for (int i = 0; i < 4; ++i) EXPECT_EQ(feed(key("a"), whole(1 << 20)), State::complete);
  EXPECT_EQ(feed(key("a"), whole(1)), State::failed);
  EXPECT_EQ(feed(key("b"), whole(1 << 20)), State::complete);
  EXPECT_EQ(feed(stranger("10.0.0.1"), whole(1 << 20)), State::complete);
  EXPECT_EQ(feed(stranger("10.0.0.1"), whole(1)), State::failed);
  EXPECT_EQ(feed(stranger("10.0.0.2"), whole(1 << 20)), State::complete);
}

TEST_F(BodiesTest, strangers_get_a_quarter_which_callers_cannot_lose) {
  auto const address = [](int i) { return stranger(fmt::format("10.0.0.{}", i)); };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(feed(address(i), whole(1 << 20)), State::complete);
  EXPECT_EQ(feed(address(3), announcement(1 << 20)), State::failed) << "refused before it arrives";
  EXPECT_EQ(feed(address(3), whole(60'000)), State::complete);
  for (int i = 4; i < 40; ++i) feed(address(i), whole(60'000));
  EXPECT_EQ(feed(address(40), whole(60'000)), State::failed);
  EXPECT_EQ(feed(key("a"), whole(4 << 20)), State::complete);
}

TEST_F(BodiesTest, large_bodies_leave_room_for_small_ones) {
  for (auto const* const name : {"a", "b", "c"}) EXPECT_EQ(feed(key(name), whole(4 << 20)), State::complete);
  EXPECT_EQ(feed(key("d"), announcement(1 << 20)), State::failed);
  EXPECT_EQ(feed(key("d"), whole(Bodies::small_body_bytes_max)), State::complete);
  EXPECT_EQ(feed(stranger(), whole(200)), State::complete);
}

}  // namespace

}  // namespace larder::http::test
