// Turns bytes into requests, without a socket. Strict: if two readers of HTTP/1.1 could disagree about where
// a request ends, the parser refuses the request, and the connection must be closed.
#pragma once

#include "edges/http/problem.hpp"

#include <memory>

namespace larder::http {

class LargeBodies;

// One per connection. reset() prepares it for the next request and keeps the memory.
class RequestParser {
 public:
  enum class State { need_more, complete, failed };

  // `large` decides about every body above limits::body_bytes_max. It must outlive the parser.
  explicit RequestParser(LargeBodies& large);
  ~RequestParser();

  // Consumes bytes from the front of `input`, but none after a complete request. Pass the bytes that it
  // leaves again, with more bytes after them.
  State feed(std::string_view& input, Request& request);
  void reset(Request& request);

  // No byte of a request has been seen.
  bool untouched() const;
  // Whether the client waits for "100 Continue" before it sends its body. Returns true once per request.
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
  std::size_t scanned_ = 0;     // bytes of the header that were searched for its end
  std::size_t header_end_ = 0;  // 0: not found yet
  bool continue_told_ = false;
  bool empty_line_skipped_ = false;
};

}  // namespace larder::http
