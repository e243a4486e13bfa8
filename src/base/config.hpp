// The settings of the server itself. Each system adds a section of its own.
#pragma once

#include "base/settings.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace larder {

struct Config {
  std::string data = "data";

  struct Server {
    std::string listen = "127.0.0.1:7420";
    std::int64_t threads = 0;  // 0: one per core
    std::int64_t connections_max = 10'000;
    std::int64_t connections_per_address_max = 0;  // 0: no limit
    std::int64_t bodies_mib_max = 256;             // bodies of requests that are in memory at the same time
    bool metrics_public = false;
    std::string cors_origin;  // '*', or origins separated by commas; empty: no CORS headers
    bool access_log = true;
    std::int64_t rate_tokens = 0;  // requests per key and route in rate_seconds; 0: no limit
    std::int64_t rate_seconds = 60;
    std::int64_t clock_off_max_s = 60;    // a clock that differs more from Redis and others is not trusted
    std::int64_t outbox_lag_max_s = 300;  // beyond these two, /readyz says that the server is not ready
    std::int64_t schedule_lag_max_s = 300;
  } server;

  struct Redis {
    std::string url = "embedded";
    std::string binary = "redis-server";
    std::string fsync = "always";
    std::int64_t replicas_min = -1;  // -1: 1 on a cluster, else 0
    std::int64_t timeout_ms = 2000;
    std::string tls_ca;  // empty: the system's certificates
  } redis;

  struct Sql {
    std::string url;  // empty: sqlite in the data directory
    std::int64_t connections = 4;
  } sql;

  // The server itself also needs it, so it is not among the settings of the system.
  struct Accounts {
    bool behind_proxy = false;  // a proxy adds the sender's address to X-Forwarded-For
  } accounts;

  struct Log {
    std::string level = "info";
    std::string format = "auto";
  } log;

  std::filesystem::path data_path(std::string_view name) const { return std::filesystem::path(data) / name; }
  std::string sql_url() const;
  std::vector<std::string> cors_origins() const;
};

// Bind the server's own settings to the members of `config`, which must outlive them. There are two lists
// because the sections of the systems come between them.
Settings server_settings(Config& config);
Settings log_settings(Config& config);

}  // namespace larder
