#include "edges/http/connection.hpp"

#include "base/ids.hpp"
#include "base/log.hpp"
#include "edges/http/credentials.hpp"
#include "edges/http/web_socket.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

#include <cmath>
#include <linux/sockios.h>
#include <sys/ioctl.h>

namespace larder::http {

namespace {

constexpr std::size_t input_bytes_idle = 4UL * 1024;
constexpr std::size_t input_bytes_max = 64UL * 1024;
// The answers of a pipeline are written together, up to this size.
constexpr std::size_t output_bytes_together = 64UL * 1024;

// What the kernel keeps of a request that was refused.
constexpr int ignored_bytes_max = 64 * 1024;

using Steady = std::chrono::steady_clock;

Steady::time_point in_ms(int ms) { return Steady::now() + std::chrono::milliseconds(ms); }

bool is_sane_request_id(std::string_view id) {
  return !id.empty() && id.size() <= limits::request_id_chars_max && all_in_charset(id, "_.-");
}

// How many bytes the kernel still keeps for the client.
std::size_t unsent(Socket& socket) {
  int bytes = 0;
  return socket.is_open() && ::ioctl(socket.native_handle(), SIOCOUTQ, &bytes) == 0 ? std::size_t(bytes) : 0;
}

bool is_loopback(asio::ip::address const& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback();
  }
  return address.is_loopback();
}

Error too_many_connections() {
  return {.code = errors::too_many_connections,
          .detail = "this address has as many open requests as one address may have",
          .more = {{"retry_after_s", 1}}};
}

// A parameter of the path, if it is a plain name. Other values get a 400 and would only spoil the log.
std::string_view name_in_path(Request const& request, std::string_view parameter) {
  auto const found = std::ranges::find(request.parameters, parameter, &PathParameter::name);
  return found != request.parameters.end() && UserId::from(found->value) ? std::string_view(found->value)
                                                                         : std::string_view();
}

// Whom the request is about: the user that it names, otherwise the player who acts.
std::string_view user_of(Request const& request, std::string_view player) {
  if (!request.user.empty()) return request.user;
  bool const names_player = request.route.contains("/players/{id}");
  auto const named = names_player ? name_in_path(request, "id") : std::string_view();
  return named.empty() ? player : named;
}

}  // namespace

Connection::Connection(Worker& worker, Socket socket, Shares::Place place)
    : worker_(worker),
      socket_(std::move(socket)),
      parser_(worker.bodies()),
      place_(std::move(place)),
      input_(input_bytes_idle) {
  boost::system::error_code ignored;
  auto const peer = socket_.remote_endpoint(ignored).address();
  request_.peer = peer.to_string();
  request_.from_loopback = is_loopback(peer);
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  parser_.reset(request_);
  enter(Phase::idle, in_ms(worker_.options().idle_ms));
  worker_.add(*this);
}

Connection::~Connection() {
  boost::system::error_code ignored;
  if (expired_) give_up();
  socket_.close(ignored);  // the destructor of a socket would ignore that it was given up
  worker_.remove(*this);
}

// Tells the kernel to forget what the client has not received, instead of trying for minutes to send it.
void Connection::give_up() {
  boost::system::error_code ignored;
  if (unsent(socket_) > 0) socket_.set_option(asio::socket_base::linger(true, 0), ignored);
}

void Connection::enter(Phase phase, Moment expires) {
  phase_ = phase;
  expires_ = expires;
  expired_ = false;
}

