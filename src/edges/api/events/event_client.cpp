#include "edges/api/events/event_client.hpp"

#include "base/limits.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

namespace larder::api {

// Shared with handlers that may run after the EventClient and its socket are gone.
struct EventClient::Watch : std::enable_shared_from_this<Watch> {
  Watch(Socket& s, std::function<void()> f) : socket(&s), on_gone(std::move(f)), deadline(s.get_executor()) {}

  void read() {
    socket->async_read_some(asio::buffer(ignored), [self = shared_from_this()](auto error, std::size_t) {
      if (!self->socket) return;
      if (!error) return self->read();
      self->gone = true;
      self->on_gone();
    });
  }
  void limit_time() {
    deadline.expires_after(std::chrono::milliseconds(limits::event_write_ms));
    deadline.async_wait([self = shared_from_this()](auto error) {
      if (error || !self->socket) return;
      boost::system::error_code failed;
      // The kernel need not keep bytes that the client does not read.
      self->socket->set_option(asio::socket_base::linger(true, 0), failed);
      self->socket->cancel(failed);
    });
  }

  Socket* socket;  // null: the stream is over
  std::function<void()> on_gone;
  Timer deadline;
  std::array<char, 256> ignored{};
  bool gone = false;
};

EventClient::EventClient(Socket& socket, std::function<void()> on_gone)
    : watch_(std::make_shared<Watch>(socket, std::move(on_gone))) {
  watch_->read();
}

EventClient::~EventClient() {
  watch_->socket = nullptr;
  watch_->deadline.cancel();
}

Task<bool> EventClient::write(std::string_view text) {
  boost::system::error_code error;
  watch_->limit_time();
  co_await asio::async_write(*watch_->socket, asio::buffer(text), asio::redirect_error(use_task, error));
  watch_->deadline.cancel();
  co_return !error && !watch_->gone;
}

bool EventClient::gone() const { return watch_->gone; }

}  // namespace larder::api
