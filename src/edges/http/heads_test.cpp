// What the head of a request decides before its body is read, who may send bodies, and who may connect.
#include "edges/http/test_server.hpp"
#include "edges/http/test_web_socket.hpp"

#include <gtest/gtest.h>

namespace larder::http::test {

namespace {

constexpr std::string_view by_ledger = "Authorization: Bearer ledger\r\n";
constexpr std::string_view as_json = "Content-Type: application/json\r\n";

std::string head(std::string_view line, std::string_view fields, std::size_t length) {
  return fmt::format("{} HTTP/1.1\r\nHost: t\r\n{}Content-Length: {}\r\n\r\n", line, fields, length);
}

struct Refused {
  std::string_view line;
  std::string fields;
  int status;
  std::string_view code;
};

std::vector<Refused> refused_by_head() {
  return {
      {"POST /none", "", 404, "route_not_found"},
      {"POST /hello", "", 405, "method_not_allowed"},
      {"POST /names/%zz", "", 400, "invalid_request"},
      {"POST /v1/ledger/entries", "", 401, "unauthorized"},
      {"POST /v1/ledger/entries", "Authorization: Bearer no\r\n", 401, "unauthorized"},
      {"POST /v1/ledger/entries", "Authorization: Bearer store\r\n", 503, "store_unavailable"},
      {"POST /v1/ledger/entries", fmt::format("{}Origin: a\r\nOrigin: b\r\n", by_ledger), 400,
       "invalid_request"},
      {"POST /v1/ledger/entries", fmt::format("{}Content-Type: text/plain\r\n", by_ledger), 415,
       "unsupported_media_type"},
      {"POST /v1/ledger/entries", fmt::format("{}{}Content-Encoding: gzip\r\n", by_ledger, as_json), 415,
       "unsupported_media_type"},
      {"POST /echo", fmt::format("{}Content-Encoding: br\r\n", as_json), 415, "unsupported_media_type"},
  };
}

TEST(HttpHeads, a_request_that_its_head_condemns_is_refused_before_its_body) {
  TestServer server;
  for (auto const& [line, fields, status, code] : refused_by_head()) {
    for (std::string_view const expects : {"", "Expect: 100-continue\r\n"}) {
      Client client(server.endpoint());
      auto const reply = client.ask(head(line, fmt::format("{}{}", fields, expects), 500'000));
      ASSERT_EQ(reply.status, status) << line << fields;
      EXPECT_EQ(reply.code(), code);
      EXPECT_EQ(reply.header("Connection"), "close");
      EXPECT_TRUE(client.closed());
    }
  }
}

TEST(HttpHeads, a_short_body_of_a_refused_request_is_skipped) {
  TestServer server;
  Client client(server.endpoint());
  for (auto const& [line, fields, status, code] : refused_by_head()) {
    client.send(head(line, fields, 60'000));
    auto const reply = client.ask(std::string(60'000, 'x'));
    ASSERT_EQ(reply.status, status) << line << fields;
    EXPECT_EQ(reply.code(), code);
    EXPECT_EQ(reply.header("Connection"), "");
    EXPECT_EQ(client.get("/hello").status, 200);
  }
}

TEST(HttpHeads, whoever_waits_for_permission_gets_it_after_the_check) {
  TestServer server;
  Client client(server.endpoint());
  auto const asks =
      head("POST /v1/ledger/entries", fmt::format("{}{}Expect: 100-continue\r\n", by_ledger, as_json), 8);
  EXPECT_EQ(client.ask(asks).status, 100);
  EXPECT_EQ(client.ask(R"({"a": 1})").body, R"({"a":1})");
}

TEST(HttpHeads, a_token_that_was_revoked_while_the_body_arrived_is_refused) {
  TestServer server;
  Client client(server.endpoint());
  auto const asks =
      head("POST /v1/ledger/entries", fmt::format("{}{}Expect: 100-continue\r\n", by_ledger, as_json), 8);
  EXPECT_EQ(client.ask(asks).status, 100);
  server.scheme().knows_ledger = false;
  EXPECT_EQ(client.ask(R"({"a": 1})").status, 401);
}

TEST(HttpHeads, an_encoded_body_is_refused_even_if_it_is_empty_or_in_chunks) {
  TestServer server;
  for (std::string_view const length : {"Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"}) {
    Client client(server.endpoint());
    auto const reply = client.ask(
        fmt::format("POST /echo HTTP/1.1\r\nHost: t\r\n{}Content-Encoding: gzip\r\n{}", as_json, length));
    EXPECT_EQ(reply.status, 415);
    EXPECT_NE(reply.body.find("without Content-Encoding"), std::string::npos);
  }
}

// A client whose body was admitted, but has not been sent.
struct Admitted {
  Admitted(TestServer& server, std::string_view line, std::string_view fields, std::size_t bytes)
      : client(server.endpoint()),
        answer(client.ask(head(line, fmt::format("{}{}Expect: 100-continue\r\n", fields, as_json), bytes))) {}
  Client client;
  Reply answer;
};

TEST(HttpHeads, bodies_that_do_not_fit_into_memory_together_are_refused) {
  TestServer server({.bodies_bytes_max = 4'000'000}, 2);  // an address gets 250'000 of it without a token
  auto const text = fmt::format("\"{}\"", std::string(199'998, 'a'));
  Admitted first(server, "POST /echo", "", text.size());
  EXPECT_EQ(first.answer.status, 100);
  first.client.send(text.substr(1));
  Reply second;
  for (int i = 0; i < 10'000 && second.status != 503; ++i) {  // until the server has read what was sent
    Admitted other(server, "POST /echo", "", text.size());
    EXPECT_EQ(other.answer.status, 100);
    second = other.client.ask(text);
  }
  EXPECT_EQ(second.status, 503);
  EXPECT_EQ(second.code(), "server_busy");
  EXPECT_EQ(second.header("Retry-After"), "1");

  // Whoever has a token gets what strangers cannot take.
  Admitted caller(server, "POST /v1/ledger/entries", by_ledger, text.size());
  EXPECT_EQ(caller.client.ask(text).status, 200);
  EXPECT_EQ(Admitted(server, "POST /echo", "", 900'000).answer.status, 503) << "more than strangers ever get";

  EXPECT_EQ(first.client.ask("1").status, 400);       // its body is complete
  EXPECT_EQ(first.client.get("/hello").status, 200);  // so its memory was given back
  Admitted later(server, "POST /echo", "", text.size());
  EXPECT_EQ(later.client.ask(text).status, 200);
}

TEST(HttpHeads, what_stays_open_keeps_no_memory_of_a_body) {
  TestServer server({.bodies_bytes_max = 4'000'000}, 2);
  auto const text =
      fmt::format("\"{}\"", std::string(199'998, 'a'));  // two do not fit into an address' share
  Client socket(server.endpoint());
  socket.send(handshake("/socket", fmt::format("Content-Length: {}\r\n", text.size())));
  EXPECT_EQ(socket.ask(text).status, 101);
  Client other(server.endpoint());
  EXPECT_EQ(other.post("/echo", text).status, 200);

  auto const large = fmt::format("\"{}\"", std::string(699'998, 'a'));  // nor do two of these into a key's
  Client stream(server.endpoint());
  stream.send(head("GET /ticks", by_ledger, large.size()) + large);
  EXPECT_EQ(stream.receive(true).status, 200);
  EXPECT_EQ(other.post("/v1/ledger/entries", large, by_ledger).status, 200);
}

TEST(HttpHeads, one_address_has_so_many_connections_and_no_more) {
  TestServer server({.connections_per_address_max = 2}, 2);
  Client first(server.endpoint());
  EXPECT_EQ(first.get("/hello").status, 200);
  {
    Client second(server.endpoint());
    EXPECT_EQ(second.get("/hello", "X-Forwarded-For: 203.0.113.9\r\n").status, 200);
    Client third(server.endpoint());
    auto const reply = third.receive();
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(reply.header("Retry-After"), "1");
    EXPECT_TRUE(third.closed());
  }
  while (server.server().connections() > 1) std::this_thread::yield();
  Client fourth(server.endpoint());
  EXPECT_EQ(fourth.get("/hello").status, 200);
}

TEST(HttpHeads, behind_a_proxy_the_open_requests_of_an_address_count) {
  TestServer server({.connections_per_address_max = 1, .behind_proxy = true}, 2);
  std::string_view const one = "X-Forwarded-For: 198.51.100.1, 203.0.113.9\r\n";
  std::string_view const other = "X-Forwarded-For: 203.0.113.9, 198.51.100.1\r\n";
  Client busy(server.endpoint());
  busy.send(fmt::format("GET /hold HTTP/1.1\r\nHost: t\r\n{}\r\n", one));
  wait_until_held(1);
  Client client(server.endpoint());
  auto const refused = client.get("/hello", one);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.code(), "too_many_connections");
  EXPECT_EQ(refused.header("Retry-After"), "1");
  EXPECT_EQ(client.post("/echo", "1", one).status, 429);
  EXPECT_EQ(client.get("/hello", other).status, 200);
  release_held();
  EXPECT_EQ(busy.receive().status, 200);
  EXPECT_EQ(client.get("/hello", one).status, 200);  // an idle connection counts for nobody

  Client stream(server.endpoint());
  stream.send(fmt::format("GET /ticks HTTP/1.1\r\nHost: t\r\n{}{}\r\n", by_ledger, one));
  EXPECT_EQ(stream.receive(true).status, 200);
  EXPECT_EQ(client.get("/hello", one).status, 429);
}

TEST(HttpHeads, any_sign_of_a_proxy_hides_the_metrics) {
  TestServer server;
  Client client(server.endpoint());
  EXPECT_EQ(client.get("/metrics", "X-Prometheus-Scrape-Timeout-Seconds: 10\r\n").status, 200);
  for (std::string_view const fields :
       {"X-Forwarded-For:\r\nX-Forwarded-For: 203.0.113.9\r\n", "x-forwarded-for:\r\n",
        "Forwarded: \r\nForwarded: for=203.0.113.9\r\n", "X-Forwarded-Host: larder.example\r\n",
        "X-Forwarded-Proto: https\r\n", "X-Real-IP: 203.0.113.9\r\n", "Via: 1.1 proxy\r\n",
        "CF-Connecting-IP: 203.0.113.9\r\n", "True-Client-IP: 203.0.113.9\r\n"}) {
    EXPECT_EQ(client.get("/metrics", fields).status, 403) << fields;
  }
}

TEST(HttpHeads, several_origins_may_be_allowed) {
  TestServer server({.cors_origins = {"https://game.example", "http://localhost:5173"}});
  Client client(server.endpoint());
  struct Case {
    std::string_view origin;
    std::string_view allowed;
  };
  Case const cases[] = {{"https://game.example", "https://game.example"},
                        {"http://localhost:5173", "http://localhost:5173"},
                        {"https://evil.example", "https://game.example"},
                        {"http://localhost:51730", "https://game.example"}};
  for (auto const& [origin, allowed] : cases) {
    for (std::string_view const request : {"GET /hello", "GET /none", "OPTIONS /echo"}) {
      auto const reply =
          client.ask(fmt::format("{} HTTP/1.1\r\nHost: t\r\nOrigin: {}\r\n\r\n", request, origin));
      EXPECT_EQ(reply.header("Access-Control-Allow-Origin"), allowed) << origin;
      EXPECT_EQ(reply.header("Vary"), "Origin");
    }
  }
}

}  // namespace

}  // namespace larder::http::test
