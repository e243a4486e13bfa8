// The HTTP parser: it reads the same requests whether the bytes come at once or in pieces.
#include "edges/http/request_parser.hpp"
#include "edges/http/schema.hpp"
#include "fuzz/fuzz.hpp"

namespace larder::http {

namespace {

using State = RequestParser::State;

Answering nothing(Request const&) { co_return no_content(); }

Router const& router() {
  static Route const routes[] = {
      {Method::get, "/v1/users/{id}", Access::everyone(), &nothing, {.id = "get", .summary = ""}},
      {Method::put, "/v1/files/{path...}", Access::everyone(), &nothing, {.id = "put", .summary = ""}},
      {Method::post,
       "/v1/bulk",
       Access::everyone(),
       &nothing,
       {.id = "bulk", .summary = "", .body_bytes_max = limits::bulk_body_bytes_max}}};
  static Router const router({Api{.tables = {routes}}});
  return router;
}

// What a connection learns from its bytes, as one text.
class Connection {
 public:
  explicit Connection(Bodies& bodies) : parser_(bodies) {}

  void feed(std::string_view bytes) {
    pending_.append(bytes);
    std::string_view input = pending_;
    while (!failed_) {
      auto const before = input.size();
      auto const state = parser_.feed(input, request_);
      LARDER_ASSERT(input.size() <= before);
      if (state == State::need_more) break;
      if (state == State::head) {
        LARDER_ASSERT(!parser_.begin_body({.kind = Sender::Kind::caller, .name = "k1"}));
        continue;
      }
      note(state);
    }
    pending_.erase(0, pending_.size() - input.size());
  }
  std::string const& seen() const { return seen_; }

 private:
  void note(State state) {
    if (state == State::failed) {
      failed_ = true;
      seen_ += fmt::format("failed {}\n", parser_.problem().status);
      return;
    }
    LARDER_ASSERT(request_.headers.size() <= limits::header_fields_max);
    LARDER_ASSERT(request_.body.size() <= limits::bulk_body_bytes_max);
    LARDER_ASSERT(request_.path.find('?') == std::string::npos);
    auto const match = router().match(request_.method, request_.path, request_.parameters);
    seen_ +=
        fmt::format("{} [{}] [{}] [{}] host [{}] {} {} {}\n", method_name(request_.method), request_.path,
                    request_.query, request_.body, request_.header("Host"), parser_.keep_alive(),
                    request_.headers.lists("connection", "close"), int(match.outcome));
    parser_.reset(request_);
  }

  RequestParser parser_;
  Request request_;
  std::string pending_;
  std::string seen_;
  bool failed_ = false;
};

}  // namespace

}  // namespace larder::http

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  auto text = fuzz::text_of(data, size);
  std::size_t const piece = fuzz::take_byte(text) % 32 + 1;
  http::Bodies bodies(http::router(), 4 * limits::bulk_body_bytes_max);
  http::Connection whole(bodies);
  whole.feed(text);
  http::Connection pieces(bodies);
  for (auto rest = text; !rest.empty();) {
    auto const bytes = std::min(piece, rest.size());
    pieces.feed(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  fuzz::expect_same(whole.seen(), pieces.seen());
  return 0;
}
