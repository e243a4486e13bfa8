// The far end of an event stream: a client that only reads, at its own pace, until it goes.
#pragma once

#include "edges/api/api.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <memory>

namespace larder::api {

class EventClient {
 public:
  // Calls `on_gone` once when the client has closed its side, even if nothing is being written to it. What it
  // sends is not looked at.
  EventClient(Socket& socket, std::function<void()> on_gone);
  ~EventClient();  // the socket is not touched any more
  EventClient(EventClient const&) = delete;
  EventClient& operator=(EventClient const&) = delete;

  // All of it, or false: the client is gone, or too slow (limits::event_write_ms).
  Task<bool> write(std::string_view text);
  bool gone() const;

 private:
  struct Watch;
  std::shared_ptr<Watch> watch_;
};

}  // namespace larder::api
