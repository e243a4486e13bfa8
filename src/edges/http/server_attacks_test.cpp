// What a client can do to others: nothing. Each test is the short form of an attack of tests/attacks.
#include "edges/http/test_server.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <fstream>

namespace larder::http::test {

namespace {

std::string repeated(std::string_view request, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += request;
  return text;
}

TEST(HttpAttacks, a_long_pipeline_takes_turns_with_other_connections) {
  TestServer server;
  Client other(server.endpoint());
  other.get("/count");
  Client greedy(server.endpoint());
  constexpr int requests = 50;
  greedy.send("GET /stall HTTP/1.1\r\nHost: t\r\n\r\n" +
              repeated("GET /count HTTP/1.1\r\nHost: t\r\n\r\n", requests));
  wait_until_held(1);
  other.send("GET /count HTTP/1.1\r\nHost: t\r\n\r\n");  // arrives while the thread of the server is blocked
  release_held();

  EXPECT_EQ(greedy.receive().status, 204);
  int last = 0;
  for (int i = 0; i < requests; ++i) last = std::stoi(greedy.receive().body);
  EXPECT_LT(std::stoi(other.receive().body), last);
}

TEST(HttpAttacks, a_document_that_never_changes_is_compressed_once) {
  TestServer server;
  Client client(server.endpoint());
  for (std::string_view const path : {"/openapi.json", "/docs"}) {
    auto const plain = client.get(path);
    EXPECT_EQ(plain.header("Content-Encoding"), "") << path;
    EXPECT_EQ(plain.header("Vary"), "Accept-Encoding") << path;
    auto const packed = client.get(path, "Accept-Encoding: gzip\r\n");
    EXPECT_EQ(packed.header("Content-Encoding"), "gzip") << path;
    EXPECT_EQ(packed.header("Vary"), "Accept-Encoding") << path;
    EXPECT_EQ(gunzip(packed.body), plain.body) << path;

    client.send(fmt::format("HEAD {} HTTP/1.1\r\nHost: t\r\nAccept-Encoding: gzip\r\n\r\n", path));
    auto const head = client.receive(true);
    EXPECT_EQ(head.header("Content-Encoding"), "gzip") << path;
    EXPECT_EQ(head.header("Content-Length"), fmt::to_string(packed.body.size())) << path;
  }
}

TEST(HttpAttacks, an_answer_to_head_is_not_compressed) {
  TestServer server;
  Client client(server.endpoint());
  client.send("HEAD /large?bytes=50000 HTTP/1.1\r\nHost: t\r\nAccept-Encoding: gzip\r\n\r\n");
  auto const head = client.receive(true);
  EXPECT_EQ(head.header("Content-Encoding"), "gzip");
  EXPECT_EQ(head.header("Content-Length"), "");  // unknown
  EXPECT_EQ(client.get("/hello").status, 200);
}

// How many bytes the kernel keeps for this client on the server's side; nothing if it has no such connection.
std::optional<std::size_t> kept_by_kernel(TestServer const& server, Client const& client) {
  auto const ends = fmt::format(":{:04X} 0100007F:{:04X} ", server.endpoint().port(), client.port());
  std::ifstream table("/proc/net/tcp");
  for (std::string line; std::getline(table, line);) {
    auto const found = line.find(ends);
    if (found != std::string::npos) return std::stoul(line.substr(found + ends.size() + 3, 8), nullptr, 16);
  }
  return std::nullopt;
}

TEST(HttpAttacks, bodies_that_are_announced_and_do_not_come_take_no_memory_from_others) {
  TestServer server({.bodies_bytes_max = 16UL << 20U});
  constexpr std::string_view announcement =
      "Host: t\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\nExpect: 100-continue\r\n\r\n";
  std::deque<Client> idle;
  for (int i = 0; i < 40; ++i) {
    auto& known = idle.emplace_back(server.endpoint());
    known.send(
        fmt::format("POST /v1/ledger/entries HTTP/1.1\r\nAuthorization: Bearer ledger\r\n{}", announcement));
    auto& stranger = idle.emplace_back(server.endpoint());
    stranger.send(fmt::format("POST /echo HTTP/1.1\r\n{}", announcement));
    for (auto* const client : {&known, &stranger})
      ASSERT_EQ(client->receive_bytes(25), "HTTP/1.1 100 Continue\r\n\r\n") << i;
  }
  Client other(server.endpoint());
  EXPECT_EQ(other.post("/echo", "[1]").status, 200);
  EXPECT_EQ(other.post("/v1/ledger/entries", "[1]", "Authorization: Bearer admin\r\n").status, 200);
  EXPECT_EQ(other.post("/v1/ledger/entries", "[1]", "Authorization: Bearer ledger\r\n").status, 200);
}

TEST(HttpAttacks, the_kernel_keeps_little_for_a_client_that_does_not_read) {
  TestServer server;
  Client client(server.endpoint(), 4096);
  client.send("GET /large?bytes=30000000 HTTP/1.1\r\nHost: t\r\n\r\n");
  while (kept_by_kernel(server, client).value_or(0) == 0) std::this_thread::yield();
  Client(server.endpoint()).get("/hello");  // so the thread of the server has written what it could
  auto const kept = kept_by_kernel(server, client);
  ASSERT_TRUE(kept);
  EXPECT_LE(*kept, std::size_t(4 * limits::send_buffer_bytes));
}

TEST(HttpAttacks, nothing_is_kept_for_a_client_that_the_server_has_given_up) {
  struct Case {
    std::string_view what;
    std::string_view request;
    bool half_closed = false;
  };
  Case const cases[] = {
      {"an answer that does not fit", "GET /large?bytes=30000000 HTTP/1.1\r\nHost: t\r\n\r\n"},
      {"an answer that fits", "GET /large?bytes=100000 HTTP/1.1\r\nHost: t\r\n\r\n"},
      {"the last answer", "GET /large?bytes=100000 HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n"},
      {"an answer to a client that sends no more", "GET /large?bytes=100000 HTTP/1.1\r\nHost: t\r\n\r\n",
       true},
  };
  TestServer server({.idle_ms = 50, .write_deadline_ms = 50, .linger_ms = 50});
  for (auto const& [what, request, half_closed] : cases) {
    Client client(server.endpoint(), 4096);
    client.send(request);
    if (half_closed) client.finish_sending();
    auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (kept_by_kernel(server, client) && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    EXPECT_EQ(kept_by_kernel(server, client), std::nullopt) << what;
  }
}

TEST(HttpAttacks, a_slow_reader_gets_the_whole_last_answer) {
  TestServer server;
  for (bool const half_closed : {false, true}) {
    Client client(server.endpoint(), 4096);
    client.send("GET /large?bytes=3000000 HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
    if (half_closed) client.finish_sending();
    EXPECT_EQ(client.receive().body.size(), 3'000'000);
    EXPECT_TRUE(client.closed());
  }
}

}  // namespace

}  // namespace larder::http::test
