#include "stores/sql/url.hpp"

#include "base/config.hpp"
#include "base/error.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <fmt/format.h>
#include <libpq-fe.h>

namespace larder::sql {

namespace {

SetupError bad_url(std::string_view url, std::string_view why) {
  return SetupError(
      fmt::format("the SQL URL {} {}; possible are sqlite:/path/to/file, "
                  "postgresql://user:password@host:port/database (?host=/directory for a socket) and "
                  "mysql://user:password@host:port/database (?socket=/path)",
                  redact_url(url), why));
}

Url sqlite_url(std::string_view url) {
  std::string path(url.substr(std::string_view("sqlite:").size()));
  if (path.starts_with("//")) path.erase(0, 2);
  if (path.empty()) throw bad_url(url, "names no file");
  // SOCI would take these characters for its own key="value" syntax.
  if (path.find_first_of("=\"") != std::string::npos) throw bad_url(url, "has a = or \" in the path");
  return {Dialect::sqlite, path, "sqlite:" + path};
}

// libpq takes the URL as it is. Options that the URL does not set get our defaults.
Url postgresql_url(std::string_view url) {
  static constexpr std::pair<std::string_view, std::string_view> defaults[] = {
      {"connect_timeout", "5"},      {"client_encoding", "UTF8"}, {"application_name", "larder"},
      {"tcp_user_timeout", "15000"}, {"keepalives_idle", "10"},   {"keepalives_interval", "5"},
      {"keepalives_count", "3"}};
  auto const parsed = boost::urls::parse_uri(url);
  if (!parsed) throw bad_url(url, "is malformed");
  std::string connect(url);
  bool first = !parsed->has_query();
  for (auto const& [key, value] : defaults) {
    if (parsed->params().contains(key)) continue;
    connect += fmt::format("{}{}={}", first ? '?' : '&', key, value);
    first = false;
  }
  auto* options = PQconninfoParse(connect.c_str(), nullptr);
  if (options == nullptr) throw bad_url(url, "has an option that PostgreSQL does not know");
  PQconninfoFree(options);
  return {Dialect::postgresql, connect, redact_url(url)};
}

void append_quoted(std::string& out, std::string_view key, std::string_view value) {
  out += fmt::format(" {}='", key);
  for (char c : value) {
    if (c == '\'' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  out.push_back('\'');
}

Url mysql_url(std::string_view url) {
  auto const parsed = boost::urls::parse_uri(url);
  if (!parsed) throw bad_url(url, "is malformed");
  auto const database = parsed->path();
  if (database.size() < 2) throw bad_url(url, "names no database");
  // The read timeout limits the wait for a server that has vanished. The longest migration must be shorter.
  std::string connect = "charset=utf8mb4 connect_timeout=5 write_timeout=30 read_timeout=300";
  append_quoted(connect, "db", std::string_view(database).substr(1));
  if (!parsed->user().empty()) append_quoted(connect, "user", parsed->user());
  if (!parsed->password().empty()) append_quoted(connect, "password", parsed->password());
  if (!parsed->host().empty()) append_quoted(connect, "host", parsed->host());
  if (parsed->has_port()) append_quoted(connect, "port", parsed->port());
  for (auto const param : parsed->params()) {
    if (param.key == "socket") {
      append_quoted(connect, "unix_socket", param.value);
    } else if (param.key == "sslca") {
      append_quoted(connect, "sslca", param.value);
    } else {
      throw bad_url(url, fmt::format("has the unknown option {}", param.key));
    }
  }
  return {Dialect::mysql, connect, redact_url(url)};
}

}  // namespace

Url parse_url(std::string_view url) {
  if (url.starts_with("sqlite:")) return sqlite_url(url);
  if (url.starts_with("postgresql://") || url.starts_with("postgres://")) return postgresql_url(url);
  if (url.starts_with("mysql://") || url.starts_with("mariadb://")) return mysql_url(url);
  throw bad_url(url, "has an unknown scheme");
}

}  // namespace larder::sql
