// Service keys that may do less than their scopes say.
#include "edges/http/test_server.hpp"
#include "edges/http/test_web_socket.hpp"

#include <gtest/gtest.h>

namespace larder::http::test {

namespace {

constexpr std::string_view reader = "Authorization: Bearer reader\r\n";
constexpr std::string_view of_main = "Authorization: Bearer main\r\n";

class KeyLimits : public testing::Test {
 protected:
  std::string_view refusal(Reply const& reply) {
    EXPECT_EQ(reply.status, 403) << reply.body;
    EXPECT_EQ(reply.code(), "forbidden");
    detail_ = json::value_to<std::string>(reply.json().at("detail"));
    return detail_;
  }

  TestServer server;
  Client client{server.endpoint()};

 private:
  std::string detail_;
};

TEST_F(KeyLimits, a_read_only_key_reads) {
  EXPECT_EQ(client.get("/v1/ledger/secret", reader).status, 200);
  auto const head = "HEAD /v1/ledger/secret HTTP/1.1\r\nHost: t\r\n" + std::string(reader) + "\r\n";
  client.send(head);
  EXPECT_EQ(client.receive(true).status, 200);
}

TEST_F(KeyLimits, a_read_only_key_writes_nothing) {
  auto const refused = client.post("/v1/ledger/entries", R"({"uid":"u","amount":1})", reader);
  EXPECT_TRUE(refusal(refused).contains("read-only"));
}

TEST_F(KeyLimits, a_read_only_key_opens_no_web_socket) {
  WebSocketClient const socket(server.endpoint(), "/v1/ledger/socket", reader);
  EXPECT_TRUE(refusal(socket.reply()).contains("no WebSocket"));
}

TEST_F(KeyLimits, a_key_without_the_scope_is_told_of_the_scope_first) {
  EXPECT_TRUE(refusal(client.get("/v1/economy/secret", reader)).contains("lacks the scope economy"));
  EXPECT_TRUE(refusal(client.get("/v1/ledger/secret", of_main)).contains("lacks the scope ledger"));
}

TEST_F(KeyLimits, a_key_of_some_realms_touches_these) {
  EXPECT_EQ(client.get("/v1/economy/main/secret", of_main).status, 200);
  EXPECT_EQ(client.get("/v1/economy/b%20c/secret", of_main).status, 200);
  EXPECT_EQ(client.get("/v1/economy/%6Dain/secret", of_main).status, 200);
}

TEST_F(KeyLimits, a_key_of_some_realms_touches_nothing_else) {
  EXPECT_TRUE(refusal(client.get("/v1/economy/other/secret", of_main)).contains("the realm other"));
  EXPECT_TRUE(refusal(client.get("/v1/economy/Main/secret", of_main)).contains("the realm Main"));
  EXPECT_TRUE(refusal(client.get("/v1/economy/secret", of_main)).contains("not about one realm"));
  EXPECT_TRUE(refusal(client.get("/ticks", of_main)).contains("not about one realm"));  // any token
}

}  // namespace

}  // namespace larder::http::test
