// A blocking WebSocket client that can break every rule, and the session that it talks to.
#pragma once

#include "edges/http/handler.hpp"
#include "edges/http/test_client.hpp"
#include "edges/http/web_socket.hpp"

namespace larder::http::test {

// A frame from a client. `first` is its first byte: 0x80 for the last fragment, plus the opcode.
struct ClientFrame {
  unsigned first;
  std::string payload;
  std::array<unsigned char, 4> mask = {0x37, 0xfa, 0x21, 0x3d};
  std::string bytes() const;
};

constexpr std::string_view sample_key = "dGhlIHNhbXBsZSBub25jZQ==";

// The request line and header fields of a handshake. `more` has further header lines.
std::string handshake(std::string_view path, std::string_view more = "");

class WebSocketClient {
 public:
  explicit WebSocketClient(asio::ip::tcp::endpoint const& server, std::string_view path = "/socket",
                           std::string_view more = "", int receive_bytes = 0);

  struct Frame {
    int opcode;  // -1: the connection was closed
    std::string payload;
    int close_code() const;  // -1: not a close frame
  };
  Frame receive();
  std::string ask(std::string_view text);  // sends a text and receives one
  void send(ClientFrame const& frame) { client_.send(frame.bytes()); }
  void say(std::string_view text) { send({.first = 0x81, .payload = std::string(text)}); }
  void close(CloseCode code = CloseCode::normal);
  Reply const& reply() const { return reply_; }
  Client& raw() { return client_; }

 private:
  Client client_;
  Reply reply_;
};

// Echoes every message, except "bye", "throw", "close", "hold", "flood" and "to all: ...".
Answering get_socket(Request const& request);

}  // namespace larder::http::test
