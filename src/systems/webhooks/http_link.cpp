#include "systems/webhooks/http_link.hpp"

#include "base/limits.hpp"
#include "base/number.hpp"
#include "stores/redis/stream.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace larder::webhooks {

namespace {

constexpr std::size_t head_bytes_max = 16 * 1024;
constexpr std::size_t read_bytes = 4096;
constexpr std::string_view end_of_head = "\r\n\r\n";
constexpr int no_content_status = 204;
constexpr int not_modified_status = 304;

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    auto const low = [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; };
    return low(x) == low(y);
  });
}

// What the head of an answer says.
struct Head {
  int status = 0;
  bool stays_open = true;
  std::optional<std::size_t> body_bytes;  // nothing: the body ends in another way
};

std::optional<Head> parse_head(std::string_view text) {
  // "HTTP/1.1 200 OK"
  constexpr std::size_t status_at = 9;
  constexpr std::size_t status_digits = 3;
  if (!text.starts_with("HTTP/1.") || text.size() < status_at + status_digits) return std::nullopt;
  auto const status = parse_int<int>(text.substr(status_at, status_digits));
  if (!status || *status < 100) return std::nullopt;
  Head head{.status = *status, .stays_open = text[7] == '1'};
  if (head.status == no_content_status || head.status == not_modified_status) head.body_bytes = 0;
  for (auto line = text.find("\r\n"); line != std::string_view::npos; line = text.find("\r\n")) {
    text.remove_prefix(line + 2);
    auto const field = text.substr(0, text.find("\r\n"));
    auto const colon = field.find(':');
    if (colon == std::string_view::npos) continue;
    auto const name = field.substr(0, colon);
    auto value = field.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    if (same_word(name, "content-length")) head.body_bytes = parse_int<std::size_t>(value);
    if (same_word(name, "connection") && !same_word(value, "keep-alive")) head.stays_open = false;
    if (same_word(name, "transfer-encoding")) head.stays_open = false;
  }
  return head;
}

}  // namespace

struct HttpLink::State : std::enable_shared_from_this<State> {
  State(asio::io_context& context, asio::ssl::context* context_tls)
      : io(context), tls(context_tls), deadline(context) {}

  void limit_time(std::chrono::milliseconds time) {
    ended = false;
    deadline.expires_after(time);
    deadline.async_wait([self = shared_from_this(), number = ++rounds](auto error) {
      if (!error && number == self->rounds) self->end("no answer in time");
    });
  }
  void end(std::string_view reason) {
    if (why.empty()) why = reason;
    ended = true;
    open = false;
    stream.close();
  }

  template <class S>
  Task<void> write(S& to, std::string const& text) {
    co_await asio::async_write(to, asio::buffer(text), use_task);
  }
  Task<void> write(std::string const& text) {
    if (auto const secure = stream.tls()) co_return co_await write(*secure, text);
    auto const plain = stream.plain();
    co_await write(*plain, text);
  }
  // Appends what comes next. Throws at the end.
  Task<void> read() {
    std::array<char, read_bytes> chunk{};
    std::size_t size = 0;
    if (auto const secure = stream.tls()) {
      size = co_await secure->async_read_some(asio::buffer(chunk), use_task);
    } else {
      auto const plain = stream.plain();
      size = co_await plain->async_read_some(asio::buffer(chunk), use_task);
    }
    in.append(chunk.data(), size);
    heard = true;
  }
  Task<Head> read_head() {
    for (;;) {
      auto const end = in.find(end_of_head);
      if (end != std::string::npos) {
        auto const head = parse_head(std::string_view(in).substr(0, end));
        in.erase(0, end + end_of_head.size());
        if (!head) throw std::runtime_error("the answer is not HTTP");
        if (head->status >= 200) co_return *head;
      } else if (in.size() > head_bytes_max) {
        throw std::runtime_error("the head of the answer is too long");
      } else {
        co_await read();
      }
    }
  }
  // Reads the body if it is short, so that the connection can be used again.
  Task<void> skip_body(Head const& head) {
    open = head.stays_open && head.body_bytes && *head.body_bytes <= limits::webhook_answer_bytes_max;
    if (!open) co_return;
    while (in.size() < *head.body_bytes) co_await read();
    open = in.size() == *head.body_bytes;
    in.clear();
  }

  asio::io_context& io;
  asio::ssl::context* tls;
  Timer deadline;
  redis::Stream stream;
  std::string in;      // what was read and not used
  std::string why;     // the time was over, or somebody has cancelled
  int rounds = 0;      // how often a time limit began or ended
  bool open = false;   // the connection works
  bool heard = false;  // the receiver has sent something since the request
  bool ended = false;
};

HttpLink::HttpLink(asio::io_context& io, Target target, std::vector<Address> addresses,
                   asio::ssl::context* tls)
    : target_(std::move(target)),
      addresses_(std::move(addresses)),
      state_(std::make_shared<State>(io, target_.tls ? tls : nullptr)) {}

HttpLink::~HttpLink() {
  state_->deadline.cancel();
  state_->stream.close();
}

bool HttpLink::is_open() const { return state_->open; }

void HttpLink::cancel() { state_->end("the server stops"); }

Task<Answer> HttpLink::post(Fields fields, std::string body, std::chrono::milliseconds patience) {
  auto const state = state_;
  auto request = fmt::format("POST {} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n", target_.path,
                             target_.authority, body.size());
  for (auto const& [name, value] : fields) request += fmt::format("{}: {}\r\n", name, value);
  request += "\r\n";
  request += body;

  auto const end = std::chrono::steady_clock::now() + patience;
  bool const reused = state->open;
  state->why.clear();
  state->heard = false;
  Answer answer;
  try {
    if (!state->open) {
      state->limit_time(std::min(patience, std::chrono::milliseconds(limits::webhook_connect_ms)));
      state->stream = {};
      state->in.clear();
      std::vector<asio::ip::tcp::endpoint> places;
      for (auto const& address : addresses_) places.emplace_back(address, target_.port);
      co_await state->stream.open_at(state->io, std::move(places), target_.host, state->tls,
                                     [state] { return !state->ended; });
    }
    state->limit_time(std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()));
    co_await state->write(request);
    auto const head = co_await state->read_head();
    answer.status = head.status;
    co_await state->skip_body(head);
  } catch (std::exception const& error) {
    state->open = false;
    auto const* const of_system = dynamic_cast<boost::system::system_error const*>(&error);
    // With a status, the answer counts, even if the rest of it did not come.
    if (answer.status == 0)
      answer.why = !state->why.empty() ? state->why : of_system ? of_system->code().message() : error.what();
  }
  state->deadline.cancel();
  ++state->rounds;
  if (!state->open) state->stream.close();
  // The receiver has closed the connection after the last answer, before it had this request.
  bool const stale = reused && answer.status == 0 && !state->heard && state->why.empty();
  if (stale) co_return co_await post(std::move(fields), std::move(body), patience);
  co_return answer;
}

}  // namespace larder::webhooks
