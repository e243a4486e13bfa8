#include "edges/http/test_web_socket.hpp"

#include "edges/http/test_server.hpp"

#include <set>

namespace larder::http::test {

std::string ClientFrame::bytes() const {
  std::string out(1, char(first));
  auto const append_size = [&](unsigned mark, int bytes) {
    out.push_back(char(0x80U | mark));
    for (int i = bytes - 1; i >= 0; --i) out.push_back(char(payload.size() >> (8 * i)));
  };
  if (payload.size() < 126) {
    append_size(unsigned(payload.size()), 0);
  } else if (payload.size() <= 0xFFFF) {
    append_size(126, 2);
  } else {
    append_size(127, 8);
  }
  out.append(mask.begin(), mask.end());
  for (std::size_t i = 0; i < payload.size(); ++i) out.push_back(char(payload[i] ^ mask[i % 4]));
  return out;
}

std::string handshake(std::string_view path, std::string_view more) {
  return fmt::format(
      "GET {} HTTP/1.1\r\nHost: game.example\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n{}\r\n",
      path, sample_key, more);
}

WebSocketClient::WebSocketClient(asio::ip::tcp::endpoint const& server, std::string_view path,
                                 std::string_view more, int receive_bytes)
    : client_(server, receive_bytes) {
  client_.send(handshake(path, more));
  reply_ = client_.receive();
}

int WebSocketClient::Frame::close_code() const {
  if (opcode != int(Opcode::close) || payload.size() < 2) return -1;
  return static_cast<unsigned char>(payload[0]) * 256 + static_cast<unsigned char>(payload[1]);
}

WebSocketClient::Frame WebSocketClient::receive() {
  auto const start = client_.receive_bytes(2);
  if (start.size() < 2) return {.opcode = -1, .payload = {}};
  auto const byte = [](char c) { return std::size_t(static_cast<unsigned char>(c)); };
  // A server does not mask frames, and ours does not fragment messages.
  LARDER_ASSERT((byte(start[0]) & 0xF0U) == 0x80 && byte(start[1]) <= 127);
  auto size = byte(start[1]);
  if (size >= 126) {
    auto const more = client_.receive_bytes(size == 126 ? 2 : 8);
    size = 0;
    for (char const c : more) size = size << 8U | byte(c);
  }
  return {.opcode = int(byte(start[0]) & 0x0FU), .payload = client_.receive_bytes(size)};
}

std::string WebSocketClient::ask(std::string_view text) {
  say(text);
  return receive().payload;
}

void WebSocketClient::close(CloseCode code) {
  send({.first = 0x88, .payload = {char(unsigned(code) >> 8U), char(unsigned(code) & 0xFFU)}});
}

namespace {

// The open sockets of this thread.
std::set<WebSocket*>& listeners() {
  thread_local std::set<WebSocket*> all;
  return all;
}

Task<void> talk(std::shared_ptr<WebSocket> socket, Request const& request) {
  struct Listening {
    WebSocket* socket;
    explicit Listening(WebSocket* s) : socket(s) { listeners().insert(s); }
    ~Listening() { listeners().erase(socket); }
  } const listening(socket.get());
  while (auto text = co_await socket->read()) {
    if (*text == "bye") co_return;
    if (*text == "throw") throw std::runtime_error("a session failed");
    if (*text == "close") socket->close(CloseCode::try_again, "come back later");
    if (*text == "who")
      *text = fmt::format("{} {}", request.path, request.caller ? request.caller->name : "anyone");
    if (*text == "hold") co_await wait_for_release();
    if (*text == "flood") {
      while (socket->send(std::string(10'000, 'x'))) co_await sleep_for(std::chrono::milliseconds(0));
    }
    if (text->starts_with("to all: ")) {
      // A socket that a send cuts off is removed later, so the set does not change here.
      for (auto* const listener : listeners()) listener->send(text->substr(8));
    } else {
      socket->send(*text);
    }
  }
}

}  // namespace

Answering get_socket(Request const& request) { co_return accept_web_socket(request, &talk); }

}  // namespace larder::http::test
