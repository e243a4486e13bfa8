#include "base/config.hpp"

#include "base/error.hpp"
#include "base/limits.hpp"
#include "base/number.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <unistd.h>

namespace larder {

namespace {

// What one setting is called, what it may be, and where it lives.
struct Setting {
  std::string_view name;
  std::function<std::string(Config&, std::string const&)> set;  // returns what is wrong, or nothing
  std::function<std::string(Config const&)> toml;
};

std::string toml_string(std::string_view text) {
  std::ostringstream out;
  out << toml::value<std::string>(std::string(text));
  return out.str();
}

template <class Section>
Setting text(std::string_view name, Section Config::* section, std::string Section::* member,
             std::vector<std::string_view> const& choices = {}) {
  return {name,
          [=](Config& config, std::string const& value) -> std::string {
            if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
              return fmt::format("must be one of {}", fmt::join(choices, ", "));
            }
            config.*section.*member = value;
            return {};
          },
          [=](Config const& config) { return toml_string(redact_url(config.*section.*member)); }};
}

template <class Section>
Setting number(std::string_view name, Section Config::* section, std::int64_t Section::* member,
               std::int64_t min, std::int64_t max) {
  return {name,
          [=](Config& config, std::string const& value) -> std::string {
            auto const parsed = parse_int(value);
            if (!parsed || *parsed < min || *parsed > max) {
              return fmt::format("must be a whole number from {} to {}", min, max);
            }
            config.*section.*member = *parsed;
            return {};
          },
          [=](Config const& config) { return fmt::format("{}", config.*section.*member); }};
}

template <class Section>
Setting flag(std::string_view name, Section Config::* section, bool Section::* member) {
  return {name,
          [=](Config& config, std::string const& value) -> std::string {
            if (value != "true" && value != "false") return "must be true or false";
            config.*section.*member = value == "true";
            return {};
          },
          [=](Config const& config) { return fmt::format("{}", config.*section.*member); }};
}

std::vector<Setting> const& settings() {
  static std::vector<Setting> const all = {
      {"data",
       [](Config& config, std::string const& value) -> std::string {
         if (value.empty()) return "must name a directory";
         config.data = value;
         return {};
       },
       [](Config const& config) { return toml_string(config.data); }},

      text("server.listen", &Config::server, &Config::Server::listen),
      number("server.threads", &Config::server, &Config::Server::threads, 0, 256),
      number("server.connections_max", &Config::server, &Config::Server::connections_max, 1, 1'000'000),
      flag("server.metrics_public", &Config::server, &Config::Server::metrics_public),
      text("server.cors_origin", &Config::server, &Config::Server::cors_origin),
      flag("server.access_log", &Config::server, &Config::Server::access_log),
      number("server.rate_tokens", &Config::server, &Config::Server::rate_tokens, 0,
             limits::bucket_tokens_max),
      number("server.rate_seconds", &Config::server, &Config::Server::rate_seconds, 1,
             limits::bucket_seconds_max),

      text("redis.url", &Config::redis, &Config::Redis::url),
      text("redis.binary", &Config::redis, &Config::Redis::binary),
      text("redis.fsync", &Config::redis, &Config::Redis::fsync, {"always", "everysec"}),
      number("redis.replicas_min", &Config::redis, &Config::Redis::replicas_min, -1, 16),
      number("redis.timeout_ms", &Config::redis, &Config::Redis::timeout_ms, 10, 60'000),
      text("redis.tls_ca", &Config::redis, &Config::Redis::tls_ca),

      text("sql.url", &Config::sql, &Config::Sql::url),
      number("sql.connections", &Config::sql, &Config::Sql::connections, 1, 64),

      text("ledger.key_format", &Config::ledger, &Config::Ledger::key_format),
      number("ledger.order_shards", &Config::ledger, &Config::Ledger::order_shards, 1, 1000),
      number("ledger.flow_tables", &Config::ledger, &Config::Ledger::flow_tables, 1, 1000),

      text("economy.catalogue", &Config::economy, &Config::Economy::catalogue),
      number("economy.stream_events", &Config::economy, &Config::Economy::stream_events, 1000, 100'000'000),
      flag("economy.allow_seed", &Config::economy, &Config::Economy::allow_seed),

      text("log.level", &Config::log, &Config::Log::level, {"debug", "info", "warn", "error"}),
      text("log.format", &Config::log, &Config::Log::format, {"auto", "json", "text"}),
  };
  return all;
}

void apply(Config& config, std::string_view name, std::string const& value, std::string_view source) {
  auto const found = std::ranges::find(settings(), name, &Setting::name);
  if (found == settings().end()) {
    throw SetupError(fmt::format("unknown setting {} in {}; `larder config dump` lists all", name, source));
  }
  if (value.find(":***@") != std::string::npos || value.find("password=***") != std::string::npos) {
    throw SetupError(
        fmt::format("setting {} in {} has a hidden password (***); put the real one there, or use "
                    "a LARDER_..._FILE variable",
                    name, source));
  }
  if (auto const wrong = found->set(config, value); !wrong.empty()) {
    throw SetupError(fmt::format("setting {} in {} {}", name, source, wrong));
  }
}

std::string scalar(toml::node const& node, std::string_view name, std::string_view source) {
  if (auto const* value = node.as_string()) return value->get();
  if (auto const* value = node.as_integer()) return fmt::format("{}", value->get());
  if (auto const* value = node.as_boolean()) return value->get() ? "true" : "false";
  throw SetupError(
      fmt::format("setting {} in {} must be a string, a whole number or true/false", name, source));
}

void apply_table(Config& config, toml::table const& table, std::string const& prefix,
                 std::string const& source) {
  for (auto const& [key, node] : table) {
    auto const name = prefix + std::string(key.str());
    if (auto const* section = node.as_table()) {
      apply_table(config, *section, name + ".", source);
    } else {
      apply(config, name, scalar(node, name, source), source);
    }
  }
}

void apply_file(Config& config, std::string const& file) {
  std::ifstream in(file);
  if (!in) throw SetupError(fmt::format("cannot read the configuration file {}", file));
  try {
    apply_table(config, toml::parse(in, file), "", file);
  } catch (toml::parse_error const& error) {
    throw SetupError(fmt::format("{}, line {}: {}", file, error.source().begin.line, error.description()));
  }
}

std::string read_secret(std::string const& variable, std::string const& path) {
  std::ifstream in(path);
  if (!in) throw SetupError(fmt::format("cannot read {}, named by {}", path, variable));
  std::string value{std::istreambuf_iterator<char>(in), {}};
  while (value.ends_with('\n') || value.ends_with('\r')) value.pop_back();
  return value;
}

// LARDER_REDIS__URL -> redis.url
std::string setting_name(std::string_view variable) {
  std::string name;
  for (char c : variable.substr(std::string_view("LARDER_").size())) {
    name.push_back(c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c);
  }
  if (auto const at = name.find("__"); at != std::string::npos) name.replace(at, 2, ".");
  return name;
}

}  // namespace

std::string Config::sql_url() const {
  return sql.url.empty() ? "sqlite:" + data_path("larder.db").string() : sql.url;
}

Config load_config(ConfigSources const& sources) {
  Config config;
  if (!sources.file.empty()) apply_file(config, sources.file);
  for (auto const& [variable, value] : sources.environment) {
    if (variable.ends_with("_FILE")) {
      auto const name = setting_name(variable.substr(0, variable.size() - 5));
      apply(config, name, read_secret(variable, value), variable);
    } else {
      apply(config, setting_name(variable), value, variable);
    }
  }
  for (auto const& [name, value] : sources.flags) apply(config, name, value, "the command line");
  return config;
}

std::map<std::string, std::string> larder_environment() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view const line = *entry;
    auto const equals = line.find('=');
    if (line.starts_with("LARDER_") && equals != std::string_view::npos) {
      found.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  return found;
}

std::string dump_config(Config const& config) {
  std::string out;
  std::string_view section;
  for (auto const& setting : settings()) {
    auto const dot = setting.name.find('.');
    auto const in = dot == std::string_view::npos ? std::string_view{} : setting.name.substr(0, dot);
    if (in != section) {
      out += fmt::format("\n[{}]\n", in);
      section = in;
    }
    auto const key = in.empty() ? setting.name : setting.name.substr(dot + 1);
    out += fmt::format("{} = {}\n", key, setting.toml(config));
  }
  return out;
}

std::string redact_url(std::string_view text) {
  std::string url(text);
  auto const scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  auto const start = scheme + 3;
  // libpq takes a password as an option, too: ?password= and ?sslpassword=.
  constexpr std::string_view option = "password=";
  for (auto at = url.find(option, start); at != std::string::npos; at = url.find(option, at + 1)) {
    auto const value = at + option.size();
    url.replace(value, std::min(url.find('&', value), url.size()) - value, "***");
  }
  // A password may hold any character, '/' and '@' too if its owner forgot to escape them: the last '@'
  // counts.
  auto const at = url.rfind('@');
  if (at == std::string::npos || at < start) return url;
  auto const colon = url.find(':', start);
  if (colon == std::string::npos || colon > at) return url;
  return fmt::format("{}:***{}", url.substr(0, colon), url.substr(at));
}

}  // namespace larder
