#include "edges/http/worker.hpp"

#include "base/log.hpp"
#include "edges/http/connection.hpp"
#include "edges/http/credentials.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <fmt/format.h>

#include <sys/socket.h>

namespace larder::http {

namespace {

using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

// The first listener binds without SO_REUSEPORT. So an address on which another program listens, even another
// Larder, is refused. Only after that may the other listeners share the address.
Acceptor listen_on(asio::io_context& io, asio::ip::tcp::endpoint const& address, Listener listener) {
  try {
    Acceptor acceptor(io.get_executor());
    acceptor.open(address.protocol());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    if (listener == Listener::sister) acceptor.set_option(ReusePort(true));
    acceptor.bind(address);
    if (listener == Listener::first) acceptor.set_option(ReusePort(true));
    // Accepted connections inherit it. Without this limit, the kernel would keep megabytes for a client that
    // does not read.
    acceptor.set_option(asio::socket_base::send_buffer_size(limits::send_buffer_bytes));
    acceptor.listen();
    return acceptor;
  } catch (boost::system::system_error const& error) {
    throw SetupError(fmt::format("cannot listen on {}:{}: {}; choose another address with --listen",
                                 address.address().to_string(), address.port(), error.code().message()));
  }
}

// Short enough that a connection overruns its deadline by a quarter at most.
std::chrono::milliseconds sweep_interval(HttpOptions const& options) {
  int const shortest = std::min({options.request_deadline_ms, options.idle_ms, options.write_deadline_ms,
                                 options.linger_ms, options.web_socket_ping_ms, options.web_socket_pong_ms});
  return std::chrono::milliseconds(std::clamp(shortest / 4, 5, 1000));
}

// Takes no time and no memory, because there may be very many such connections.
void turn_away(Socket& socket, std::string_view status) {
  auto const answer =
      fmt::format("HTTP/1.1 {}\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status);
  boost::system::error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(answer), ignored);
}

}  // namespace

Worker::Worker(std::shared_ptr<ServerState> state, HttpThread const& thread, Metrics& metrics,
               asio::ip::tcp::endpoint const& listen, Listener listener)
    : state_(std::move(state)),
      io_(thread.io),
      acceptor_(listen_on(thread.io, listen, listener)),
      endpoint_(acceptor_.local_endpoint()),
      sweep_timer_(thread.io.get_executor()),
      accept_pause_(thread.io.get_executor()),
      dispatcher_(
          state_->router, thread.parts, thread.authenticator, state_->outages, thread.idempotency,
          thread.rate_limit,
          {.metrics_public = state_->options.metrics_public, .cors = !state_->options.cors_origins.empty()}),
      writer_(state_->options.cors_origins),
      metrics_(metrics, state_->router.route_count()),
      web_socket_metrics_(metrics) {}

void Worker::start() {
  asio::co_spawn(io_.get_executor(), accept(), asio::detached);
  asio::co_spawn(io_.get_executor(), sweep(), asio::detached);
}

Task<void> Worker::accept() {
  auto const self = shared_from_this();
  while (acceptor_.is_open()) {
    boost::system::error_code error;
    Socket socket(io_.get_executor());
    co_await acceptor_.async_accept(socket, asio::redirect_error(use_task, error));
    if (!acceptor_.is_open()) co_return;
    if (error) {
      // Most likely the process has no more file descriptors. Trying again at once would only burn CPU time.
      log::warn("cannot accept", {{"error", error.message()}});
      co_await sleep_on(accept_pause_, std::chrono::milliseconds(50));
    } else if (state_->connections.load() >= options().connections_max) {
      turn_away(socket, "503 Service Unavailable");
    } else if (auto place = take_place(socket)) {
      asio::co_spawn(io_.get_executor(), serve(std::move(socket), std::move(place)), asio::detached);
    } else {
      turn_away(socket, "429 Too Many Requests");
    }
  }
}

// Behind a proxy, each request takes its own place: see Connection::take_place().
Shares::Place Worker::take_place(Socket const& socket) {
  if (options().behind_proxy || !places().limited()) return Shares(0).take({});
  boost::system::error_code gone;
  return places().take(sender_of(socket.remote_endpoint(gone).address().to_string()));
}

Task<void> Worker::serve(Socket socket, Shares::Place place) {
  auto const self = shared_from_this();
  Connection connection(*this, std::move(socket), std::move(place));
  try {
    co_await connection.run();
  } catch (std::exception const& error) {
    log::error("connection failed", {{"error", error.what()}});
  }
}

Task<void> Worker::sweep() {
  auto const self = shared_from_this();
  auto const interval = sweep_interval(options());
  while (sweeping_) {
    co_await sleep_on(sweep_timer_, interval);
    auto const now = std::chrono::steady_clock::now();
    for (auto* connection : connections_) connection->expire(now);
  }
}

void Worker::stop_accepting() {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  accept_pause_.cancel();
}

void Worker::close_idle() {
  for (auto* connection : connections_) connection->close_if_idle();
}

void Worker::close_all() {
  for (auto* connection : connections_) connection->cut();
}

void Worker::stop_sweeping() {
  sweeping_ = false;
  sweep_timer_.cancel();
}

void Worker::add(Connection& connection) {
  connections_.insert(&connection);
  ++state_->connections;
  metrics_.connections().Increment();
}

void Worker::remove(Connection& connection) {
  connections_.erase(&connection);
  metrics_.connections().Decrement();
  --state_->connections;
  if (!state_->draining.load()) return;
  std::scoped_lock const lock(state_->mutex);
  state_->closed.notify_all();
}

std::string_view Worker::new_request_id() {
  request_id_.clear();
  fmt::format_to(std::back_inserter(request_id_), "{:016x}", random_.next());
  return request_id_;
}

}  // namespace larder::http
