// The HTTP/1.1 server.
//
//   HttpServer server({.listen = parse_listen("127.0.0.1:7420")}, {ledger_api, ...}, metrics, threads);
//   server.start();
//   ... the io_contexts run ...
//   server.drain(limits::drain_ms);
#pragma once

#include "base/limits.hpp"
#include "base/metrics.hpp"
#include "edges/http/route.hpp"
#include "kit/accounts/authenticator.hpp"

#include <boost/asio/ip/tcp.hpp>

namespace larder::http {

struct HttpOptions {
  asio::ip::tcp::endpoint listen = {};  // port 0: any free port
  std::size_t connections_max = 10'000;
  std::size_t connections_per_address_max = 0;  // 0: no limit
  bool behind_proxy = false;  // addresses are in X-Forwarded-For, and open requests count, not connections
  std::size_t bodies_bytes_max = 256UL << 20U;  // all bodies in memory
  bool metrics_public = false;
  std::vector<std::string> cors_origins = {};  // {"*"}: all; empty: no CORS
  bool access_log = true;

  // From the first byte of a request to the last byte of its body. It does not limit the handler, whose
  // stores have their own limits.
  int request_deadline_ms = limits::request_deadline_ms;
  int idle_ms = limits::idle_ms;
  int write_deadline_ms = limits::write_deadline_ms;  // without a byte of progress
  int linger_ms = limits::linger_ms;                  // time for a refused client to read the answer
  int web_socket_ping_ms = limits::web_socket_ping_ms;
  int web_socket_pong_ms = limits::web_socket_pong_ms;
};

class Idempotency;
class RateLimit;

// One io thread. Only one thread may run its io_context.
struct HttpThread {
  asio::io_context& io;
  std::vector<Part> parts;  // one per system, in the order of the systems
  accounts::Authenticator& authenticator;
  Idempotency* idempotency = nullptr;
  RateLimit* rate_limit = nullptr;
};

class Worker;
struct ServerState;

// Every thread accepts on its own socket (SO_REUSEPORT) and keeps its connections. The requests of one
// connection are handled one after the other. The io_contexts, the metrics and everything that the threads
// refer to must outlive the server.
class HttpServer {
 public:
  // Binds the address. Throws SetupError if the address is in use or does not belong to this machine, or if a
  // route is wrong (see Router).
  HttpServer(HttpOptions options, std::vector<Api> const& systems, Metrics& metrics,
             std::vector<HttpThread> const& threads);
  ~HttpServer();
  HttpServer(HttpServer const&) = delete;
  HttpServer& operator=(HttpServer const&) = delete;

  void start();
  asio::ip::tcp::endpoint endpoint() const;
  std::size_t connections() const;

  // Thread-safe.
  void stop_accepting();
  // Closes idle connections, lets running requests finish with `Connection: close`, closes WebSockets with
  // 1001, and cuts off what is left after the deadline. Returns true if nothing was cut off. Call it from a
  // thread that runs no io_context. After this call, the server has no more work on the io_contexts.
  bool drain(int deadline_ms);

 private:
  std::shared_ptr<ServerState> state_;
  std::vector<std::shared_ptr<Worker>> workers_;
};

// "127.0.0.1:7420", "[::1]:7420", "localhost:7420". Throws SetupError.
asio::ip::tcp::endpoint parse_listen(std::string_view address);

}  // namespace larder::http
