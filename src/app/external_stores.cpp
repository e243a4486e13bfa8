#include "app/external_stores.hpp"

#include "base/error.hpp"
#include "stores/redis/url.hpp"
#include "stores/sql/url.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>
#include <fmt/format.h>

namespace larder {

namespace {

// As one word for a shell.
std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// "redis-cli -h db.example -p 6379"
std::string redis_cli(redis::Url const& url) {
  auto const& node = url.endpoints.front();
  auto words = std::string(url.password.empty() ? "" : "REDISCLI_AUTH=<password> ") + "redis-cli";
  words += node.port == 0 ? fmt::format(" -s {}", shell_word(node.host))
                          : fmt::format(" -h {} -p {}", shell_word(node.host), node.port);
  if (!url.user.empty()) words += fmt::format(" --user {}", shell_word(url.user));
  if (url.tls) words += " --tls";
  return words;
}

// A cluster is named by one of its nodes.
std::string cluster_backup(redis::Url const& url, std::filesystem::path const& directory) {
  auto const& node = url.endpoints.front();
  auto words = std::string(url.password.empty() ? "" : "REDISCLI_AUTH=<password> ") + "redis-cli";
  if (url.tls) words += " --tls";
  return fmt::format("{} --cluster backup {} {}", words, node.str(), shell_word(directory.string()));
}

// pg_dump takes the password from PGPASSWORD or ~/.pgpass.
std::string without_password(std::string_view address) {
  boost::urls::url url(boost::urls::parse_uri(address).value());
  url.remove_password();
  url.params().erase("password");
  url.params().erase("sslpassword");
  if (url.has_query() && url.params().empty()) url.remove_query();
  return std::string(url.buffer());
}

// The options of mysqldump and mysql for this database, and its name.
std::string mysql_options(std::string_view address) {
  auto const url = boost::urls::parse_uri(address).value();
  std::string words;
  if (!url.host().empty()) words += fmt::format(" --host={}", shell_word(url.host()));
  if (url.has_port()) words += fmt::format(" --port={}", std::string(url.port()));
  for (auto const param : url.params()) {
    if (param.key == "socket") words += fmt::format(" --socket={}", shell_word(param.value));
  }
  if (!url.user().empty()) words += fmt::format(" --user={}", shell_word(url.user()));
  if (url.has_password()) words += " --password";
  return words;
}
std::string mysql_database(std::string_view address) {
  return shell_word(std::string(boost::urls::parse_uri(address).value().path()).substr(1));
}

std::string redis_backup(Config const& config, std::filesystem::path const& directory) {
  auto const url = redis::parse_url(config.redis.url);
  if (url.embedded) {
    return fmt::format("cp -a {} {}",
                       shell_word(std::filesystem::absolute(config.data_path("redis")).string()),
                       shell_word((directory / "redis").string()));
  }
  if (url.cluster) return cluster_backup(url, directory);
  return fmt::format("{} --rdb {}", redis_cli(url), shell_word((directory / "redis.rdb").string()));
}

std::string sql_backup(Config const& config, std::filesystem::path const& directory) {
  auto const address = config.sql_url();
  auto const url = sql::parse_url(address);
  if (url.dialect == sql::Dialect::sqlite)
    return fmt::format("cp -a {}* {}", shell_word(url.connect), shell_word(directory.string()));
  if (url.dialect == sql::Dialect::postgresql) {
    return fmt::format("pg_dump --format=custom --file={} {}",
                       shell_word((directory / "larder.dump").string()),
                       shell_word(without_password(address)));
  }
  return fmt::format("mysqldump --single-transaction{} --result-file={} {}", mysql_options(address),
                     shell_word((directory / "larder.sql").string()), mysql_database(address));
}

std::vector<std::string> redis_restore(Config const& config, std::filesystem::path const& directory) {
  auto const url = redis::parse_url(config.redis.url);
  if (url.embedded) {
    return {fmt::format("move {0} away; cp -a {1} {0}",
                        shell_word(std::filesystem::absolute(config.data_path("redis")).string()),
                        shell_word((directory / "redis").string()))};
  }
  std::vector<std::string> steps{fmt::format(
      "stop {}, empty its directory, and copy {} there as its dbfilename (dump.rdb)",
      url.cluster ? "every node of the cluster" : "this Redis",
      url.cluster ? "the .rdb file of each master" : shell_word((directory / "redis.rdb").string()))};
  steps.emplace_back(
      "start it with `--appendonly no`, because with `appendonly yes` it would not read that file");
  steps.push_back(fmt::format("{} CONFIG SET appendonly yes{}", redis_cli(url),
                              url.cluster ? "   (the same on each master)" : ""));
  return steps;
}

std::string sql_restore(Config const& config, std::filesystem::path const& directory) {
  auto const address = config.sql_url();
  auto const url = sql::parse_url(address);
  if (url.dialect == sql::Dialect::sqlite) {
    auto const file = std::filesystem::path(url.connect);
    return fmt::format("move {0}* away; cp -a {1}* {2}", shell_word(url.connect),
                       shell_word((directory / file.filename()).string()),
                       shell_word(file.parent_path().string()));
  }
  if (url.dialect == sql::Dialect::postgresql) {
    return fmt::format("pg_restore --clean --if-exists --no-owner --dbname={} {}",
                       shell_word(without_password(address)),
                       shell_word((directory / "larder.dump").string()));
  }
  return fmt::format("mysql{} {} < {}", mysql_options(address), mysql_database(address),
                     shell_word((directory / "larder.sql").string()));
}

std::string numbered(std::string_view head, std::vector<std::string> const& steps) {
  std::string text(head);
  for (std::size_t i = 0; i < steps.size(); ++i) text += fmt::format("\n  {}. {}", i + 1, steps[i]);
  return text;
}

}  // namespace

bool keeps_all(Config const& config) {
  return redis::parse_url(config.redis.url).embedded &&
         sql::parse_url(config.sql_url()).dialect == sql::Dialect::sqlite;
}

std::string backup_by_hand(Config const& config, std::filesystem::path const& directory) {
  return numbered(
      "`larder backup` copies the embedded Redis together with SQLite, and these settings name another "
      "store. "
      "Nothing was written. Redis and SQL must be copied while no server works, because copies of two "
      "different moments do not fit together. So:",
      {"stop every server", fmt::format("mkdir -m 700 {}", shell_word(directory.string())),
       redis_backup(config, directory), sql_backup(config, directory), "start the servers"});
}

std::string restore_by_hand(Config const& config, std::filesystem::path const& directory) {
  std::vector<std::string> steps{"stop every server"};
  for (auto& step : redis_restore(config, directory)) steps.push_back(std::move(step));
  steps.push_back(sql_restore(config, directory));
  steps.emplace_back("larder verify, with the settings of the servers");
  steps.emplace_back("start the servers");
  return numbered(
      "`larder restore` fills a data directory with an embedded Redis and SQLite, and these settings name "
      "another store. Nothing was changed. Both stores must come from the same backup. So:",
      steps);
}

}  // namespace larder
