#include "webhook_receiver.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include <array>

namespace larder::bench {

namespace {

constexpr std::string_view length_field = "\r\nContent-Length: ";
constexpr std::string_view accepted = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

// The bytes of the first request in the text; 0 if it is not complete.
std::size_t size_of_request(std::string_view text) {
  auto const end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  auto const length = text.find(length_field);
  auto const size = end + 4 + std::stoul(std::string(text.substr(length + length_field.size(), 8)));
  return text.size() < size ? 0 : size;
}

}  // namespace

WebhookReceiver::WebhookReceiver() : acceptor_(io_, {asio::ip::address_v4::loopback(), 0}) {
  asio::co_spawn(io_, accept(), asio::detached);
  thread_ = std::thread([this] { io_.run(); });
}

WebhookReceiver::~WebhookReceiver() {
  io_.stop();
  thread_.join();
}

std::string WebhookReceiver::url() const {
  return fmt::format("http://127.0.0.1:{}/", acceptor_.local_endpoint().port());
}

Task<void> WebhookReceiver::accept() {
  for (;;) {
    asio::basic_stream_socket<asio::ip::tcp, Executor> socket(io_);
    co_await acceptor_.async_accept(socket, use_task);
    asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
  }
}

Task<void> WebhookReceiver::serve(asio::basic_stream_socket<asio::ip::tcp, Executor> socket) {
  std::string in;
  std::array<char, 4096> chunk{};
  for (;;) {
    boost::system::error_code error;
    auto const read =
        co_await socket.async_read_some(asio::buffer(chunk), asio::redirect_error(use_task, error));
    if (error) co_return;
    in.append(chunk.data(), read);
    for (auto size = size_of_request(in); size > 0; size = size_of_request(in)) {
      in.erase(0, size);
      ++count_;
      co_await asio::async_write(socket, asio::buffer(accepted), asio::redirect_error(use_task, error));
      if (error) co_return;
    }
  }
}

}  // namespace larder::bench
