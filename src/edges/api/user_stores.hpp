// What a system needs in order to export or forget a user: in a server, and in a command without a server.
#pragma once

#include "base/config.hpp"
#include "base/metrics.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"

namespace larder::api {

// The Redis belongs to the io_context on which the functions run.
struct UserStores {
  Config const& config;
  asio::io_context& io;
  redis::Redis& redis;
  sql::Database& sql;
  Clock const& clock;
  Metrics& metrics;
};

}  // namespace larder::api
