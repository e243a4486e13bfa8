#include "edges/http/web_socket.hpp"

#include "edges/http/test_server.hpp"
#include "edges/http/test_web_socket.hpp"

#include <gtest/gtest.h>

namespace larder::http::test {

namespace {

bool counted(TestServer& server, std::string_view line) {
  return server.metrics().text().find(fmt::format("{}\n", line)) != std::string::npos;
}
bool ended(TestServer& server, std::string_view reason, int times = 1) {
  return counted(server, fmt::format(R"(larder_web_sockets_closed_total{{reason="{}"}} {})", reason, times));
}
void wait_until_alone(TestServer& server) {
  while (server.server().connections() > 0) std::this_thread::yield();
}

TEST(WebSocketHandshake, agrees) {
  TestServer server;
  struct Case {
    std::string_view more;
    std::string_view subprotocol;
  };
  Case const cases[] = {{"", ""},
                        {"Sec-WebSocket-Protocol: larder, s3cr3t\r\n", "larder"},
                        {"Sec-WebSocket-Protocol: s3cr3t,larder\r\n", "larder"},
                        {"Sec-WebSocket-Protocol: larder\r\nSec-WebSocket-Protocol: s3cr3t\r\n", "larder"},
                        {"Sec-WebSocket-Protocol: s3cr3t\r\n", ""},
                        {"Sec-WebSocket-Extensions: permessage-deflate\r\n", ""},
                        {"Origin: https://game.example\r\n", ""},
                        {"Content-Length: 2\r\n", ""}};
  for (auto const& [more, subprotocol] : cases) {
    Client client(server.endpoint());
    auto request = handshake("/socket", more);
    if (more.starts_with("Content-Length")) request += "{}";
    client.send(request);
    auto const reply = client.receive();
    EXPECT_EQ(reply.status, 101) << more;
    EXPECT_EQ(reply.header("Upgrade"), "websocket");
    EXPECT_EQ(reply.header("Connection"), "Upgrade");
    EXPECT_EQ(reply.header("Sec-WebSocket-Accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    EXPECT_EQ(reply.header("Sec-WebSocket-Protocol"), subprotocol) << more;
    EXPECT_EQ(reply.header("Sec-WebSocket-Extensions"), "");
    EXPECT_EQ(reply.header("Content-Length"), "");
    EXPECT_EQ(reply.header("X-Request-Id").size(), 16);
    for (auto const& [name, value] : reply.headers)
      EXPECT_EQ(value.find("s3cr3t"), std::string::npos) << name;
  }
}

TEST(WebSocketHandshake, refuses_with_a_problem_document) {
  TestServer server;
  auto const line = [](std::string_view from, std::string_view to) {
    auto request = handshake("/socket");
    auto const at = request.find(from);
    LARDER_ASSERT(at != std::string::npos);
    return request.replace(at, from.size(), to);
  };
  struct Case {
    std::string request;
    int status;
    std::string_view code;
  };
  Case const cases[] = {
      {"GET /socket HTTP/1.1\r\nHost: t\r\n\r\n", 426, "upgrade_required"},
      {line("Upgrade: websocket\r\n", ""), 426, "upgrade_required"},
      {line("Upgrade: websocket", "Upgrade: h2c"), 426, "upgrade_required"},
      {line("keep-alive, Upgrade", "keep-alive"), 426, "upgrade_required"},
      {line("Connection", "X-Connection"), 426, "upgrade_required"},
      {line("HTTP/1.1", "HTTP/1.0"), 426, "upgrade_required"},
      {line("Sec-WebSocket-Version: 13\r\n", ""), 426, "upgrade_required"},
      {line("Version: 13", "Version: 8"), 426, "upgrade_required"},
      {line("Version: 13", "Version: 13, 8"), 426, "upgrade_required"},
      {line("Version: 13", "Version: 013"), 426, "upgrade_required"},
      {handshake("/socket", "Sec-WebSocket-Version: 8\r\n"), 426, "upgrade_required"},
      {line("Sec-WebSocket-Key", "X-Key"), 400, "invalid_request"},
      {line(sample_key, ""), 400, "invalid_request"},
      {line(sample_key, "dGhlIHNhbXBsZSBub25jZQ="), 400, "invalid_request"},
      {line(sample_key, "dGhlIHNhbXBsZSBub25jZQ=a"), 400, "invalid_request"},
      {line(sample_key, "dGhlIHNhbXBsZSBub25jZSE="), 400, "invalid_request"},
      {line(sample_key, "dGhlIHNhbXBsZSBub25jZ_=="), 400, "invalid_request"},
      {handshake("/socket", fmt::format("Sec-WebSocket-Key: {}\r\n", sample_key)), 400, "invalid_request"},
      {handshake("/socket", "Origin: https://evil.example\r\n"), 403, "forbidden"},
      {handshake("/socket", "Origin: null\r\n"), 403, "forbidden"},
      {line("GET /socket", "POST /socket"), 405, "method_not_allowed"},
  };
  for (auto const& [request, status, code] : cases) {
    Client client(server.endpoint());
    auto const reply = client.ask(request);
    ASSERT_EQ(reply.status, status) << request;
    EXPECT_EQ(reply.header("Content-Type"), "application/problem+json");
    EXPECT_EQ(reply.code(), code) << request;
    EXPECT_EQ(reply.header("Upgrade"), status == 426 ? "websocket" : "");
    EXPECT_EQ(reply.header("Sec-WebSocket-Version"), status == 426 ? "13" : "");
    if (request.find("HTTP/1.0") != std::string::npos) continue;
    EXPECT_EQ(client.get("/hello").status, 200) << "the connection is still there";
  }
  Client client(server.endpoint());
  client.send(line("GET", "HEAD"));
  EXPECT_EQ(client.receive(true).status, 426);
  EXPECT_TRUE(counted(server, "larder_web_sockets 0"));
}

TEST(WebSocketHandshake, checks_the_token_first) {
  TestServer server;
  struct Case {
    std::string_view more;
    int status;
  };
  Case const cases[] = {
      {"", 401},
      {"Origin: https://evil.example\r\n", 401},
      {"Sec-WebSocket-Protocol: larder\r\n", 401},
      {"Sec-WebSocket-Protocol: larder, wrong\r\nOrigin: https://evil.example\r\n", 401},
      {"Sec-WebSocket-Protocol: larder, ledger\r\nOrigin: https://evil.example\r\n", 403},
      {"Sec-WebSocket-Protocol: larder, ledger\r\nOrigin: http://game.example\r\n", 101},
      {"Sec-WebSocket-Protocol: larder, ledger\r\n", 101},
      {"Authorization: Bearer ledger\r\n", 101},
      {"Authorization: Bearer store\r\n", 503},
  };
  for (auto const& [more, status] : cases) {
    WebSocketClient client(server.endpoint(), "/v1/ledger/socket", more);
    EXPECT_EQ(client.reply().status, status) << more;
    if (status != 101) continue;
    EXPECT_EQ(client.ask("who"), "/v1/ledger/socket bot");
  }
}

TEST(WebSocketHandshake, is_documented) {
  TestServer server;
  auto const responses = json::parse(server.openapi()).at("paths").at("/socket").at("get").at("responses");
  EXPECT_FALSE(responses.at("101").as_object().contains("content"));
  for (auto const* status : {"400", "403", "426"})
    EXPECT_TRUE(responses.as_object().contains(status)) << status;
}

TEST(WebSocket, carries_messages_both_ways) {
  TestServer server;
  WebSocketClient client(server.endpoint());
  EXPECT_EQ(client.ask("hello"), "hello");
  EXPECT_TRUE(counted(server, "larder_web_sockets 1"));
  EXPECT_EQ(client.ask(""), "");
  for (std::size_t const size : {125UL, 126UL, 2048UL, 65'535UL, limits::web_socket_message_bytes_max}) {
    EXPECT_EQ(client.ask(std::string(size, 'x')), std::string(size, 'x'));
  }
  client.send({.first = 0x01, .payload = "in "});
  client.send({.first = 0x89, .payload = "still there?"});
  client.send({.first = 0x8A, .payload = "unasked"});
  client.send({.first = 0x80, .payload = "pieces"});
  auto const pong = client.receive();
  EXPECT_EQ(pong.opcode, int(Opcode::pong));
  EXPECT_EQ(pong.payload, "still there?");
  EXPECT_EQ(client.receive().payload, "in pieces");
  EXPECT_TRUE(counted(server, R"(larder_web_socket_messages_total{direction="in"} 8)"));
  EXPECT_TRUE(counted(server, R"(larder_web_socket_messages_total{direction="out"} 8)"));
}

TEST(WebSocket, takes_what_came_with_the_handshake) {
  TestServer server;
  Client raw(server.endpoint());
  std::string early;
  for (int i = 0; i < 500; ++i)
    early += ClientFrame{.first = 0x81, .payload = fmt::format("message {}", i)}.bytes();
  raw.send("GET /hello HTTP/1.1\r\nHost: t\r\n\r\n" + handshake("/socket") + early);
  EXPECT_EQ(raw.receive().status, 200);
  EXPECT_EQ(raw.receive().status, 101);
  for (int i = 0; i < 500; ++i) {
    std::string expected;
    append_frame(expected, Opcode::text, fmt::format("message {}", i));
    ASSERT_EQ(raw.receive_bytes(expected.size()), expected);
  }
}

TEST(WebSocket, answers_a_close) {
  TestServer server;
  struct Case {
    std::string payload;
    int answered;
  };
  Case const cases[] = {{"", 1000},
                        {"\x03\xE8", 1000},
                        {"\x03\xE9"
                         "bye",
                         1001},
                        {"\x0F\xA0", 4000}};
  for (auto const& [payload, answered] : cases) {
    WebSocketClient client(server.endpoint());
    client.say("before");
    client.send({.first = 0x88, .payload = payload});
    client.say("behind");
    EXPECT_EQ(client.receive().payload, "before");
    EXPECT_EQ(client.receive().close_code(), answered);
    EXPECT_EQ(client.receive().opcode, -1);
  }
  wait_until_alone(server);
  EXPECT_TRUE(ended(server, "client", 4));
  EXPECT_TRUE(counted(server, "larder_web_sockets 0"));
}

TEST(WebSocket, closes_when_the_session_ends) {
  TestServer server;
  struct Case {
    std::string_view message;
    int code;
    std::string_view reason;
    std::string_view counted;
  };
  Case const cases[] = {{"bye", 1000, "", "server"},
                        {"close", 1013, "come back later", "server"},
                        {"throw", 1011, "", "failed"}};
  for (auto const& [message, code, reason, why] : cases) {
    WebSocketClient client(server.endpoint());
    client.say(message);
    auto const closed = client.receive();
    EXPECT_EQ(closed.close_code(), code) << message;
    EXPECT_EQ(closed.payload.substr(2), reason);
    // Now the server ignores everything until the client closes, too.
    client.say("anybody there?");
    client.send({.first = 0x89, .payload = "?"});
    client.close();
    EXPECT_EQ(client.receive().opcode, -1) << message;
  }
  wait_until_alone(server);
  EXPECT_TRUE(ended(server, "server", 2));
  EXPECT_TRUE(ended(server, "failed"));
}

TEST(WebSocket, does_not_wait_for_ever_for_a_close) {
  TestServer server({.linger_ms = 50});
  WebSocketClient client(server.endpoint());
  client.say("bye");
  EXPECT_EQ(client.receive().close_code(), 1000);
  EXPECT_EQ(client.receive().opcode, -1);
  wait_until_alone(server);
}

TEST(WebSocket, closes_on_a_violation) {
  TestServer server;
  struct Case {
    ClientFrame frame;
    int code;
  };
  Case const cases[] = {
      {{.first = 0xC1, .payload = "a"}, 1002},
      {{.first = 0x80, .payload = "a"}, 1002},
      {{.first = 0x89, .payload = std::string(126, 'x')}, 1002},
      {{.first = 0x88, .payload = "\x03\xED"}, 1002},
      {{.first = 0x82, .payload = "a"}, 1003},
      {{.first = 0x81, .payload = "\xFF"}, 1007},
      {{.first = 0x81, .payload = std::string(limits::web_socket_message_bytes_max + 1, 'x')}, 1009},
  };
  for (auto const& [frame, code] : cases) {
    WebSocketClient client(server.endpoint());
    client.say("before");
    client.send(frame);
    client.raw().send(
        std::string(100'000, 'x'));  // must not reset the connection before the client knows the reason
    EXPECT_EQ(client.receive().payload, "before");
    EXPECT_EQ(client.receive().close_code(), code);
    EXPECT_EQ(client.receive().opcode, -1);
  }
  wait_until_alone(server);
  EXPECT_TRUE(ended(server, "violation", 7));
}

TEST(WebSocket, notices_that_the_client_is_gone) {
  TestServer server;
  {
    WebSocketClient client(server.endpoint());
    EXPECT_EQ(client.ask("hello"), "hello");
  }
  wait_until_alone(server);
  EXPECT_TRUE(ended(server, "lost"));
}

TEST(WebSocket, asks_a_silent_client_whether_it_is_there) {
  TestServer server({.web_socket_ping_ms = 20, .web_socket_pong_ms = 60'000});
  WebSocketClient client(server.endpoint());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.receive().opcode, int(Opcode::ping));
    client.send({.first = 0x8A, .payload = ""});
  }
  // Any other message also counts as a sign of life.
  EXPECT_EQ(client.receive().opcode, int(Opcode::ping));
  client.say("hello");
  auto next = client.receive();
  EXPECT_EQ(next.payload, "hello");
  EXPECT_EQ(client.receive().opcode, int(Opcode::ping));
}

TEST(WebSocket, cuts_off_a_client_that_does_not_answer) {
  TestServer server({.web_socket_ping_ms = 20, .web_socket_pong_ms = 20});
  WebSocketClient client(server.endpoint());
  EXPECT_EQ(client.receive().opcode, int(Opcode::ping));
  EXPECT_EQ(client.receive().opcode, -1);
  wait_until_alone(server);
  EXPECT_TRUE(ended(server, "silent"));
}

TEST(WebSocket, does_not_blame_the_client_for_a_busy_session) {
  TestServer server({.idle_ms = 500, .web_socket_ping_ms = 20, .web_socket_pong_ms = 20});
  WebSocketClient client(server.endpoint());
  client.say("hold");
  wait_until_held(1);
  Client witness(server.endpoint());
  EXPECT_TRUE(witness.closed());  // so the session was busy longer than the client's deadline
  release_held();
  auto frame = client.receive();
  while (frame.opcode == int(Opcode::ping)) frame = client.receive();
  EXPECT_EQ(frame.payload, "hold");
}

TEST(WebSocket, disconnects_a_client_that_does_not_read) {
  TestServer server;
  WebSocketClient slow(server.endpoint(), "/socket", "", 4096);
  WebSocketClient other(server.endpoint());
  slow.say("flood");
  while (!ended(server, "slow")) EXPECT_EQ(other.ask("hello"), "hello");
  EXPECT_EQ(other.ask("hello"), "hello");
  while (slow.receive().opcode != -1) continue;
  while (server.server().connections() > 1) std::this_thread::yield();
}

TEST(WebSocket, tells_everybody_although_one_does_not_read) {
  TestServer server;
  WebSocketClient speaker(server.endpoint());
  WebSocketClient reader(server.endpoint());
  WebSocketClient slow(server.endpoint(), "/socket", "", 4096);
  auto const news = "to all: " + std::string(60'000, 'n');
  int told = 0;
  for (; !ended(server, "slow"); ++told) {
    speaker.say(news);
    EXPECT_EQ(reader.receive().payload.size(), 60'000);
    EXPECT_EQ(speaker.receive().payload.size(), 60'000);
  }
  EXPECT_GT(told, 4);
  EXPECT_EQ(reader.ask("hello"), "hello");
}

TEST(WebSocket, sends_much_to_a_client_that_reads) {
  TestServer server;
  WebSocketClient client(server.endpoint(), "/socket", "", 4096);
  std::jthread speaking([&] {
    for (int i = 0; i < 400; ++i) client.say(fmt::format("{}{}", i, std::string(20'000, '.')));
  });
  for (int i = 0; i < 400; ++i)
    ASSERT_EQ(client.receive().payload, fmt::format("{}{}", i, std::string(20'000, '.')));
}

TEST(WebSocket, is_told_when_the_server_stops) {
  TestServer server({}, 2);
  std::deque<WebSocketClient> clients;
  for (int i = 0; i < 20; ++i) clients.emplace_back(server.endpoint());
  bool clean = false;
  std::jthread draining([&] { clean = server.server().drain(60'000); });
  for (auto& client : clients) {
    auto const closed = client.receive();
    EXPECT_EQ(closed.close_code(), 1001);
    EXPECT_EQ(closed.payload.substr(2), "the server stops");
    client.close(CloseCode::going_away);
    EXPECT_EQ(client.receive().opcode, -1);
  }
  draining.join();
  EXPECT_TRUE(clean);
  EXPECT_TRUE(ended(server, "drain", 20));
}

TEST(WebSocket, gets_its_answer_before_the_server_stops) {
  TestServer server;
  Client witness(server.endpoint());
  EXPECT_EQ(witness.get("/hello").status, 200);
  WebSocketClient client(server.endpoint());
  client.say("hold");
  wait_until_held(1);
  bool clean = false;
  std::jthread draining([&] { clean = server.server().drain(60'000); });
  EXPECT_TRUE(witness.closed());  // the drain has begun
  release_held();
  EXPECT_EQ(client.receive().payload, "hold");
  EXPECT_EQ(client.receive().close_code(), 1001);
  client.close(CloseCode::going_away);
  draining.join();
  EXPECT_TRUE(clean);
}

TEST(WebSocket, does_not_hold_up_a_server_that_stops) {
  {
    TestServer server({.linger_ms = 50});
    WebSocketClient deaf(server.endpoint());
    EXPECT_TRUE(server.server().drain(60'000));
    EXPECT_EQ(deaf.receive().close_code(), 1001);
    EXPECT_EQ(deaf.receive().opcode, -1);
  }
  TestServer server({.linger_ms = 60'000});
  WebSocketClient deaf(server.endpoint());
  WebSocketClient busy(server.endpoint());
  busy.say("hold");
  wait_until_held(1);
  EXPECT_FALSE(server.server().drain(0));
  EXPECT_EQ(deaf.receive().close_code(), 1001);
  EXPECT_EQ(deaf.receive().opcode, -1);
  EXPECT_EQ(busy.receive().opcode, -1);
  release_held();
  wait_until_alone(server);
}

// The io_context is destroyed while sockets are open and a write is waiting.
TEST(WebSocket, may_be_destroyed_at_any_time) {
  std::optional<TestServer> server(std::in_place);
  WebSocketClient idle(server->endpoint());
  WebSocketClient slow(server->endpoint(), "/socket", "", 4096);
  WebSocketClient busy(server->endpoint());
  busy.say("hold");
  wait_until_held(1);
  for (int i = 0; i < 20; ++i) slow.say(std::string(60'000, 'x'));
  EXPECT_EQ(idle.ask("hello"), "hello");
  server.reset();
  EXPECT_EQ(busy.receive().opcode, -1);
  forget_held();
}

TEST(WebSocket, serves_many_clients_on_several_threads) {
  TestServer server({}, 3);
  std::vector<std::jthread> clients;
  std::atomic<int> good = 0;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      WebSocketClient client(server.endpoint());
      for (int i = 0; i < 100; ++i) {
        auto const text = fmt::format("{}-{}", c, i);
        good += client.ask(text) == text;
      }
      client.close();
      good += client.receive().close_code() == 1000;
    });
  }
  clients.clear();
  EXPECT_EQ(good, 808);
}

}  // namespace

}  // namespace larder::http::test
