#include "edges/http/test_client.hpp"

#include <fmt/format.h>

#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

namespace larder::http::test {

std::string Reply::header(std::string_view name) const {
  for (auto const& [key, value] : headers) {
    if (equals_ignoring_case(key, name)) return value;
  }
  return {};
}

Client::Client(asio::ip::tcp::endpoint const& server, int receive_bytes)
    : fd_(::socket(server.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  LARDER_ASSERT(fd_ >= 0);
  if (receive_bytes > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
  timeval const patience{.tv_sec = 30, .tv_usec = 0};  // a test must end, even if it fails
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  LARDER_ASSERT(::connect(fd_, server.data(), socklen_t(server.size())) == 0);
}

Client::~Client() { ::close(fd_); }

void Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    auto const sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // closed by the server; the test reads what the server sent before that
    bytes.remove_prefix(std::size_t(sent));
  }
}

std::uint16_t Client::port() const {
  asio::ip::tcp::endpoint here;
  auto size = socklen_t(here.capacity());
  LARDER_ASSERT(::getsockname(fd_, here.data(), &size) == 0);
  return here.port();
}

void Client::finish_sending() { ::shutdown(fd_, SHUT_WR); }

bool Client::fill() {
  char bytes[16 * 1024];
  auto const got = ::recv(fd_, bytes, sizeof bytes, 0);
  if (got <= 0) return false;
  buffer_.append(bytes, std::size_t(got));
  return true;
}

bool Client::closed() { return buffer_.empty() && !fill(); }

Reply Client::receive(bool to_head) {
  while (buffer_.find("\r\n\r\n") == std::string::npos) {
    if (!fill()) return {};
  }
  auto const header_end = buffer_.find("\r\n\r\n");
  std::string_view head = std::string_view(buffer_).substr(0, header_end);
  Reply reply;
  reply.status = std::stoi(std::string(head.substr(9, 3)));
  std::size_t length = 0;
  for (auto at = head.find("\r\n"); at != std::string_view::npos;) {
    auto const end = std::min(head.find("\r\n", at + 2), head.size());
    auto const line = head.substr(at + 2, end - at - 2);
    auto const colon = line.find(": ");
    LARDER_ASSERT(colon != std::string_view::npos);
    reply.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    if (reply.headers.back().first == "Content-Length") length = std::stoul(reply.headers.back().second);
    at = end == head.size() ? std::string_view::npos : end;
  }
  buffer_.erase(0, header_end + 4);
  if (to_head) return reply;
  while (buffer_.size() < length) {
    if (!fill()) return {};
  }
  reply.body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return reply;
}

std::string Client::receive_bytes(std::size_t bytes) {
  while (buffer_.size() < bytes && fill()) continue;
  auto const received = buffer_.substr(0, bytes);
  buffer_.erase(0, received.size());
  return received;
}

Reply Client::ask(std::string_view bytes) {
  send(bytes);
  return receive();
}

Reply Client::get(std::string_view target, std::string_view headers) {
  return ask(fmt::format("GET {} HTTP/1.1\r\nHost: test\r\n{}\r\n", target, headers));
}

Reply Client::post(std::string_view target, std::string_view body, std::string_view headers) {
  return ask(fmt::format(
      "POST {} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{}\r\n{}",
      target, body.size(), headers, body));
}

std::string gunzip(std::string_view packed) {
  z_stream zlib = {};
  LARDER_ASSERT(inflateInit2(&zlib, 15 + 16) == Z_OK);
  std::string out(1 << 20, '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  zlib.avail_in = uInt(packed.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = uInt(out.size());
  auto const state = inflate(&zlib, Z_FINISH);
  inflateEnd(&zlib);
  LARDER_ASSERT(state == Z_STREAM_END);
  out.resize(zlib.total_out);
  return out;
}

}  // namespace larder::http::test
