#include "edges/http/request_parser.hpp"

#include "base/limits.hpp"

#include <boost/beast/http/basic_parser.hpp>
#include <fmt/format.h>

#include <cstring>
#include <optional>

namespace larder::http {

namespace http = boost::beast::http;
using ParseError = boost::beast::error_code;

namespace {

// Splits a request target into path and query. The target may also be a whole URL (RFC 9112, 3.2.2).
bool split_target(std::string_view target, Request& request) {
  if (!target.starts_with('/')) {
    auto const scheme = target.find("://");
    if (scheme == std::string_view::npos || !equals_ignoring_case(target.substr(0, scheme), "http"))
      return false;
    auto const path = target.find_first_of("/?", scheme + 3);
    target = path == std::string_view::npos ? "/" : target.substr(path);
  }
  auto const question = std::min(target.find('?'), target.size());
  request.path = target.substr(0, question);
  request.query = target.substr(std::min(question + 1, target.size()));
  if (request.path.empty()) request.path = "/";
  return target.find('#') == std::string_view::npos;
}

// What a connection may keep for the next body.
constexpr std::size_t body_bytes_kept = 4UL * 1024;

ProtocolProblem explain(ParseError const& error, std::size_t body_bytes_max) {
  if (error == http::error::body_limit) {
    return {.status = 413,
            .code = errors::body_too_large.name,
            .detail = fmt::format("the body is larger than {}", size_text(body_bytes_max))};
  }
  if (error == http::error::bad_version) return {.detail = "only HTTP/1.0 and HTTP/1.1 are spoken here"};
  return {.detail = "the request is not well-formed HTTP"};
}

ProtocolProblem no_memory_left() {
  return {.status = status_of(errors::server_busy.kind),
          .code = errors::server_busy.name,
          .detail = "too many bodies are arriving at the same time",
          .retry_after_s = 1};
}

// The memory of a body grows in steps of this size.
constexpr std::size_t memory_step_bytes = 16UL * 1024;

ProtocolProblem header_too_large() {
  return {.status = 431,
          .code = "header_too_large",
          .detail = "the header is larger than 8 KiB or has over 100 fields"};
}

}  // namespace

// Beast knows the grammar. This class stores what Beast finds, without an allocation per field.
class RequestParser::Message {
 public:
  explicit Message(Bodies& bodies) : bodies_(bodies), share_(bodies) { renew(); }
  // A Beast parser reads one message only.
  void renew() {
    reader_.emplace(*this);
    reader_->header_limit(limits::header_bytes_max);
    limit_body(limits::body_bytes_max);
    share_.give_back();
    problem_.reset();
    header_done_ = false;
    chunk_seen_ = false;
    skipped_ = false;
    expects_continue_ = false;
  }
  std::optional<ProtocolProblem> begin_body(Sender sender) {
    share_.begin(std::move(sender));
    if (share_.finds_room(std::size_t(reader_->content_length().value_or(0)))) return std::nullopt;
    return no_memory_left();
  }
  bool skip_body() {
    auto const length = reader_->content_length();
    skipped_ = length && *length <= limits::skipped_body_bytes_max && !expects_continue_;
    return skipped_;
  }
  void forget_body() { share_.give_back(); }
  std::size_t put(std::string_view bytes, Request& request, ParseError& error) {
    request_ = &request;
    reader_->eager(header_done_);  // stops after the header, so that the route can refuse the body
    return reader_->put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  }
  bool expects_continue() const { return expects_continue_; }
  bool header_done() const { return header_done_; }
  // Beast asserts that the last chunk of an empty body never grows from three bytes to four. Behind another
  // chunk, such bytes are an error, which Beast finds by itself.
  bool must_wait(std::string_view bytes) const {
    constexpr std::string_view last_chunk = "0\r\n\r\n";
    return header_done_ && !chunk_seen_ && reader_->chunked() && bytes.size() < last_chunk.size() &&
           bytes.starts_with(last_chunk.substr(0, 3));
  }
  bool done() const { return reader_->is_done(); }
  bool keep_alive() const { return reader_->keep_alive(); }
  bool http_1_0() const { return http_1_0_; }
  std::size_t body_bytes_max() const { return body_bytes_max_; }
  // The violation of a rule that Beast does not check.
  std::optional<ProtocolProblem> const& problem() const { return problem_; }

