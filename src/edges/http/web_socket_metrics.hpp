// The metrics of WebSockets.
#pragma once

#include "base/metrics.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace larder::http {

// Why a WebSocket ended.
enum class WebSocketEnd : std::uint8_t {
  client,     // the client closed it
  server,     // the session closed it or returned
  drain,      // the server stops
  failed,     // the session threw
  violation,  // the client broke the protocol
  slow,       // the client did not read fast enough
  silent,     // the client did not answer a ping
  lost,       // the connection ended without a close frame
};
inline constexpr std::array<std::string_view, 8> web_socket_end_names = {
    "client", "server", "drain", "failed", "violation", "slow", "silent", "lost"};

class WebSocketMetrics {
 public:
  explicit WebSocketMetrics(Metrics& metrics);

  void opened() { open_.Increment(); }
  void closed(WebSocketEnd why) {
    open_.Decrement();
    closed_[std::size_t(why)]->Increment();
  }
  void message_in() { in_.Increment(); }
  void message_out() { out_.Increment(); }

 private:
  prometheus::Gauge& open_;
  prometheus::Counter& in_;
  prometheus::Counter& out_;
  std::array<prometheus::Counter*, web_socket_end_names.size()> closed_ = {};
};

}  // namespace larder::http
