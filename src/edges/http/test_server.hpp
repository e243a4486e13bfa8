// A server with a few routes of every kind, on a free local port.
#pragma once

#include "edges/http/operation_routes.hpp"
#include "edges/http/rate_limit.hpp"
#include "edges/http/server.hpp"
#include "edges/http/test_client.hpp"

#include <thread>

namespace larder::http {

namespace test {

// Knows the tokens "ledger" and "admin", which have the scopes of these names, "reader", which is read-only,
// and "main", which may only touch the realms "main" and "b c" of the economy. Also accepts them as
// subprotocols.
class TestScheme final : public accounts::Scheme {
 public:
  bool recognises(accounts::Credentials const& credentials) const override;
  Task<Result<accounts::Caller>> authenticate(accounts::Credentials credentials) override;
  std::atomic<bool> knows_ledger = true;  // false: that token was revoked
};

std::span<Route const> test_routes();

// The handler of /hold waits here. (That of /stall also waits, but blocks its thread.)
Task<void> wait_for_release();
// Lets one waiting handler continue. Returns when it has.
void release_held();
void wait_until_held(int count);
void forget_held();  // after a server stopped while handlers were held

struct RateSetup {
  std::string redis_url;
  limiter::Rule rule;
  Clock const& clock;
};

class TestServer {
 public:
  explicit TestServer(HttpOptions options = {}, int threads = 1, std::optional<RateSetup> const& rate = {});
  ~TestServer();

  asio::ip::tcp::endpoint endpoint() const { return server_->endpoint(); }
  HttpServer& server() { return *server_; }
  Metrics& metrics() { return metrics_; }
  TestScheme& scheme() { return scheme_; }
  std::atomic<bool> shutting_down = false;
  std::atomic<bool> store_answers = true;
  std::string const& openapi() const { return openapi_.plain; }

 private:
  Metrics metrics_;
  ReadyLog ready_log_;
  std::vector<Api> apis_;
  FixedText openapi_;
  TestScheme scheme_;
  accounts::Authenticator authenticator_{{&scheme_}};
  std::vector<std::unique_ptr<asio::io_context>> contexts_;
  struct Limited {
    Limited(asio::io_context& io, RateSetup const& setup, Metrics& metrics)
        : redis(io, {.url = redis::parse_url(setup.redis_url), .tls_ca = {}}, metrics),
          rate_limit(redis, setup.clock, setup.rule) {}
    redis::Redis redis;
    RateLimit rate_limit;
  };
  std::vector<std::unique_ptr<Limited>> limited_;  // one per thread, or none
  std::unique_ptr<HttpServer> server_;
  std::vector<std::jthread> threads_;
};

}  // namespace test

}  // namespace larder::http