 private:
  class Reader final : public http::basic_parser<true> {
   public:
    explicit Reader(Message& message) : message_(message) {}

   private:
    void on_request_impl(http::verb, boost::beast::string_view method, boost::beast::string_view target,
                         int version, ParseError& error) override {
      message_.on_request(method, target, version, error);
    }
    void on_response_impl(int, boost::beast::string_view, int, ParseError&) override {}
    void on_field_impl(http::field field, boost::beast::string_view name, boost::beast::string_view value,
                       ParseError& error) override {
      message_.on_field(field, name, value, error);
    }
    void on_header_impl(ParseError& error) override { message_.on_header(error); }
    void on_body_init_impl(boost::optional<std::uint64_t> const&, ParseError&) override {}
    std::size_t on_body_impl(boost::beast::string_view bytes, ParseError& error) override {
      message_.on_body(bytes, error);
      return bytes.size();
    }
    void on_chunk_header_impl(std::uint64_t, boost::beast::string_view, ParseError&) override {
      message_.chunk_seen_ = true;
    }
    std::size_t on_chunk_body_impl(std::uint64_t, boost::beast::string_view bytes,
                                   ParseError& error) override {
      message_.on_body(bytes, error);
      return bytes.size();
    }
    void on_finish_impl(ParseError&) override {}

    Message& message_;
  };

  void refuse(ProtocolProblem problem, ParseError& error) {
    problem_ = std::move(problem);
    error = http::error::bad_value;
  }

  void limit_body(std::size_t bytes_max) {
    body_bytes_max_ = bytes_max;
    reader_->body_limit(bytes_max);
  }

  void on_request(std::string_view method, std::string_view target, int version, ParseError& error) {
    request_->method = parse_method(method);
    http_1_0_ = request_->http_1_0 = version == 10;
    if (!split_target(target, *request_)) refuse({.detail = "the request target is not a path"}, error);
  }

  void on_field(http::field field, std::string_view name, std::string_view value, ParseError& error) {
    // A trailer must not count as a header field.
    if (header_done_) return;
    // Beast applies the limit at the end of the header and to each chunk. Most bodies are small and say so;
    // then the route need not be known yet.
    bool const maybe_large = field == http::field::transfer_encoding ||
                             (field == http::field::content_length && bodies_.may_be_too_large(value));
    if (maybe_large) limit_body(bodies_.bytes_max(*request_));
    if (request_->headers.size() == limits::header_fields_max) return refuse(header_too_large(), error);
    request_->headers.add(name, value);
  }

  void on_header(ParseError& error) {
    header_done_ = true;
    auto const& headers = request_->headers;
    auto const hosts = headers.count("host");
    if (hosts > 1 || (hosts == 0 && !http_1_0_)) {
      return refuse({.detail = "the request must name exactly one Host"}, error);
    }
    bool const lengths_listed = headers.find("content-length").find(',') != std::string_view::npos;
    if (headers.count("content-length") > 1 || lengths_listed) {
      return refuse({.detail = "the request has two lengths"}, error);
    }
    if (auto const encoding = headers.find("transfer-encoding");
        headers.count("transfer-encoding") > 0 && !equals_ignoring_case(encoding, "chunked")) {
      return refuse({.status = 501,
                     .code = "transfer_encoding_unknown",
                     .detail = "the only transfer encoding is chunked"},
                    error);
    }
    if (http_1_0_ && headers.count("transfer-encoding") > 0) {
      return refuse({.detail = "HTTP/1.0 has no transfer encoding"}, error);
    }
    auto const expect = headers.find("expect");
    expects_continue_ = !expect.empty() && !http_1_0_;
    if (expects_continue_ && !equals_ignoring_case(expect, "100-continue")) {
      return refuse(
          {.status = 417, .code = "expectation_failed", .detail = "the only expectation is 100-continue"},
          error);
    }
  }

  // Takes memory as the bytes arrive, whatever length was announced.
  void on_body(std::string_view bytes, ParseError& error) {
    if (skipped_) return;
    auto& body = request_->body;
    auto const size = body.size() + bytes.size();
    if (size > share_.bytes()) {
      auto const in_steps = (size + memory_step_bytes - 1) / memory_step_bytes * memory_step_bytes;
      auto const length = reader_->content_length().value_or(in_steps);
      if (!share_.grow_to(std::min(in_steps, std::size_t(length)))) return refuse(no_memory_left(), error);
    }
    body.append(bytes);
  }

