// The three databases as a test parameter: TEST_P(SomeTest, ...) runs once on each of them.
#pragma once

#include "support/sql_servers.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <string>

namespace larder::test {

inline SqlServer* sql_server(std::string const& dialect) {
  if (dialect == "postgresql") return &postgresql_server();
  if (dialect == "mariadb") return &mariadb_server();
  return nullptr;
}

// Gives each test a fresh, empty database.
class OnEachDatabase : public testing::TestWithParam<std::string> {
 protected:
  TempDir dir;
  SqlServer* server = sql_server(GetParam());  // null for SQLite
  std::string url = server ? server->new_database() : "sqlite:" + dir.file("test.db");
};

inline std::string database_name(testing::TestParamInfo<std::string> const& info) { return info.param; }

}  // namespace larder::test

#define LARDER_ON_EACH_DATABASE(fixture)                                                    \
  INSTANTIATE_TEST_SUITE_P(, fixture, ::testing::Values("sqlite", "postgresql", "mariadb"), \
                           ::larder::test::database_name)
