// What belongs to one io thread of the server.
#pragma once

#include "app/io_loop.hpp"
#include "app/systems.hpp"
#include "base/config.hpp"
#include "edges/http/idempotency.hpp"
#include "edges/http/operation_routes.hpp"
#include "edges/http/rate_limit.hpp"
#include "edges/http/server.hpp"

#include <atomic>
#include <optional>

namespace larder {

// What all io threads share.
struct ThreadContext {
  Config const& config;
  redis::Options const& redis_options;
  sql::Database& sql;
  Clock const& clock;
  Metrics& metrics;
  accounts::Authenticator& authenticator;
  http::ReadyLog& ready_log;
  std::atomic<bool> const& shutting_down;
  http::FixedText const& openapi;
};

class ServerThread {
 public:
  ServerThread(IoLoop& loop, ThreadContext const& context, Systems const& systems);

  http::HttpThread http();

 private:
  IoLoop& loop_;
  accounts::Authenticator& authenticator_;
  redis::Redis redis_;
  http::Idempotency idempotency_;
  std::optional<http::RateLimit> rate_limit_;
  std::vector<http::Part> parts_;  // in the order of apis_of()
};

// The routes of the server itself, then the routes of each system.
std::vector<http::Api> apis_of(Systems const& systems);

}  // namespace larder
