// Requests per second of the HTTP server alone: one io thread, 64 keep-alive connections, trivial handlers.
// Also per second of the io thread's own processor time, which other work on the machine does not disturb.
//   http_load [seconds] [access_log]
#include "base/log.hpp"
#include "edges/http/operation_routes.hpp"
#include "edges/http/server.hpp"

#include <fmt/format.h>

#include <pthread.h>
#include <sys/socket.h>
#include <thread>
#include <time.h>
#include <unistd.h>

namespace larder {

struct Services {};

Operations& operations_of(Services&) {
  LARDER_ASSERT(false);
  std::abort();
}

namespace {

constexpr int connections = 64;

class Everyone final : public Authenticator {
 public:
  Task<Result<Caller>> authenticate(std::string_view) override {
    co_return Caller{.key_id = "k1", .name = "bot", .player_id = {}, .scopes = {Scope::ledger}};
  }
};

Task<Result<Response>> hello(Services&, Request const&) {
  co_return Response{.body = R"({"hello":"world"})"};
}

Task<Result<Response>> post(Services&, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  auto const order = in.required<OrderId>("order_id");
  in.required<UserId>("uid");
  in.required<Domain>("domain");
  auto const amount = in.required<Amount>("amount");
  in.optional_text("remark", {.chars_max = 256});
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  co_return json_response({{"order_id", order.str()}, {"balance", amount.value()}, {"status", "ok"}});
}

Route const routes[] = {
    {Method::get, "/hello", Access::everyone(), &hello, {.id = "hello", .summary = "Greets"}},
    {Method::post,
     "/v1/ledger/entries",
     Scope::ledger,
     &post,
     {.id = "post", .summary = "Posts", .body_type = type::any}},
};

int connect_to(asio::ip::tcp::endpoint const& server) {
  int const fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  LARDER_ASSERT(fd >= 0 && ::connect(fd, server.data(), socklen_t(server.size())) == 0);
  return fd;
}

double clock_seconds(clockid_t clock) {
  timespec now = {};
  ::clock_gettime(clock, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

// All connections ask, then all read their answer: the server always has something to do.
void measure(std::string_view name, asio::ip::tcp::endpoint const& server, clockid_t io_clock,
             std::string const& request, double seconds) {
  std::vector<int> sockets;
  for (int i = 0; i < connections; ++i) sockets.push_back(connect_to(server));
  Stopwatch watch;
  double const cpu_before = clock_seconds(io_clock);
  std::int64_t count = 0;
  char answer[4096];
  while (watch.seconds() < seconds) {
    for (int const fd : sockets) {
      LARDER_ASSERT(::send(fd, request.data(), request.size(), MSG_NOSIGNAL) == ssize_t(request.size()));
    }
    for (int const fd : sockets) {
      LARDER_ASSERT(::recv(fd, answer, sizeof answer, 0) > 0);
      LARDER_ASSERT(std::string_view(answer, 12) == "HTTP/1.1 200");
      ++count;
    }
  }
  fmt::print("{:5} {:8.0f} requests/s, {:8.0f} per processor second of the io thread\n", name,
             double(count) / watch.seconds(), double(count) / (clock_seconds(io_clock) - cpu_before));
  for (int const fd : sockets) ::close(fd);
}

int run(double seconds, bool access_log) {
  if (access_log) log::configure(log::Level::info, log::Format::json);
  Metrics metrics;
  Services services;
  Everyone everyone;
  asio::io_context io(1);
  HttpServer server({.listen = parse_listen("127.0.0.1:0"), .access_log = access_log}, {routes}, metrics,
                    {{.io = io, .services = services, .authenticator = everyone}});
  server.start();
  std::jthread thread([&] { io.run(); });
  clockid_t io_clock = 0;
  LARDER_ASSERT(::pthread_getcpuclockid(thread.native_handle(), &io_clock) == 0);

  std::string const body = fmt::format(
      R"({{"order_id":"order-0123456789","uid":"123456789012345678","domain":"guild:42","amount":125,"remark":"{}"}})",
      std::string(97, 'r'));
  measure("GET", server.endpoint(), io_clock,
          "GET /hello HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load\r\nAccept: */*\r\n\r\n", seconds);
  measure(
      "POST", server.endpoint(), io_clock,
      fmt::format(
          "POST /v1/ledger/entries HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load\r\nAuthorization: Bearer "
          "lk_0123456789\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
          body.size(), body),
      seconds);
  server.drain(1000);
  return 0;
}

}  // namespace

}  // namespace larder

int main(int argc, char** argv) {
  return larder::run(argc > 1 ? std::stod(argv[1]) : 3.0,
                     argc > 2 && std::string_view(argv[2]) == "access_log");
}
