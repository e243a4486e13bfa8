// Bytes in, requests out; no socket. Strict where HTTP/1.1 lets two readers disagree about where a request
// ends: such a request is refused, and its connection must be closed.
#pragma once

#include "edges/http/problem.hpp"

#include <memory>

namespace larder::http {

class LargeBodies;

// One per connection; reset() makes it ready for the next request and keeps the memory.
class RequestParser {
 public:
  enum class State { need_more, complete, failed };

  // `large` decides about every body above limits::body_bytes_max, and outlives the parser.
  explicit RequestParser(LargeBodies& large);
  ~RequestParser();

  // Takes bytes off the front of `input`, and none behind a complete request. What it leaves must come
  // again, with more behind it.
  State feed(std::string_view& input, Request& request);
  void reset(Request& request);

  // Nothing of a request has been seen.
  bool untouched() const;
  // The client waits for "100 Continue" before it sends its body. True once per request.
  bool take_continue();
  bool keep_alive() const;
  bool http_1_0() const;
  ProtocolProblem const& problem() const;

 private:
  class Message;
  State fail(ProtocolProblem problem);
  bool scan_header(std::string_view input);

  std::unique_ptr<Message> message_;
  ProtocolProblem problem_;
  std::size_t scanned_ = 0;     // bytes of the header that hold no end
  std::size_t header_end_ = 0;  // 0: not seen yet
  bool continue_told_ = false;
};

}  // namespace larder::http
