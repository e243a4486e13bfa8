// A WebSocket on which a service key plays for a player.
#pragma once

#include "server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <fmt/format.h>

namespace larder::bench {

class TownSocket {
 public:
  TownSocket(asio::io_context& io, Server const& server, UserId player)
      : server_(server), player_(std::move(player)), stream_(io) {}

  // Returns when the server has sent the town.
  Task<void> open() {
    namespace websocket = boost::beast::websocket;
    asio::ip::tcp::endpoint const address(asio::ip::make_address("127.0.0.1"), server_.port());
    co_await stream_.next_layer().async_connect(address, use_task);
    stream_.next_layer().set_option(asio::ip::tcp::no_delay(true));
    stream_.set_option(websocket::stream_base::decorator([this](websocket::request_type& request) {
      request.set(boost::beast::http::field::authorization, "Bearer " + server_.token());
    }));
    co_await stream_.async_handshake(
        "127.0.0.1", fmt::format("/v1/tribes/worlds/default/ws?player={}", player_.str()), use_task);
    co_await receive("state");
  }

  // `action` is an object without its last brace. Throws if the action is refused.
  Task<void> act(std::string_view action) {
    auto const text = fmt::format(R"({},"id":"{}"}})", action, next_id_++);
    co_await stream_.async_write(asio::buffer(text), use_task);
    auto const answer = co_await receive("response");
    if (answer.contains("\"problem\"")) throw std::runtime_error("refused: " + answer);
  }

  // Reads until the connection is lost, which is an exception.
  Task<void> listen() {
    for (;;) co_await receive("nothing");
  }

 private:
  // Skips messages of other types.
  Task<std::string> receive(std::string type) {
    for (;;) {
      boost::beast::flat_buffer buffer;
      co_await stream_.async_read(buffer, use_task);
      std::string text(static_cast<char const*>(buffer.data().data()), buffer.data().size());
      if (text.contains(fmt::format(R"("type":"{}")", type))) co_return text;
    }
  }

  Server const& server_;
  UserId player_;
  boost::beast::websocket::stream<asio::basic_stream_socket<asio::ip::tcp, Executor>> stream_;
  std::int64_t next_id_ = std::chrono::steady_clock::now().time_since_epoch().count();
};

}  // namespace larder::bench
