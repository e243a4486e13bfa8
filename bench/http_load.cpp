#include "http_load.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

namespace larder::bench {

namespace {

using Socket = asio::basic_stream_socket<asio::ip::tcp, Executor>;

// Does as little work per answer as possible, because the load generator must not be what is measured.
Task<void> exchange(Socket& socket, std::string const& request, std::string& buffer) {
  co_await asio::async_write(socket, asio::buffer(request), use_task);
  std::size_t filled = 0;
  for (;;) {
    filled += co_await socket.async_read_some(asio::buffer(buffer.data() + filled, buffer.size() - filled),
                                              use_task);
    std::string_view const text(buffer.data(), filled);
    auto const head = text.find("\r\n\r\n");
    if (head == std::string_view::npos) continue;
    auto const length = text.find("Content-Length: ");
    if (length == std::string_view::npos || !text.starts_with("HTTP/1.1 2")) {
      throw std::runtime_error("unexpected answer: " + std::string(text));
    }
    if (filled >= head + 4 + std::strtoul(text.data() + length + 16, nullptr, 10)) co_return;
  }
}

}  // namespace

Rate run_http_load(HttpLoad const& load) {
  asio::io_context io{1};
  asio::ip::tcp::endpoint const server(asio::ip::make_address("127.0.0.1"), load.port);
  std::vector<Socket> sockets;
  std::vector<std::string> buffers(std::size_t(load.connections), std::string(64UL * 1024, '\0'));
  for (int i = 0; i < load.connections; ++i) {
    sockets.emplace_back(io).connect(server);
    sockets.back().set_option(asio::ip::tcp::no_delay(true));
  }
  return run_clients(io, load.connections, load.time, [&](int client) -> Task<void> {
    auto const request = load.next_request();
    co_await exchange(sockets[std::size_t(client)], request, buffers[std::size_t(client)]);
  });
}

}  // namespace larder::bench
