// A blocking client on a raw socket, so that tests can send what no proper client would send.
#pragma once

#include "edges/http/http_types.hpp"

#include <boost/asio/ip/tcp.hpp>

namespace larder::http::test {

struct Reply {
  int status = 0;  // 0: the connection was closed instead
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  std::string header(std::string_view name) const;
  json::object json() const { return json::parse(body).as_object(); }
  std::string code() const { return json::value_to<std::string>(json().at("code")); }
};

class Client {
 public:
  // `receive_bytes` sets a small receive window, so the server soon has to wait for this client to read.
  explicit Client(asio::ip::tcp::endpoint const& server, int receive_bytes = 0);
  ~Client();
  Client(Client const&) = delete;
  Client& operator=(Client const&) = delete;

  void send(std::string_view bytes);
  std::uint16_t port() const;  // of this end
  void finish_sending();
  Reply receive(bool to_head = false);
  Reply ask(std::string_view bytes);  // sends and receives
  Reply get(std::string_view target, std::string_view headers = "");
  Reply post(std::string_view target, std::string_view body, std::string_view headers = "");
  // Receives exactly this many bytes, or fewer if the server closes the connection first.
  std::string receive_bytes(std::size_t bytes);
  // Whether the server has closed the connection, with nothing left to read.
  bool closed();

 private:
  bool fill();

  int fd_;
  std::string buffer_;
};

std::string gunzip(std::string_view packed);

}  // namespace larder::http::test
