#include "base/config.hpp"

#include "base/limits.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

#include <algorithm>

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

// Splits at commas and drops the spaces around them.
std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  for (;;) {
    auto const comma = list.find(',');
    auto word = list.substr(0, comma);
    word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    word = word.substr(0, word.find_last_not_of(' ') + 1);
    words.emplace_back(word);
    if (comma == std::string_view::npos) return words;
    list.remove_prefix(comma + 1);
  }
}

bool has_only(std::string_view text, std::string_view others) {
  return std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || others.find(c) != std::string_view::npos;
  });
}

// Whether a browser could send exactly this as its Origin: a scheme, a host in lower case, and perhaps a
// port.
bool is_origin(std::string_view text) {
  auto const scheme_end = text.find("://");
  if (scheme_end == 0 || scheme_end == std::string_view::npos) return false;
  if (!has_only(text.substr(0, scheme_end), "+.-")) return false;
  auto host = text.substr(scheme_end + 3);
  auto const colon = host.find(':', host.find(']') == std::string_view::npos ? 0 : host.find(']'));
  if (colon != std::string_view::npos) {
    auto const port = parse_int<std::uint16_t>(host.substr(colon + 1));
    if (!port || *port == 0) return false;
    host = host.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) {
    auto const inside = host.substr(1, host.size() - 2);
    return !inside.empty() && has_only(inside, ":.");
  }
  return !host.empty() && has_only(host, "._-");
}

Setting origin_setting(Config& config) {
  auto setting = text_setting("server.cors_origin", config.server.cors_origin);
  setting.set = [set_text = std::move(setting.set)](std::string const& value) -> std::string {
    auto wrong = set_text(value);
    bool const good = value.empty() || value == "*" || std::ranges::all_of(split(value), is_origin);
    if (!wrong.empty() || good) return wrong;
    return "must be *, or origins such as https://game.example, separated by commas";
  };
  return setting;
}

}  // namespace

std::vector<std::string> Config::cors_origins() const {
  return server.cors_origin.empty() ? std::vector<std::string>{} : split(server.cors_origin);
}

std::string Config::sql_url() const {
  return sql.url.empty() ? "sqlite:" + data_path("larder.db").string() : sql.url;
}

Settings server_settings(Config& config) {
  auto& server = config.server;
  auto& redis = config.redis;
  return {
      data_setting(config),

      text_setting("server.listen", server.listen),
      number_setting("server.threads", server.threads, 0, 256),
      number_setting("server.connections_max", server.connections_max, 1, 1'000'000),
      number_setting("server.connections_per_address_max", server.connections_per_address_max, 0, 1'000'000),
      number_setting("server.bodies_mib_max", server.bodies_mib_max, limits::bodies_mib_min, 1'048'576),
      flag_setting("server.metrics_public", server.metrics_public),
      origin_setting(config),
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
      number_setting("sql.connections", config.sql.connections, 1, 64),

      flag_setting("accounts.behind_proxy", config.accounts.behind_proxy)};
}

Settings log_settings(Config& config) {
  return {text_setting("log.level", config.log.level, {"debug", "info", "warn", "error"}),
          text_setting("log.format", config.log.format, {"auto", "json", "text"})};
}

}  // namespace larder
