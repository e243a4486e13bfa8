// Migrations build the schema step by step. Each component has its own version numbers in the table
// schema_migration (component, version, name, applied_at).
#pragma once

#include "stores/sql/database.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder::sql {

// Statements may contain these placeholders, which are replaced for each dialect:
//   {id}             the type of a 64-bit primary key that counts up by itself: `id {id}`
//   {text}           the type of a text without a limit
//   {table_options}  after CREATE TABLE (...): InnoDB and utf8mb4_bin on MariaDB
//
// MariaDB commits each DDL statement on its own. A migration that failed half-way runs again from its first
// statement, so every statement must be safe to run twice (IF NOT EXISTS).
struct Migration {
  int version;  // 1, 2, 3, ...
  std::string_view name;
  std::vector<std::string> statements;
};

// Applies the missing migrations in order and returns their versions. Blocks. If two servers start at
// the same time, one waits for the other. Throws SetupError if the database has a version that this
// binary does not know.
std::vector<int> migrate(Database& sql, std::string_view component, std::span<Migration const> migrations);

// The statement that adds a column, such as "remark VARCHAR(64)", to a table. Safe to run twice.
std::string add_column(std::string_view table, std::string_view column, Dialect dialect);

// Replaces the placeholders of a statement for one dialect. An unknown placeholder is a bug.
std::string expand_ddl(std::string_view statement, Dialect dialect);

}  // namespace larder::sql