void Connection::expire(Moment now) {
  if (web_socket_) return web_socket_->tick(now);
  if (now < expires_) return;
  expired_ = true;
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

void Connection::close_if_idle() {
  if (web_socket_) return web_socket_->go_away();
  boost::system::error_code ignored;
  if (phase_ == Phase::idle || phase_ == Phase::streaming) socket_.close(ignored);
}

void Connection::cut() {
  boost::system::error_code ignored;
  give_up();
  socket_.close(ignored);
}

Task<void> Connection::run() {
  for (;;) {
    auto input = unread();
    auto const state = parser_.feed(input, request_);
    begin_ = end_ - input.size();

    if (state == RequestParser::State::failed) {
      co_await refuse(parser_.problem());
      co_return;
    }
    if (state == RequestParser::State::head) {
      if (!co_await decide_from_head()) co_return;
      continue;
    }
    if (state == RequestParser::State::complete) {
      auto const start = Steady::now();
      enter(Phase::handling, Moment::max());
      auto const answer = co_await decide();
      if (answer.response.takeover) {
        co_await hand_over(answer);
        co_return;
      }
      if (answer.response.session) {
        co_await run_web_socket(answer);
        co_return;
      }
      bool const stays_open = finish(answer, start);
      reset();
      if (!stays_open) {
        if (co_await write() && (begin_ < end_ || unsent(socket_) > 0)) co_await linger();
        co_return;
      }
      if (begin_ < end_ && !co_await let_others_act()) co_return;
      if (output_.size() < output_bytes_together) continue;
    }
    if (!write_at_once() && !co_await write()) co_return;
    if (state == RequestParser::State::complete) continue;
    if (parser_.take_continue()) {
      output_ = "HTTP/1.1 100 Continue\r\n\r\n";
      if (!co_await write()) co_return;
    }
    if (!co_await read()) co_return;
  }
}

// Behind a proxy, a connection carries the requests of many clients. So each request takes a place among
// those of its client's address, and streams keep theirs.
std::optional<Response> Connection::take_place() {
  auto& places = worker_.places();
  if (!worker_.options().behind_proxy || !places.limited()) return std::nullopt;
  place_ = places.take(sender_of(request_, true));
  if (place_) return std::nullopt;
  return problem_response(too_many_connections(), request_.request_id);
}

// Players can have many accounts, so their address counts.
Sender Connection::sender() const {
  auto const kind = request_.caller ? Sender::Kind::caller : Sender::Kind::stranger;
  if (request_.caller && request_.caller->player_id.empty())
    return {.kind = kind, .name = request_.caller->id};
  return {.kind = kind, .name = sender_of(request_, worker_.options().behind_proxy)};
}

// Returns false if the connection has been closed: the request was refused, and its body is too long to be
// skipped.
Task<bool> Connection::decide_from_head() {
  auto const start = Steady::now();
  enter(Phase::handling, Moment::max());
  choose_request_id();
  admission_ = Admission{.refused = take_place()};
  if (!admission_->refused) admission_ = co_await worker_.dispatcher().admit(request_);
  if (!admission_->refused) {
    auto const problem = parser_.begin_body(sender());
    if (problem) admission_->refused = problem_response(*problem, request_.request_id);
  }
  if (!admission_->refused || parser_.skip_body()) co_return true;
  finish(co_await decide(), start, After::closes);
  if (co_await write()) co_await linger();
  co_return false;
}

// What the head has not decided yet.
Task<Answer> Connection::decide() {
  auto& dispatcher = worker_.dispatcher();
  if (admission_) return dispatcher.answer(request_, std::move(*admission_), waited_);
  choose_request_id();
  if (auto refused = take_place()) return dispatcher.answer(request_, {.refused = std::move(refused)});
  return dispatcher.answer(request_);
}

void Connection::reset() {
  parser_.reset(request_);
  admission_.reset();
  waited_ = false;
  if (worker_.options().behind_proxy) place_.reset();
}

// One client may have sent hundreds of requests at once. Returns false if the connection was closed
// meanwhile.
Task<bool> Connection::let_others_act() {
  co_await asio::post(socket_.get_executor(), use_task);
  co_return socket_.is_open();
}

Task<void> Connection::hand_over(Answer const& answer) {
  auto const& response = answer.response;
  bool const upgrade = response.status == 101;
  parser_.forget_body(request_);
  record(answer, response.status, 0, 0);
  if (!upgrade) {
    worker_.writer().write(output_, response,
                           {.streamed = true,
                            .keep_alive = false,
                            .origin = request_.header("origin"),
                            .request_id = request_.request_id});
  }
  bool const written = co_await write();
  if (!written || (!upgrade && (request_.method == Method::head || worker_.draining()))) co_return;
  enter(upgrade ? Phase::handling : Phase::streaming, Moment::max());
  co_await response.takeover(socket_, request_, unread());
}

Task<void> Connection::run_web_socket(Answer const& answer) {
  parser_.forget_body(request_);
  record(answer, answer.response.status, 0, 0);
  worker_.writer().write_upgrade(output_, answer.response, request_.request_id);
  if (!co_await write()) co_return;

  auto const& options = worker_.options();
  WebSocketTimes const times{.ping = std::chrono::milliseconds(options.web_socket_ping_ms),
                             .pong = std::chrono::milliseconds(options.web_socket_pong_ms),
                             .close = std::chrono::milliseconds(options.linger_ms)};
  auto const socket = std::make_shared<WebSocket>(socket_, unread(), times, worker_.web_socket_metrics());
  // Thousands of idle sockets should not keep the memory that a request needed.
  free_memory(input_);
  free_memory(output_);
  free_memory(request_.headers);

  web_socket_ = socket.get();
  struct Detach {
    Connection& connection;
    ~Detach() { std::exchange(connection.web_socket_, nullptr)->detach(); }
  } const detach{*this};
  if (worker_.draining()) socket->go_away();
  try {
    co_await answer.response.session(socket, request_);
  } catch (std::exception const& error) {
    log::error("WebSocket failed",
               {{"request_id", request_.request_id}, {"route", request_.route}, {"error", error.what()}});
    socket->fail();
  }
  co_await socket->finish();
}

void Connection::make_room() {
  if (begin_ == end_) {
    begin_ = end_ = 0;
    if (phase_ == Phase::idle && input_.size() > input_bytes_idle)
      input_ = std::vector<char>(input_bytes_idle);
  }
  if (end_ < input_.size()) return;
  if (begin_ > 0) {
    std::copy(input_.begin() + std::ptrdiff_t(begin_), input_.begin() + std::ptrdiff_t(end_), input_.begin());
    end_ -= begin_;
    begin_ = 0;
  } else {
    input_.resize(std::min(input_.size() * 4, input_bytes_max));
  }
}

// Returns false at the end of the connection.
Task<bool> Connection::read() {
  bool const between_requests = parser_.untouched() && begin_ == end_;
  if (between_requests) {
    if (worker_.draining()) co_return false;
    enter(Phase::idle, in_ms(worker_.options().idle_ms));
  } else {
    enter(Phase::reading, request_began_ + std::chrono::milliseconds(worker_.options().request_deadline_ms));
  }
  waited_ = admission_.has_value();
  make_room();
  boost::system::error_code error;
  auto const room = asio::buffer(input_.data() + end_, input_.size() - end_);
  auto const bytes = co_await socket_.async_read_some(room, asio::redirect_error(use_task, error));
  if (expired_ && !between_requests) {
    co_await refuse(
        {.status = 408, .code = "request_timeout", .detail = "the request took too long to arrive"});
    co_return false;
  }
  if (error == asio::error::eof && unsent(socket_) > 0) co_await linger();
  if (error || expired_) co_return false;
  if (between_requests) request_began_ = Steady::now();
  // A full read indicates a long body, so read larger pieces.
  if (bytes == room.size() && input_.size() < input_bytes_max) input_.resize(input_.size() * 4);
  end_ += bytes;
  co_return true;
}

// True if all output was written; false if the rest has to wait, or if the write failed.
bool Connection::write_at_once() {
  while (written_ < output_.size()) {
    boost::system::error_code error;
    written_ += socket_.write_some(asio::buffer(output_.data() + written_, output_.size() - written_), error);
    if (error) return false;
  }
  output_.clear();
  if (output_.capacity() > 2 * output_bytes_together) output_.shrink_to_fit();
  written_ = 0;
  return true;
}

Task<bool> Connection::write() {
  while (!write_at_once()) {
    enter(Phase::writing, in_ms(worker_.options().write_deadline_ms));
    boost::system::error_code error;
    auto const before = written_;
    co_await socket_.async_wait(Socket::wait_write, asio::redirect_error(use_task, error));
    if (error || expired_) co_return false;
    written_ += socket_.write_some(asio::buffer(output_.data() + written_, output_.size() - written_), error);
    bool const stuck = written_ == before && error != asio::error::would_block;
    if (stuck) co_return false;
  }
  co_return true;
}

void Connection::choose_request_id() {
  auto const theirs = request_.header("x-request-id");
  request_.request_id = is_sane_request_id(theirs) ? theirs : worker_.new_request_id();
}

// Appends the answer to the output. Returns false if the connection must be closed after it.
bool Connection::finish(Answer const& answer, Moment start, After after) {
  bool const stays_open = after == After::stays_open && parser_.keep_alive() && !worker_.draining();
  auto const bytes = worker_.writer().write(output_, answer.response,
                                            {.head = request_.method == Method::head,
                                             .keep_alive = stays_open,
                                             .http_1_0 = parser_.http_1_0(),
                                             .accepts_gzip = accepts_gzip(request_.header("accept-encoding")),
                                             .origin = request_.header("origin"),
                                             .request_id = request_.request_id});
  // The deadline of the next request must not include the time of this handler.
  request_began_ = Steady::now();
  record(answer, answer.response.status, std::chrono::duration<double>(request_began_ - start).count(),
         bytes);
  return stays_open;
}

Task<void> Connection::refuse(ProtocolProblem const& problem) {
  choose_request_id();
  Answer const answer{.response = problem_response(problem, request_.request_id)};
  auto const bytes = worker_.writer().write(
      output_, answer.response,
      {.keep_alive = false, .origin = request_.header("origin"), .request_id = request_.request_id});
  record(answer, problem.status, 0, bytes);
  if (co_await write()) co_await linger();
}

// If the socket were closed with unread input, the kernel would reset the connection, and the client
// would never see the answer. If it were closed with unsent output, the kernel would keep that output for
// minutes, even if the client never reads it.
Task<void> Connection::linger() {
  boost::system::error_code error;
  socket_.shutdown(Socket::shutdown_send, error);
  enter(Phase::lingering, in_ms(worker_.options().linger_ms));
  auto left = unsent(socket_);
  socket_.set_option(asio::socket_base::receive_buffer_size(ignored_bytes_max), error);
  auto const ignored = worker_.ignored();
  Worker::Lingering const lingering(worker_);
  while (!error && !expired_) {
    co_await socket_.async_read_some(ignored, asio::redirect_error(use_task, error));
    if (expired_ && goes_on_reading(left)) error = {};
    // Together, the refused clients that still send get at most one turn per millisecond.
    if (!error) co_await sleep_for(std::chrono::milliseconds(lingering.count()));
  }
  // The client sends no more, but may still read.
  while (error == asio::error::eof && unsent(socket_) > 0 && (!expired_ || goes_on_reading(left))) {
    co_await sleep_for(std::chrono::milliseconds(std::clamp(worker_.options().linger_ms / 20, 1, 100)));
  }
}

// A client that is slow, but reads, gets more time. `left` is what the client had not received when its time
// began.
bool Connection::goes_on_reading(std::size_t& left) {
  auto const now_left = unsent(socket_);
  if (now_left == 0 || now_left >= left) return false;
  left = now_left;
  enter(Phase::lingering, in_ms(worker_.options().linger_ms));
  return true;
}

void Connection::record(Answer const& answer, int status, double seconds, std::size_t bytes) {
  worker_.metrics().count(answer.entry, request_.method, status, seconds);
  if (!worker_.options().access_log) return;
  auto const& caller = request_.caller;
  std::string_view const player = caller && !caller->player_id.empty() ? caller->player_id : request_.player;
  std::string_view const key_id = caller && caller->player_id.empty() ? std::string_view(caller->id) : "";
  log::info("request", {{"method", method_name(request_.method)},
                        {"route", request_.route.empty() ? "none" : request_.route},
                        {"status", status},
                        {"code", answer.response.refusal},
                        {"ms", std::round(seconds * 1e6) / 1000},
                        {"bytes", bytes},
                        {"request_id", request_.request_id},
                        {"key_id", key_id},
                        {"player_id", player},
                        {"user", user_of(request_, player)},
                        {"realm", name_in_path(request_, realm_parameter)},
                        {"world", name_in_path(request_, "world")}});
}

}  // namespace larder::http
