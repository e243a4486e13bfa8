#include "edges/http/server.hpp"

#include "edges/http/problem.hpp"
#include "edges/http/test_server.hpp"

#include <gtest/gtest.h>

namespace larder::http::test {

namespace {

// A server with one client.
class HttpAnswers : public testing::Test {
 protected:
  TestServer server;
  Client client{server.endpoint()};
};

TEST_F(HttpAnswers, answers_over_one_connection_again_and_again) {
  for (int i = 0; i < 3; ++i) {
    auto const reply = client.get("/hello");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, R"({"hello":"world"})");
    EXPECT_EQ(reply.header("Content-Type"), "application/json");
    EXPECT_EQ(reply.header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(reply.header("Cache-Control"), "no-store");
    EXPECT_EQ(reply.header("Connection"), "");
    EXPECT_TRUE(reply.header("Date").ends_with(" GMT"));
    EXPECT_EQ(reply.header("X-Request-Id").size(), 16);
  }
  EXPECT_EQ(server.server().connections(), 1);
}

TEST_F(HttpAnswers, refuses_with_a_problem_document) {
  struct Case {
    std::string_view request;  // target and headers of a GET
    int status;
    std::string_view code;
    std::string_view header;
    std::string_view value;
  };
  Case const cases[] = {
      {"/none HTTP/1.1\r\n", 404, "route_not_found", "", ""},
      {"/hello/ HTTP/1.1\r\n", 404, "route_not_found", "", ""},
      {"/names/%zz HTTP/1.1\r\n", 400, "invalid_request", "", ""},
      {"/names/%ff HTTP/1.1\r\n", 400, "invalid_request", "", ""},
      {"/nothing HTTP/1.1\r\n", 405, "method_not_allowed", "Allow", "DELETE"},
      {"/v1/ledger/secret HTTP/1.1\r\n", 401, "unauthorized", "WWW-Authenticate", "Bearer"},
      {"/v1/ledger/secret HTTP/1.1\r\nAuthorization: Bearer no\r\n", 401, "unauthorized", "WWW-Authenticate",
       "Bearer"},
      {"/v1/economy/secret HTTP/1.1\r\nAuthorization: Bearer ledger\r\n", 403, "forbidden", "", ""},
      {"/v1/ledger/secret HTTP/1.1\r\nAuthorization: Bearer store\r\n", 503, "store_unavailable",
       "Retry-After", "1"},
      {"/v1/unknown HTTP/1.1\r\n", 404, "route_not_found", "WWW-Authenticate", ""},
      {"/fail/rule HTTP/1.1\r\n", 409, "order_conflict", "", ""},
      {"/fail/rate HTTP/1.1\r\n", 429, "too_many", "Retry-After", "7"},
      {"/fail/store HTTP/1.1\r\n", 503, "store_unavailable", "Retry-After", "1"},
      {"/fail/bug HTTP/1.1\r\n", 500, "internal_error", "", ""},
      {"/fail/odd HTTP/1.1\r\n", 500, "internal_error", "", ""},
      {"/v1/users/u/things?limit=0 HTTP/1.1\r\n", 400, "invalid_request", "", ""},
      {"/metrics HTTP/1.1\r\nX-Forwarded-For: 203.0.113.9\r\n", 403, "forbidden", "", ""},
  };
  for (auto const& [request, status, code, header, value] : cases) {
    auto const reply = client.ask(fmt::format("GET {}Host: test\r\nX-Request-Id: r-1\r\n\r\n", request));
    ASSERT_EQ(reply.status, status) << request;
    EXPECT_EQ(reply.code(), code) << request;
    EXPECT_EQ(reply.header("Content-Type"), "application/problem+json");
    EXPECT_EQ(reply.json().at("status"), status);
    EXPECT_EQ(reply.json().at("title"), json::value(title_of(status)));
    EXPECT_EQ(reply.json().at("request_id"), "r-1");
    if (!header.empty()) {
      EXPECT_EQ(reply.header(header), value) << request;
    }
  }
}

TEST_F(HttpAnswers, tells_what_a_client_needs_and_nothing_of_the_inside) {
  EXPECT_EQ(client.get("/fail/store").json().at("outcome_unknown"), false);
  EXPECT_EQ(client.get("/fail/unknown").json().at("outcome_unknown"), true);
  EXPECT_EQ(client.get("/fail/rule").json().at("fields"), (json::array{"amount"}));
  for (auto const* path : {"/fail/store", "/fail/bug"}) {
    auto const body = client.get(path).body;
    EXPECT_EQ(body.find("10.0.0.7"), std::string::npos);
    EXPECT_EQ(body.find("secret"), std::string::npos);
  }
  auto const wrong = client.get("/v1/users/u/things?limit=0").json();
  EXPECT_EQ(wrong.at("field"), "limit");
}

TEST_F(HttpAnswers, lets_a_key_with_the_scope_in) {
  EXPECT_EQ(client.get("/v1/ledger/secret", "Authorization: Bearer ledger\r\n").json().at("caller"), "bot");
  EXPECT_EQ(client.get("/v1/economy/secret", "Authorization: Bearer admin\r\n").json().at("caller"), "root");
}

TEST_F(HttpAnswers, takes_a_sane_request_id_and_replaces_any_other) {
  EXPECT_EQ(client.get("/hello", "X-Request-Id: a.B_9-\r\n").header("X-Request-Id"), "a.B_9-");
  for (std::string const& id :
       {std::string(), std::string("a b"), std::string("a\"b"), std::string(65, 'a')}) {
    EXPECT_EQ(client.get("/hello", "X-Request-Id: " + id + "\r\n").header("X-Request-Id").size(), 16) << id;
  }
}

TEST_F(HttpAnswers, reads_parameters) {
  EXPECT_EQ(client.get("/v1/users/u%2B1/things?limit=3&cursor=c&from=2026-01-01T00:00:00Z").body,
            R"({"items":["u+1",3,"2026-01-01T00:00:00.000Z"],"next_cursor":"c"})");
  EXPECT_EQ(client.get("/v1/users/u/things").body, R"({"items":["u",50,""],"next_cursor":null})");
  EXPECT_EQ(client.get("/names/a%2Fb%20%C3%A9").body, "{\"name\":\"a/b \xC3\xA9\"}");
  EXPECT_EQ(client.get("http://any.host:80/names/x?").body, R"({"name":"x"})");
}

TEST_F(HttpAnswers, answers_head_as_get_without_the_body) {
  client.send("HEAD /hello HTTP/1.1\r\nHost: t\r\n\r\nHEAD /none HTTP/1.1\r\nHost: t\r\n\r\n");
  auto const good = client.receive(true);
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(good.header("Content-Length"), "17");
  EXPECT_EQ(client.receive(true).status, 404);
  EXPECT_EQ(client.get("/hello").status, 200);
}

TEST_F(HttpAnswers, sends_no_body_and_no_length_with_204) {
  auto const reply = client.ask("DELETE /nothing HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(reply.status, 204);
  EXPECT_EQ(reply.header("Content-Length"), "");
  EXPECT_EQ(reply.header("Content-Type"), "");
  EXPECT_EQ(client.get("/hello").status, 200);
}

TEST_F(HttpAnswers, answers_pipelined_requests_in_order) {
  std::string requests;
  for (int i = 0; i < 50; ++i) {
    requests += fmt::format("GET /names/{} HTTP/1.1\r\nHost: t\r\n\r\n", i);
    requests += "GET /none HTTP/1.1\r\nHost: t\r\n\r\n";
    requests += fmt::format(
        "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
        i < 10 ? 1 : 2, i);
    requests += "GET /fail/bug HTTP/1.1\r\nHost: t\r\n\r\n";
  }
  requests +=
      "GET /hello HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\nGET /hello HTTP/1.1\r\nHost: t\r\n\r\n";
  client.send(requests);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(client.receive().body, fmt::format(R"({{"name":"{}"}})", i));
    EXPECT_EQ(client.receive().status, 404);
    EXPECT_EQ(client.receive().body, fmt::to_string(i));
    EXPECT_EQ(client.receive().status, 500);
  }
  EXPECT_EQ(client.receive().header("Connection"), "close");
  EXPECT_TRUE(client.closed());
}

TEST_F(HttpAnswers, answers_a_pipeline_of_large_answers) {
  std::string requests;
  for (int i = 0; i < 20; ++i) requests += "GET /large?bytes=300000 HTTP/1.1\r\nHost: t\r\n\r\n";
  client.send(requests);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.receive().body.size(), 300'000);
}

TEST_F(HttpAnswers, reads_a_request_that_comes_byte_by_byte) {
  for (char c : std::string_view(
           "\r\nPOST /echo HTTP/1.1\r\nHost: t\r\nContent-Type: application/json; charset=utf-8\r\n"
           "Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n1;x=y\r\n2\r\n1\r\n]\r\n0\r\nTrailer: "
           "x\r\n\r\n")) {
    client.send(std::string_view(&c, 1));
  }
  EXPECT_EQ(client.receive().body, "[1,2]");
  EXPECT_EQ(client.get("/hello").status, 200);
}

TEST_F(HttpAnswers, does_not_take_a_trailer_for_a_header) {
  auto const reply = client.ask(
      "POST /v1/ledger/entries HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nTransfer-Encoding: "
      "chunked\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer ledger\r\n\r\n");
  EXPECT_EQ(reply.status, 401);
}

TEST_F(HttpAnswers, asks_a_client_that_waits_for_it_to_continue) {
  auto const asked = client.ask(
      "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: 4\r\nExpect: "
      "100-continue\r\n\r\n");
  EXPECT_EQ(asked.status, 100);
  EXPECT_EQ(client.ask("true").body, "true");
  auto const refused =
      client.ask("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 2000000\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(refused.status, 413);
  EXPECT_TRUE(client.closed());
}

TEST_F(HttpAnswers, speaks_http_1_0) {
  {
    Client once(server.endpoint());
    auto const reply = once.ask("GET /hello HTTP/1.0\r\n\r\n");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.header("Connection"), "close");
    EXPECT_TRUE(once.closed());
  }
  EXPECT_EQ(client.ask("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").header("Connection"),
            "keep-alive");
  EXPECT_EQ(client.get("/hello").status, 200);
}

TEST_F(HttpAnswers, ignores_the_body_of_a_get) {
  EXPECT_EQ(client.get("/hello", "Content-Length: 0\r\n").status, 200);
  EXPECT_EQ(client.ask("GET /hello HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nwhat?").status, 200);
  EXPECT_EQ(client.get("/hello").status, 200);
}

TEST_F(HttpAnswers, takes_only_json_bodies) {
  struct Case {
    std::string_view content_type;
    int status;
  };
  Case const cases[] = {{"Content-Type: application/json\r\n", 200},
                        {"Content-Type: Application/JSON ;charset=utf-8\r\n", 200},
                        {"Content-Type: text/plain\r\n", 415},
                        {"Content-Type: application/jsonp\r\n", 415},
                        {"", 415}};
  for (auto const& [content_type, status] : cases) {
    auto const reply = client.ask(
        fmt::format("POST /echo HTTP/1.1\r\nHost: t\r\n{}Content-Length: 2\r\n\r\n{{}}", content_type));
    EXPECT_EQ(reply.status, status) << content_type;
  }
  EXPECT_EQ(client.post("/echo", "{").code(), "invalid_request");
  EXPECT_EQ(client.post("/echo", "").code(), "invalid_request");
}

TEST_F(HttpAnswers, takes_a_body_up_to_the_limit) {
  auto const body = '"' + std::string(limits::body_bytes_max - 2, 'a') + '"';
  EXPECT_EQ(client.post("/echo", body).body, body);
  EXPECT_EQ(client.post("/echo", body + " ").code(), "body_too_large");
  EXPECT_TRUE(client.closed());

  Client chunked(server.endpoint());
  chunked.send(
      "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nTransfer-Encoding: "
      "chunked\r\n\r\n");
  auto const chunk = fmt::format("10000\r\n{}\r\n", std::string(0x10000, '1'));
  for (int i = 0; i < 17; ++i) chunked.send(chunk);
  EXPECT_EQ(chunked.receive().status, 413);
  EXPECT_TRUE(chunked.closed());
}

TEST_F(HttpAnswers, takes_a_header_up_to_the_limit) {
  auto const request = [](std::size_t bytes) {
    std::string const start = "GET /hello HTTP/1.1\r\nHost: t\r\nX-Long: ";
    return start + std::string(bytes - start.size() - 4, 'a') + "\r\n\r\n";
  };
  EXPECT_EQ(client.ask(request(limits::header_bytes_max)).status, 200);
  auto const reply = client.ask(request(limits::header_bytes_max + 1));
  EXPECT_EQ(reply.status, 431);
  EXPECT_EQ(reply.code(), "header_too_large");
  EXPECT_TRUE(client.closed());

  Client endless(server.endpoint());
  EXPECT_EQ(endless.ask("GET /" + std::string(9000, 'a')).status, 431);

  Client many(server.endpoint());
  std::string fields;
  for (int i = 0; i < 101; ++i) fields += "A: b\r\n";
  EXPECT_EQ(many.ask("GET /hello HTTP/1.1\r\n" + fields + "\r\n").status, 431);
  EXPECT_TRUE(many.closed());
}

struct Ambiguous {
  std::string_view what;
  std::string request;
  int status = 400;
};
std::vector<Ambiguous> ambiguous_requests() {
  using namespace std::string_literals;
  std::string const post = "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n";
  std::string const chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  return {
      {"length and chunks", post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"chunks and length", post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n"},
      {"two lengths", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n11"},
      {"the same length twice", post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n1"},
      {"a list of lengths", post + "Content-Length: 1, 1\r\n\r\n1"},
      {"a negative length", post + "Content-Length: -1\r\n\r\n1"},
      {"a signed length", post + "Content-Length: +1\r\n\r\n1"},
      {"a length in hex", post + "Content-Length: 0x1\r\n\r\n1"},
      {"an overflowing length", post + "Content-Length: 18446744073709551617\r\n\r\n1"},
      {"a length with a space", post + "Content-Length: 1 1\r\n\r\n1"},
      {"an empty length", post + "Content-Length:\r\n\r\n1"},
      {"chunked twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"chunked, chunked", post + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 501},
      {"another encoding", post + "Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n", 501},
      {"an encoding before chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
      {"almost chunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501},
      {"an empty encoding", post + "Transfer-Encoding:\r\n\r\n0\r\n\r\n", 501},
      {"chunks in HTTP/1.0", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"a space before the colon", post + "Content-Length : 1\r\n\r\n1"},
      {"a folded line", post + "X: a\r\n b\r\n\r\n"},
      {"a field without a name", post + ": a\r\n\r\n"},
      {"a line without a colon", post + "what\r\n\r\n"},
      {"a bare line feed", "GET /hello HTTP/1.1\nHost: t\n\n"},
      {"a bare line feed in the header", "GET /hello HTTP/1.1\r\nHost: t\nX: y\r\n\r\n"},
      {"a bare carriage return", "GET /hello HTTP/1.1\r\nHost: t\rX: y\r\n\r\n"},
      {"a NUL in a value", "GET /hello HTTP/1.1\r\nHost: t\r\nX: a\0b\r\n\r\n"s},
      {"a NUL in a name", "GET /hello HTTP/1.1\r\nHost: t\r\nX\0: ab\r\n\r\n"s},
      {"a NUL in the path", "GET /hel\0lo HTTP/1.1\r\nHost: t\r\n\r\n"s},
      {"a control character", "GET /hello HTTP/1.1\r\nHost: t\r\nX: a\x01z\r\n\r\n"},
      {"no host", "GET /hello HTTP/1.1\r\n\r\n"},
      {"two hosts", "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
      {"two spaces", "GET  /hello HTTP/1.1\r\nHost: t\r\n\r\n"},
      {"no version", "GET /hello\r\nHost: t\r\n\r\n"},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
      {"HTTP/1.2", "GET /hello HTTP/1.2\r\nHost: t\r\n\r\n"},
      {"a fragment", "GET /hello#x HTTP/1.1\r\nHost: t\r\n\r\n"},
      {"a relative path", "GET hello HTTP/1.1\r\nHost: t\r\n\r\n"},
      {"an authority", "CONNECT host:80 HTTP/1.1\r\nHost: t\r\n\r\n"},
      {"another expectation", post + "Expect: miracles\r\nContent-Length: 1\r\n\r\n", 417},
      {"a chunk size that is no number", chunked + "x\r\n1\r\n0\r\n\r\n"},
      {"a negative chunk size", chunked + "-1\r\n1\r\n0\r\n\r\n"},
      {"a chunk size with 0x", chunked + "0x1\r\n1\r\n0\r\n\r\n"},
      {"an overflowing chunk size", chunked + "10000000000000001\r\n1\r\n0\r\n\r\n"},
      {"an empty chunk size", chunked + "\r\n1\r\n0\r\n\r\n"},
      {"a chunk that is longer than said", chunked + "1\r\n11\r\n0\r\n\r\n"},
      {"a chunk header that ends in a bare line feed", chunked + "1\n1\r\n0\r\n\r\n"},
      {"a chunk that ends in a bare line feed", chunked + "1\r\n1\n0\r\n\r\n"},
      {"an endless chunk extension", chunked + "1;" + std::string(20'000, 'x')},
  };
}

TEST_F(HttpAnswers, refuses_what_two_readers_could_read_differently) {
  for (auto const& [what, request, status] : ambiguous_requests()) {
    Client sender(server.endpoint());
    // The request before must still be answered. What follows must not be read as a request.
    sender.send("GET /hello HTTP/1.1\r\nHost: t\r\n\r\n" + request +
                "GET /names/smuggled HTTP/1.1\r\nHost: t\r\n\r\n");
    EXPECT_EQ(sender.receive().status, 200) << what;
    auto const reply = sender.receive();
    EXPECT_EQ(reply.status, status) << what << ": " << reply.body;
    EXPECT_EQ(reply.header("Connection"), "close") << what;
    EXPECT_TRUE(sender.closed()) << what;
  }
  EXPECT_EQ(client.get("/hello").status, 200);
}

TEST_F(HttpAnswers, compresses_for_those_who_accept_it) {
  auto const packed = client.get("/large?bytes=50000", "Accept-Encoding: deflate, gzip\r\n");
  EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
  EXPECT_EQ(packed.header("Vary"), "Accept-Encoding");
  EXPECT_LT(packed.body.size(), 1000);
  EXPECT_EQ(gunzip(packed.body), std::string(50'000, 'x'));
  auto const again = client.get("/large?bytes=2000", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(gunzip(again.body), std::string(2000, 'x'));

  auto const refused = client.get("/large?bytes=50000", "Accept-Encoding: gzip;q=0\r\n");
  EXPECT_EQ(refused.header("Content-Encoding"), "");
  EXPECT_EQ(refused.header("Vary"), "Accept-Encoding");
  EXPECT_EQ(refused.body.size(), 50'000);
  auto const small = client.get("/large?bytes=100", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(small.header("Content-Encoding"), "");
  EXPECT_EQ(small.body.size(), 100);
}

TEST(HttpServer, answers_other_origins_only_if_told_so) {
  {
    TestServer server;
    Client client(server.endpoint());
    auto const reply =
        client.ask("OPTIONS /echo HTTP/1.1\r\nHost: t\r\nOrigin: https://game.example\r\n\r\n");
    EXPECT_EQ(reply.status, 405);
    EXPECT_EQ(reply.header("Access-Control-Allow-Origin"), "");
  }
  TestServer server({.cors_origins = {"https://game.example"}});
  Client client(server.endpoint());
  auto const preflight =
      client.ask("OPTIONS /echo HTTP/1.1\r\nHost: t\r\nOrigin: https://game.example\r\n\r\n");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(preflight.header("Access-Control-Allow-Methods"), "POST");
  EXPECT_EQ(preflight.header("Access-Control-Allow-Origin"), "https://game.example");
  EXPECT_NE(preflight.header("Access-Control-Allow-Headers").find("Authorization"), std::string::npos);
  auto const reply = client.get("/hello");
  EXPECT_EQ(reply.header("Access-Control-Allow-Origin"), "https://game.example");
  EXPECT_EQ(reply.header("Vary"), "Origin");
}

TEST_F(HttpAnswers, lets_any_token_in_where_no_scope_is_named) {
  EXPECT_EQ(client.get("/ticks").status, 401);
  EXPECT_EQ(client.get("/ticks", "Authorization: Bearer nonsense\r\n").status, 401);
  for (auto const* token : {"ledger", "admin"}) {
    Client other(server.endpoint());
    EXPECT_EQ(other.get("/ticks", fmt::format("Authorization: Bearer {}\r\n", token)).status, 200);
  }
}

TEST_F(HttpAnswers, counts_what_it_does) {
  client.get("/names/a");
  client.get("/names/b");
  client.get("/none");
  auto const text = client.get("/metrics").body;
  EXPECT_NE(text.find(R"(larder_http_requests_total{method="GET",route="/names/{name}",status="200"} 2)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"(larder_http_requests_total{method="GET",route="none",status="404"} 1)"),
            std::string::npos);
  EXPECT_NE(text.find(R"(larder_http_request_seconds_count{route="/names/{name}"} 2)"), std::string::npos);
  EXPECT_NE(text.find("larder_http_connections 1"), std::string::npos);
}

TEST_F(HttpAnswers, says_whether_it_is_ready) {
  EXPECT_EQ(client.get("/livez").status, 200);
  EXPECT_EQ(client.get("/healthz").status, 200);
  EXPECT_EQ(client.get("/readyz").body, R"({"status":"ok"})");
  EXPECT_EQ(client.get("/readyz?verbose").body, R"({"status":"ok","checks":{"server":"ok","redis":"ok"}})");
  server.store_answers = false;
  EXPECT_EQ(client.get("/readyz").status, 503);
  EXPECT_EQ(client.get("/readyz?verbose").json().at("checks").at("redis"), "failed");
  EXPECT_EQ(client.get("/readyz?verbose").json().at("problems").at("redis"),
            "it does not answer: see whether it runs; the log of the server says more");
  EXPECT_EQ(client.get("/livez").status, 200);
  server.store_answers = true;
  server.shutting_down = true;
  EXPECT_EQ(client.get("/readyz").code(), "not_ready");
  EXPECT_EQ(client.get("/readyz?verbose=maybe").status, 400);
}

TEST(HttpServer, shows_metrics_to_others_only_if_told_so) {
  TestServer server({.metrics_public = true});
  Client client(server.endpoint());
  EXPECT_EQ(client.get("/metrics", "X-Forwarded-For: 203.0.113.9\r\n").status, 200);
}

TEST(HttpServer, refuses_an_address_it_cannot_have) {
  for (std::string_view const wrong :
       {"", "7420", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "nowhere:1", "1.2.3:4"}) {
    EXPECT_THROW(parse_listen(wrong), SetupError) << wrong;
  }
  EXPECT_EQ(parse_listen("[::1]:80").address().to_string(), "::1");
  EXPECT_EQ(parse_listen("localhost:80").port(), 80);
}

}  // namespace

}  // namespace larder::http::test
