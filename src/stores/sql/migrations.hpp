// The schema, step by step. Each component counts its own versions in schema_migration(component, version,
// name, applied_at).
#pragma once

#include "stores/sql/database.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder::sql {

// Statements may contain, and get per dialect:
//   {id}             the type of a 64-bit primary key that counts up by itself: `id {id}`
//   {text}           a text without a limit
//   {table_options}  behind CREATE TABLE (...): InnoDB and utf8mb4_bin on MariaDB
// MariaDB commits each DDL statement on its own: a migration that failed half-way runs again from its first
// statement, so statements have to be re-runnable (IF NOT EXISTS).
struct Migration {
  int version;  // 1, 2, 3, ...
  std::string_view name;
  std::vector<std::string> statements;
};

// Applies what is missing, in order, and returns those versions. Two servers that start at once wait for each
// other. Throws SetupError if the database has a version that this binary does not know.
std::vector<int> migrate(Database& sql, std::string_view component, std::span<Migration const> migrations);

// A statement in one dialect. An unknown {placeholder} is a bug.
std::string expand_ddl(std::string_view statement, Dialect dialect);

}  // namespace larder::sql
