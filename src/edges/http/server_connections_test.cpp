// How long connections live, how many there may be, and how the server stops.
#include "edges/http/test_server.hpp"

#include <gtest/gtest.h>

namespace larder::http::test {

namespace {

TEST(HttpConnections, drops_a_client_that_is_too_slow_to_ask) {
  TestServer server({.request_deadline_ms = 50});
  for (std::string_view const start :
       {"G", "GET /hello HTTP/1.1\r\nHost: t\r\n",
        "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n1"}) {
    Client client(server.endpoint());
    EXPECT_EQ(client.get("/hello").status, 200);
    auto const reply = client.ask(start);
    EXPECT_EQ(reply.status, 408) << start;
    EXPECT_EQ(reply.code(), "request_timeout");
    EXPECT_TRUE(client.closed());
  }
}

TEST(HttpConnections, closes_an_idle_connection_without_a_word) {
  TestServer server({.idle_ms = 50});
  Client fresh(server.endpoint());
  EXPECT_TRUE(fresh.closed());
  Client used(server.endpoint());
  EXPECT_EQ(used.get("/hello").status, 200);
  EXPECT_TRUE(used.closed());
}

TEST(HttpConnections, drops_a_client_that_does_not_read) {
  TestServer server({.write_deadline_ms = 50});
  Client client(server.endpoint(), 4096);
  client.send("GET /large?bytes=30000000 HTTP/1.1\r\nHost: t\r\n\r\n");
  while (server.server().connections() == 0) std::this_thread::yield();
  while (server.server().connections() > 0) std::this_thread::yield();
  EXPECT_EQ(client.receive().status, 0);
}

TEST(HttpConnections, drops_a_refused_client_that_does_not_go) {
  TestServer server({.linger_ms = 50});
  Client client(server.endpoint());
  EXPECT_EQ(client.ask("nonsense\r\n\r\n").status, 400);
  while (server.server().connections() > 0) std::this_thread::yield();
}

TEST(HttpConnections, does_not_charge_a_slow_handler_to_the_next_request) {
  TestServer server({.request_deadline_ms = 1000, .idle_ms = 1500});
  Client client(server.endpoint());
  client.send("GET /hold HTTP/1.1\r\nHost: t\r\n\r\nGET /hello HT");
  wait_until_held(1);
  Client witness(server.endpoint());
  EXPECT_TRUE(witness.closed());  // so the handler takes longer than a request may take to arrive
  release_held();
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.ask("TP/1.1\r\nHost: t\r\n\r\n").status, 200);
}

TEST(HttpConnections, hands_a_connection_over) {
  TestServer server;
  {
    Client client(server.endpoint());
    client.send(
        "GET /hello HTTP/1.1\r\nHost: t\r\n\r\nGET /shout HTTP/1.1\r\nHost: t\r\nUpgrade: "
        "loud\r\n\r\nhey\r\n\r\n");
    EXPECT_EQ(client.receive().status, 200);
    auto const reply = client.receive();
    EXPECT_EQ(reply.status, 101);
    EXPECT_EQ(reply.header("UPGRADE"), "LOUD");
    client.finish_sending();
  }
  while (server.server().connections() > 0) std::this_thread::yield();
  Client client(server.endpoint());
  client.send("GET /shout HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(client.receive().status, 101);
  EXPECT_FALSE(server.server().drain(0));
  EXPECT_TRUE(client.closed());
}

TEST(HttpConnections, streams_and_does_not_wait_for_the_end_of_a_stream) {
  TestServer server({.cors_origins = {"https://example.org"}});
  Client client(server.endpoint());
  client.send("GET /ticks HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer ledger\r\nX-Request-Id: mine\r\n\r\n");
  auto const head = client.receive(true);
  EXPECT_EQ(head.status, 200);
  for (auto const& [name, value] : {std::pair{"Content-Type", "text/plain"},
                                    {"X-Kind", "stream"},
                                    {"X-Request-Id", "mine"},
                                    {"Connection", "close"},
                                    {"Content-Length", ""},
                                    {"Access-Control-Allow-Origin", "https://example.org"}}) {
    EXPECT_EQ(head.header(name), value) << name;
  }
  EXPECT_FALSE(client.closed());  // the stream has sent a tick
  Client curious(server.endpoint());
  curious.send("HEAD /ticks HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer ledger\r\n\r\n");
  EXPECT_EQ(curious.receive(true).header("X-Kind"), "stream");
  EXPECT_TRUE(curious.closed());
  EXPECT_TRUE(server.server().drain(60'000));
}

TEST(HttpConnections, takes_no_more_connections_than_it_may) {
  TestServer server({.connections_max = 2});
  Client first(server.endpoint());
  EXPECT_EQ(first.get("/hello").status, 200);
  {
    Client second(server.endpoint());
    EXPECT_EQ(second.get("/hello").status, 200);
    Client third(server.endpoint());
    EXPECT_EQ(third.receive().status, 503);
    EXPECT_TRUE(third.closed());
    EXPECT_EQ(first.get("/hello").status, 200);
  }
  while (server.server().connections() > 1) std::this_thread::yield();
  Client fourth(server.endpoint());
  EXPECT_EQ(fourth.get("/hello").status, 200);
}

TEST(HttpConnections, drains) {
  TestServer server({}, 2);
  Client idle(server.endpoint());
  EXPECT_EQ(idle.get("/hello").status, 200);
  Client busy(server.endpoint());
  busy.send("GET /hold HTTP/1.1\r\nHost: t\r\n\r\n");
  wait_until_held(1);

  bool clean = false;
  std::jthread draining([&] { clean = server.server().drain(60'000); });
  EXPECT_TRUE(idle.closed());
  release_held();
  auto const reply = busy.receive();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.header("Connection"), "close");
  EXPECT_TRUE(busy.closed());
  draining.join();
  EXPECT_TRUE(clean);
  EXPECT_EQ(server.server().connections(), 0);
}

TEST(HttpConnections, cuts_off_what_does_not_end_in_time) {
  TestServer server;
  Client busy(server.endpoint());
  busy.send("GET /hold HTTP/1.1\r\nHost: t\r\n\r\n");
  wait_until_held(1);
  EXPECT_FALSE(server.server().drain(0));
  EXPECT_TRUE(busy.closed());
  release_held();
}

TEST(HttpConnections, serves_many_clients_on_several_threads) {
  TestServer server({}, 3);
  std::vector<std::jthread> clients;
  std::atomic<int> good = 0;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      Client client(server.endpoint());
      for (int i = 0; i < 100; ++i) {
        auto const name = fmt::format("{}-{}", c, i);
        good += client.get("/names/" + name).body == fmt::format(R"({{"name":"{}"}})", name);
      }
    });
  }
  clients.clear();
  EXPECT_EQ(good, 800);
}

}  // namespace

}  // namespace larder::http::test
