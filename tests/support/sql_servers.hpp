// Real SQL servers for tests, on unix sockets in a temporary directory, without TCP. Each server is set up on
// first use (well under two seconds) and stopped when the test process ends.
#pragma once

#include "support/process.hpp"
#include "support/temp_dir.hpp"

#include <memory>
#include <string>

namespace larder::test {

class SqlServer {
 public:
  virtual ~SqlServer() { stop(); }
  SqlServer(SqlServer const&) = delete;
  SqlServer& operator=(SqlServer const&) = delete;

  void start();  // returns when the server answers
  void stop();   // breaks every connection

  // The URL of a fresh, empty database.
  std::string new_database();

 protected:
  explicit SqlServer(int stop_signal) : stop_signal_(stop_signal) {}
  virtual Process::Options command() const = 0;
  virtual bool try_execute(std::string const& statement) const = 0;
  virtual std::string url(std::string const& database) const = 0;

  TempDir dir_;

 private:
  int stop_signal_;
  int databases_ = 0;
  std::unique_ptr<Process> process_;
};

SqlServer& postgresql_server();
SqlServer& mariadb_server();

}  // namespace larder::test
