#include "base/config.hpp"

#include "base/limits.hpp"

namespace larder {

namespace {

Setting data_setting(Config& config) {
  auto setting = text_setting("data", config.data);
  setting.set = [set_text = std::move(setting.set)](std::string const& value) -> std::string {
    if (value.empty()) return "must name a directory";
    return set_text(value);
  };
  return setting;
}

}  // namespace

std::string Config::sql_url() const {
  return sql.url.empty() ? "sqlite:" + data_path("larder.db").string() : sql.url;
}

Settings server_settings(Config& config) {
  auto& server = config.server;
  auto& redis = config.redis;
  return {data_setting(config),

          text_setting("server.listen", server.listen),
          number_setting("server.threads", server.threads, 0, 256),
          number_setting("server.connections_max", server.connections_max, 1, 1'000'000),
          flag_setting("server.metrics_public", server.metrics_public),
          text_setting("server.cors_origin", server.cors_origin),
          flag_setting("server.access_log", server.access_log),
          number_setting("server.rate_tokens", server.rate_tokens, 0, limits::bucket_tokens_max),
          number_setting("server.rate_seconds", server.rate_seconds, 1, limits::bucket_seconds_max),
          number_setting("server.clock_off_max_s", server.clock_off_max_s, 1, 86'400),
          number_setting("server.outbox_lag_max_s", server.outbox_lag_max_s, 1, 86'400),
          number_setting("server.schedule_lag_max_s", server.schedule_lag_max_s, 1, 86'400),

          text_setting("redis.url", redis.url),
          text_setting("redis.binary", redis.binary),
          text_setting("redis.fsync", redis.fsync, {"always", "everysec"}),
          number_setting("redis.replicas_min", redis.replicas_min, -1, 16),
          number_setting("redis.timeout_ms", redis.timeout_ms, 10, 60'000),
          text_setting("redis.tls_ca", redis.tls_ca),

          text_setting("sql.url", config.sql.url),
          number_setting("sql.connections", config.sql.connections, 1, 64)};
}

Settings log_settings(Config& config) {
  return {text_setting("log.level", config.log.level, {"debug", "info", "warn", "error"}),
          text_setting("log.format", config.log.format, {"auto", "json", "text"})};
}

}  // namespace larder
