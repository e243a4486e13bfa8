#include "support/sql_servers.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <mysql.h>
#include <pwd.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace larder::test {

namespace {

namespace fs = std::filesystem;

// PostgreSQL refuses to run as root.
std::string unprivileged_user() {
  if (::geteuid() != 0) return {};
  return ::getpwnam("postgres") != nullptr ? "postgres" : "nobody";
}

std::string postgresql_bin() {
  for (auto const& version : fs::directory_iterator("/usr/lib/postgresql")) {
    if (fs::exists(version.path() / "bin/postgres")) return (version.path() / "bin").string();
  }
  throw std::runtime_error("PostgreSQL is not installed: tools/setup test");
}

class PostgresqlServer final : public SqlServer {
 public:
  PostgresqlServer() : SqlServer(SIGINT) {
    fs::permissions(dir_.path(), fs::perms(0755));
    fs::create_directory(home_);
    if (!user_.empty()) {
      auto const* user = ::getpwnam(user_.c_str());
      if (::chown(home_.c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("chown failed");
    }
    // The databases sort text by the rules of a language, as most do: to them, a is before B.
    run_or_throw({.command = {bin_ + "/initdb", "-D", home_ + "/data", "-U", "larder", "-A", "trust", "-N",
                              "-E", "UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"},
                  .output = dir_.file("initdb.log"),
                  .user = user_});
    start();
  }

 private:
  Process::Options command() const override {
    return {.command = {bin_ + "/postgres", "-D", home_ + "/data", "-k", home_, "-c",
                        "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB", "-c",
                        "max_wal_senders=0", "-c", "wal_level=minimal", "-c", "autovacuum=off"},
            .output = dir_.file("postgres.log"),
            .user = user_};
  }

  bool try_execute(std::string const& statement) const override {
    auto* connection = PQconnectdb(url("postgres").c_str());
    auto* result = PQexec(connection, statement.c_str());
    auto const status = PQresultStatus(result);
    PQclear(result);
    PQfinish(connection);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
  }
  std::string url(std::string const& database) const override {
    return fmt::format("postgresql://larder@/{}?host={}", database, home_);
  }

  std::string bin_ = postgresql_bin();
  std::string user_ = unprivileged_user();
  std::string home_ = dir_.file("pg");
};

class MariadbServer final : public SqlServer {
 public:
  MariadbServer() : SqlServer(SIGTERM) {
    std::vector<std::string> install = {"mariadb-install-db",
                                        "--no-defaults",
                                        "--datadir=" + data_,
                                        "--auth-root-authentication-method=normal",
                                        "--skip-test-db",
                                        "--skip-name-resolve",
                                        "--tmpdir=" + dir_.path().string()};
    if (::geteuid() == 0) install.push_back("--user=root");
    run_or_throw({.command = install, .output = dir_.file("install.log")});
    start();
  }

 private:
  Process::Options command() const override {
    Process::Options options{
        .command = {"/usr/sbin/mariadbd", "--no-defaults", "--datadir=" + data_, "--socket=" + socket_,
                    "--skip-networking", "--innodb-flush-log-at-trx-commit=0",
                    "--innodb-buffer-pool-size=16M", "--innodb-fast-shutdown=2",
                    "--pid-file=" + dir_.file("pid")},
        .output = dir_.file("mariadb.log")};
    if (::geteuid() == 0) options.command.emplace_back("--user=root");
    return options;
  }

  bool try_execute(std::string const& statement) const override {
    MYSQL* connection = mysql_init(nullptr);
    bool const done =
        mysql_real_connect(connection, nullptr, "root", "", nullptr, 0, socket_.c_str(), 0) != nullptr &&
        mysql_query(connection, statement.c_str()) == 0;
    mysql_close(connection);
    return done;
  }
  std::string url(std::string const& database) const override {
    return fmt::format("mysql://root@localhost/{}?socket={}", database, socket_);
  }

  std::string data_ = dir_.file("data");
  std::string socket_ = dir_.file("socket");
};

}  // namespace

void SqlServer::start() {
  if (process_) return;
  process_ = std::make_unique<Process>(command());
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!try_execute("SELECT 1")) {
    if (!process_->running() || std::chrono::steady_clock::now() > deadline) {
      throw std::runtime_error("the SQL server did not start: " + command().output);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void SqlServer::stop() {
  if (!process_) return;
  process_->signal(stop_signal_);
  process_->wait();
  process_.reset();
}

std::string SqlServer::new_database() {
  auto const name = fmt::format("test_{}", ++databases_);
  if (!try_execute("CREATE DATABASE " + name)) throw std::runtime_error("cannot create the database " + name);
  return url(name);
}

SqlServer& postgresql_server() {
  static PostgresqlServer server;
  return server;
}

SqlServer& mariadb_server() {
  static MariadbServer server;
  return server;
}

}  // namespace larder::test