  Bodies& bodies_;
  Bodies::Share share_;
  std::size_t body_bytes_max_ = 0;
  std::optional<Reader> reader_;
  Request* request_ = nullptr;
  std::optional<ProtocolProblem> problem_;
  bool header_done_ = false;
  bool chunk_seen_ = false;
  bool skipped_ = false;
  bool expects_continue_ = false;
  bool http_1_0_ = false;
};

RequestParser::RequestParser(Bodies& bodies) : message_(std::make_unique<Message>(bodies)) {}
RequestParser::~RequestParser() = default;

void RequestParser::reset(Request& request) {
  message_->renew();
  scanned_ = header_end_ = 0;
  continue_told_ = empty_line_skipped_ = false;
  request.route = {};
  request.parameters.clear();
  request.headers.clear();
  request.caller.reset();
  request.player.clear();
  request.user.clear();
  request.request_id.clear();
  // A connection must not keep the memory of a body while it is idle: nobody counts it any more.
  if (request.body.capacity() > body_bytes_kept) free_memory(request.body);
  request.body.clear();
}

RequestParser::State RequestParser::fail(ProtocolProblem problem) {
  problem_ = std::move(problem);
  return State::failed;
}

// Looks for the empty line that ends the header. Returns false if the header has a line end on which
// two readers could disagree.
bool RequestParser::scan_header(std::string_view input) {
  while (header_end_ == 0) {
    auto const line_end = input.find('\n', scanned_);
    if (line_end == std::string_view::npos) return true;
    if (line_end == 0 || input[line_end - 1] != '\r') return false;
    auto const line = input.substr(scanned_, line_end - 1 - scanned_);
    if (line.find('\r') != std::string_view::npos || line.find('\0') != std::string_view::npos) return false;
    bool const continued = scanned_ > 0 && (line.starts_with(' ') || line.starts_with('\t'));
    if (continued) return false;
    if (line.empty()) header_end_ = line_end + 1;
    scanned_ = line_end + 1;
  }
  return true;
}

RequestParser::State RequestParser::feed(std::string_view& input, Request& request) {
  if (header_end_ == 0) {
    // RFC 9112, 2.2: an empty line before a request should be ignored. Only one is, however its bytes arrive.
    if (scanned_ == 0 && !empty_line_skipped_ && input.starts_with("\r\n")) {
      input.remove_prefix(2);
      empty_line_skipped_ = true;
    }
    if (!scan_header(input)) return fail({.detail = "the header has a malformed line end"});
    if (header_end_ > limits::header_bytes_max ||
        (header_end_ == 0 && input.size() > limits::header_bytes_max)) {
      return fail(header_too_large());
    }
    if (header_end_ == 0) return State::need_more;
  }
  if (input.empty() || message_->must_wait(input)) return State::need_more;
  bool const in_head = !message_->header_done();
  ParseError error;
  auto const used = message_->put(input, request, error);
  input.remove_prefix(used);
  if (message_->problem()) return fail(*message_->problem());
  if (error && error != http::error::need_more) return fail(explain(error, message_->body_bytes_max()));
  // The header is complete. If it ends within its first line, Beast would wait for another end.
  if (!message_->header_done()) return fail({.detail = "the request is not well-formed HTTP"});
  if (message_->done()) return State::complete;
  if (in_head) return State::head;
  // What is left over is part of a chunk header or trailer, and those are short.
  if (input.size() > limits::header_bytes_max)
    return fail({.detail = "a chunk header or trailer is too long"});
  return State::need_more;
}

std::optional<ProtocolProblem> RequestParser::begin_body(Sender sender) {
  return message_->begin_body(std::move(sender));
}

bool RequestParser::skip_body() { return message_->skip_body(); }

void RequestParser::forget_body(Request& request) {
  message_->forget_body();
  free_memory(request.body);
}

bool RequestParser::untouched() const { return scanned_ == 0 && header_end_ == 0; }

bool RequestParser::take_continue() {
  if (continue_told_ || !message_->expects_continue()) return false;
  continue_told_ = true;
  return true;
}

bool RequestParser::keep_alive() const { return message_->keep_alive(); }
bool RequestParser::http_1_0() const { return message_->http_1_0(); }
ProtocolProblem const& RequestParser::problem() const { return problem_; }

}  // namespace larder::http
