#include "edges/http/web_socket.hpp"

#include "base/limits.hpp"
#include "edges/http/web_socket_metrics.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

namespace larder::http {

namespace {

// An idle socket has a buffer of this size, and no other buffer.
constexpr std::size_t input_bytes = 2048;

using Steady = std::chrono::steady_clock;

}  // namespace

WebSocket::WebSocket(Socket& socket, std::string_view unread, WebSocketTimes times, WebSocketMetrics& metrics)
    : socket_(&socket),
      times_(times),
      metrics_(metrics),
      frames_(limits::web_socket_message_bytes_max),
      input_(unread.begin(), unread.end()),
      end_(unread.size()),
      heard_(Steady::now()) {
  metrics_.opened();
}

void WebSocket::detach() {
  state_ = State::ended;
  socket_ = nullptr;
  metrics_.closed(why_.value_or(WebSocketEnd::lost));
}

// Reads the next frame from the bytes that have arrived.
FrameReader::Event WebSocket::next_frame() {
  std::string_view unread(input_.data() + begin_, end_ - begin_);
  auto const event = frames_.next(unread);
  begin_ = end_ - unread.size();
  return event;
}

Task<std::optional<std::string>> WebSocket::read() {
  // The client's silence counts only while the session reads.
  heard_ = Steady::now();
  pinged_ = false;
  while (state_ == State::open && !going_away_) {
    switch (next_frame()) {
      case FrameReader::Event::message: metrics_.message_in(); co_return frames_.take_message();
      case FrameReader::Event::ping: queue(Opcode::pong, frames_.payload()); break;
      case FrameReader::Event::pong: break;
      case FrameReader::Event::close: answer_close(); break;
      case FrameReader::Event::failed:
        unreadable_ = true;
        begin_close(frames_.failure(), frames_.failure_reason(), WebSocketEnd::violation);
        break;
      case FrameReader::Event::need_more: co_await receive(); break;
    }
  }
  if (going_away_) say_server_stops();
  co_return std::nullopt;
}

// Waits for bytes. Returns without any if the state changes.
Task<void> WebSocket::receive() {
  if (input_.size() != input_bytes) input_ = std::vector<char>(input_bytes);
  begin_ = end_ = 0;
  boost::system::error_code error;
  waiting_ = true;
  auto const bytes =
      co_await socket_->async_read_some(asio::buffer(input_), asio::redirect_error(use_task, error));
  waiting_ = false;
  heard_ = Steady::now();
  pinged_ = false;
  end_ = bytes;
  if (error && error != asio::error::operation_aborted) cut(WebSocketEnd::lost);
}

bool WebSocket::send(std::string_view text) {
  if (state_ != State::open || !queue(Opcode::text, text)) return false;
  metrics_.message_out();
  return true;
}

bool WebSocket::queue(Opcode opcode, std::string_view payload) {
  auto const is_full = [&] {
    return !output_.empty() &&
           output_.size() + frame_bytes(payload.size()) > limits::web_socket_queue_bytes_max;
  };
  // The session may have sent a lot in one turn of the loop, which is not the client's fault.
  if (is_full()) write_some();
  if (state_ == State::ended) return false;
  if (is_full()) {
    cut(WebSocketEnd::slow);
    return false;
  }
  append_frame(output_, opcode, payload);
  schedule_flush();
  return true;
}

void WebSocket::close(CloseCode code, std::string_view reason) {
  begin_close(code, reason, WebSocketEnd::server);
}

void WebSocket::fail() { begin_close(CloseCode::failed, {}, WebSocketEnd::failed); }

void WebSocket::say_server_stops() {
  begin_close(CloseCode::going_away, "the server stops", WebSocketEnd::drain);
}

void WebSocket::go_away() {
  going_away_ = true;
  if (waiting_) say_server_stops();
}

void WebSocket::answer_close() {
  client_closed_ = true;
  auto const code = frames_.close_code();
  begin_close(code == CloseCode::none ? CloseCode::normal : code, {}, WebSocketEnd::client);
}

void WebSocket::begin_close(CloseCode code, std::string_view reason, WebSocketEnd why) {
  if (state_ != State::open) return;
  state_ = State::closing;
  why_ = why;
  deadline_ = Steady::now() + times_.close;
  append_close_frame(output_, code, reason);
  write_some();  // at once, because a drain may be at its deadline
  if (state_ == State::ended) return;
  if (!output_.empty()) schedule_flush();
  if (waiting_) wake();
}

void WebSocket::wake() {
  boost::system::error_code ignored;
  socket_->cancel(ignored);
}

// Everything that is sent in one turn of the loop leaves in one write.
void WebSocket::schedule_flush() {
  if (std::exchange(flushing_, true)) return;
  asio::post(socket_->get_executor(), [self = shared_from_this()] { self->flush(); });
}

void WebSocket::flush() {
  if (state_ != State::ended) write_some();
  if (state_ == State::ended || output_.empty()) {
    flushing_ = false;
    return;
  }
  // The wait may end early, because waking the reader cancels it. Then flush() waits again.
  socket_->async_wait(Socket::wait_write,
                      [self = shared_from_this()](boost::system::error_code) { self->flush(); });
}

void WebSocket::write_some() {
  boost::system::error_code error;
  std::size_t written = 0;
  while (written < output_.size() && !error) {
    written += socket_->write_some(asio::buffer(output_.data() + written, output_.size() - written), error);
  }
  if (error && error != asio::error::would_block) return cut(WebSocketEnd::lost);
  if (written == output_.size()) {
    free_memory(output_);
  } else {
    output_.erase(0, written);
  }
}

// Closes the connection without a close frame.
void WebSocket::cut(WebSocketEnd why) {
  if (state_ == State::ended) return;
  bool const given_up = !output_.empty() || state_ == State::closing || why != WebSocketEnd::lost;
  if (!why_) why_ = why;
  state_ = State::ended;
  boost::system::error_code ignored;
  // The kernel need not keep bytes that the client does not read.
  if (given_up) socket_->set_option(asio::socket_base::linger(true, 0), ignored);
  socket_->close(ignored);
}

void WebSocket::tick(Moment now) {
  if (state_ == State::closing && now >= deadline_) return cut(WebSocketEnd::lost);
  if (state_ != State::open || !waiting_) return;
  if (!pinged_) {
    if (now < heard_ + times_.ping) return;
    pinged_ = queue(Opcode::ping, {});
    deadline_ = now + times_.pong;
  } else if (now >= deadline_) {
    cut(WebSocketEnd::silent);
  }
}

Task<void> WebSocket::finish() {
  close(CloseCode::normal);
  boost::system::error_code error;
  while (state_ != State::ended && !output_.empty()) {
    co_await socket_->async_wait(Socket::wait_write, asio::redirect_error(use_task, error));
    if (state_ != State::ended) write_some();
  }
  // If the socket were closed with unread input, the kernel would reset the connection, and the client
  // would never see the reason.
  while (state_ != State::ended && !client_closed_) {
    auto const event = unreadable_ ? FrameReader::Event::need_more : next_frame();
    if (event == FrameReader::Event::close) break;
    if (event == FrameReader::Event::failed) unreadable_ = true;
    if (unreadable_) socket_->shutdown(Socket::shutdown_send, error);
    if (event == FrameReader::Event::need_more) co_await receive();
  }
}

}  // namespace larder::http
