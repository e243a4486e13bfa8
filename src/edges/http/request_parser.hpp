// Turns bytes into requests, without a socket. Strict: if two readers of HTTP/1.1 could disagree about where
// a request ends, the parser refuses the request, and the connection must be closed.
#pragma once

#include "edges/http/bodies.hpp"
#include "edges/http/problem.hpp"

#include <memory>

namespace larder::http {

// One per connection. reset() prepares it for the next request and keeps the memory.
class RequestParser {
 public:
  // `head`: the request has everything but its body. Returned once, and only if a body follows.
  enum class State { need_more, head, complete, failed };

  // `bodies` must outlive the parser.
  explicit RequestParser(Bodies& bodies);
  ~RequestParser();

  // Consumes bytes from the front of `input`, but none after a complete request. Pass the bytes that it
  // leaves once more, followed by new ones.
  State feed(std::string_view& input, Request& request);
  void reset(Request& request);

  // After `head`: the body may arrive, and takes memory as it does. Returns a problem if there is not enough
  // memory for all of it now.
  std::optional<ProtocolProblem> begin_body(Sender sender);
  // After `head`: the body will be read, but not kept. Returns false if that is not worth the time; then the
  // connection must be closed.
  bool skip_body();
  // After a complete request whose connection stays with it, such as a WebSocket: the body and its share of
  // the memory are given back.
  void forget_body(Request& request);

  // Whether no byte of a request has been seen yet.
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
