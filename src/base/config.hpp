// Every setting of the server. Defaults < TOML file < LARDER_SECTION__KEY environment (LARDER_..._FILE reads
// the value from a file) < flags. One table in config.cpp names them all: what is not in it is refused by
// name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace larder {

struct Config {
  std::string data = "data";

  struct Server {
    std::string listen = "127.0.0.1:7420";
    std::int64_t threads = 0;  // 0: one per core
    std::int64_t connections_max = 10'000;
    bool metrics_public = false;
    std::string cors_origin;  // empty: no CORS headers
    bool access_log = true;
    std::int64_t rate_tokens = 0;  // requests of a key to a route in rate_seconds; 0: no limit
    std::int64_t rate_seconds = 60;
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

  struct Ledger {
    std::string key_format;  // empty: {<uid>}:<domain>:<score_type>, on a cluster
                             // {<bucket>}:<uid>:<domain>:<score_type>
    std::int64_t order_shards = 16;
    std::int64_t flow_tables = 2;
  } ledger;

  struct Economy {
    std::string catalogue;                // a file; empty: the game that is shipped
    std::int64_t stream_events = 10'000;  // that stay in a realm's streams after they are in SQL
    bool allow_seed = false;
  } economy;

  struct Log {
    std::string level = "info";
    std::string format = "auto";
  } log;

  std::filesystem::path data_path(std::string_view name) const { return std::filesystem::path(data) / name; }
  std::string sql_url() const;
};

struct ConfigSources {
  std::string file;                                        // empty: none
  std::map<std::string, std::string> environment;          // LARDER_... only
  std::vector<std::pair<std::string, std::string>> flags;  // "redis.url" -> "unix:/..."
};

// Throws SetupError that names the key and its source.
Config load_config(ConfigSources const& sources);

// The LARDER_ variables of this process.
std::map<std::string, std::string> larder_environment();

// As TOML; secrets, and passwords inside of URLs, are shown as "***".
std::string dump_config(Config const& config);

// `redis://user:secret@host` -> `redis://user:***@host`, `...?password=secret` -> `...?password=***`
std::string redact_url(std::string_view text);

}  // namespace larder
