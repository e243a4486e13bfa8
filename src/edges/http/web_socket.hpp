// WebSockets. A handler answers with accept_web_socket() and a session. A session is a coroutine that runs
// while the socket is open:
//
//   Task<void> chat(std::shared_ptr<WebSocket> socket, Request const& request) {
//     while (auto text = co_await socket->read()) socket->send(*text);
//   }
//
//   Answering get_chat(Request const& request) { co_return accept_web_socket(request, &chat); }
#pragma once

#include "edges/http/http_types.hpp"
#include "edges/http/web_socket_frames.hpp"
#include "edges/http/web_socket_metrics.hpp"

#include <chrono>

namespace larder::errors {
inline constexpr ErrorCode upgrade_required{ErrorKind::upgrade, "upgrade_required"};
}

namespace larder::http {

// The answer to a request that asks for a WebSocket. If the client offers the subprotocol `larder`, the
// server chooses it. Other offers, such as a token, are not repeated. The route's access was checked before.
// Refusals, in this order: forbidden for a page of another origin, upgrade_required, invalid_request.
Result<Response> accept_web_socket(Request const& request, WebSocketSession session);

struct WebSocketTimes {
  std::chrono::milliseconds ping;   // sent after this long without a byte from the client
  std::chrono::milliseconds pong;   // time for the client to answer a ping
  std::chrono::milliseconds close;  // time for the client to close as well
};

// One open WebSocket. Use it only on its io thread. The session reads, one read() at a time; any code on the
// thread may send. The object may outlive the connection: then nothing can be read or sent.
class WebSocket : public std::enable_shared_from_this<WebSocket> {
 public:
  // The next message, which is text. Nothing when either side is closing or the connection is lost: then the
  // session should return. Pings and pongs are handled only during a read, so a session must read.
  Task<std::optional<std::string>> read();

  // Queues a text, which must be valid UTF-8. Returns false if the socket is closing or lost. Also
  // returns false, and disconnects the client at once, if more than limits::web_socket_queue_bytes_max
  // bytes wait for the client.
  bool send(std::string_view text);

  // Ends the conversation. What was sent before still arrives. When a session returns, the socket closes with
  // `normal`; when a session throws, with `failed`.
  void close(CloseCode code, std::string_view reason = {});

  bool is_open() const { return state_ == State::open; }

  // The rest is for the connection. `socket` and `metrics` must live until detach().
  WebSocket(Socket& socket, std::string_view unread, WebSocketTimes times, WebSocketMetrics& metrics);
  WebSocket(WebSocket const&) = delete;
  WebSocket& operator=(WebSocket const&) = delete;

  using Moment = std::chrono::steady_clock::time_point;
  void tick(Moment now);  // checks the deadlines
  void go_away();         // closes with `going_away` as soon as the session waits for the client
  void fail();            // closes with `failed`
  // Closes the socket if nobody has closed it, and waits until the client has also closed it, or until its
  // time is over.
  Task<void> finish();
  void detach();

 private:
  // closing: our close frame is queued. ended: the Socket can no longer be used.
  enum class State { open, closing, ended };

  FrameReader::Event next_frame();
  Task<void> receive();
  bool queue(Opcode opcode, std::string_view payload);
  void answer_close();
  void say_server_stops();
  void begin_close(CloseCode code, std::string_view reason, WebSocketEnd why);
  void wake();
  void schedule_flush();
  void flush();
  void write_some();
  void cut(WebSocketEnd why);

  Socket* socket_;
  WebSocketTimes times_;
  WebSocketMetrics& metrics_;
  FrameReader frames_;
  std::vector<char> input_;
  std::size_t begin_ = 0;  // of the unread bytes in `input_`
  std::size_t end_ = 0;
  std::string output_;
  State state_ = State::open;
  std::optional<WebSocketEnd> why_;
  bool waiting_ = false;   // for bytes from the client
  bool flushing_ = false;  // flush() will be called
  bool going_away_ = false;
  bool client_closed_ = false;
  bool unreadable_ = false;  // the client broke the protocol, so later bytes have no meaning
  bool pinged_ = false;
  Moment heard_;     // when the client last sent bytes
  Moment deadline_;  // while open: for the pong; while closing: for the client's close frame
};

}  // namespace larder::http
