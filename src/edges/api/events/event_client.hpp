// The client of an event stream. It only reads, at its own pace, until it leaves.
#pragma once

#include "edges/api/api.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <memory>

namespace larder::api {

class EventClient {
 public:
  // Calls `on_gone` once when the client has closed its side, even while nothing is being written. Whatever
  // the client sends is ignored.
  EventClient(Socket& socket, std::function<void()> on_gone);
  ~EventClient();  // does not touch the socket after this
  EventClient(EventClient const&) = delete;
  EventClient& operator=(EventClient const&) = delete;

  // Writes all of the text. Returns false if the client is gone or too slow (limits::event_write_ms).
  Task<bool> write(std::string_view text);
  bool gone() const;

 private:
  struct Watch;
  std::shared_ptr<Watch> watch_;
};

}  // namespace larder::api
