// Requests per second of the HTTP server alone: one io thread, 64 keep-alive connections, trivial handlers.
//   http_load [seconds] [access_log]
#include "base/log.hpp"
#include "edges/http/operation_routes.hpp"
#include "edges/http/server.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <thread>
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

// All connections ask, then all read their answer: the server always has something to do.
double requests_per_second(asio::ip::tcp::endpoint const& server, std::string const& request,
                           double seconds) {
  std::vector<int> sockets;
  for (int i = 0; i < connections; ++i) sockets.push_back(connect_to(server));
  Stopwatch watch;
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
  double const rate = double(count) / watch.seconds();
  for (int const fd : sockets) ::close(fd);
  return rate;
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
  std::jthread const thread([&] { io.run(); });

  std::string const body = fmt::format(
      R"({{"order_id":"order-0123456789","op":"add","uid":"123456789012345678","domain":"guild:42","amount":125,"remark":"{}"}})",
      std::string(88, 'r'));
  std::string post_body = body;
  post_body.erase(post_body.find(R"("op":"add",)"), 11);
  auto const hello_rate = requests_per_second(
      server.endpoint(), "GET /hello HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load\r\nAccept: */*\r\n\r\n",
      seconds);
  fmt::print("GET  {:8.0f} requests/s\n", hello_rate);
  auto const post_rate = requests_per_second(
      server.endpoint(),
      fmt::format(
          "POST /v1/ledger/entries HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load\r\nAuthorization: Bearer "
          "lk_0123456789\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
          post_body.size(), post_body),
      seconds);
  fmt::print("POST {:8.0f} requests/s ({} bytes of JSON)\n", post_rate, post_body.size());
  server.drain(1000);
  return 0;
}

}  // namespace

}  // namespace larder

int main(int argc, char** argv) {
  return larder::run(argc > 1 ? std::stod(argv[1]) : 3.0,
                     argc > 2 && std::string_view(argv[2]) == "access_log");
}
