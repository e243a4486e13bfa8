#include "systems/ledger/ledger_schema.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

// One index for everything: the flows of a user lie together, in order, and an event can exist only
// once. The order id is part of the key in case a lost Redis issues the same event ids again,
// because its clock went back.
std::string flow_table_ddl(std::int64_t number, sql::Dialect dialect) {
  return fmt::format(
      "CREATE TABLE IF NOT EXISTS score_flow_{} ("
      "uid VARCHAR(64) NOT NULL, event_ms BIGINT NOT NULL, event_seq BIGINT NOT NULL, "
      "order_id VARCHAR(128) NOT NULL, type_id BIGINT NOT NULL, domain VARCHAR(64) NOT NULL, "
      "op VARCHAR(16) NOT NULL, status VARCHAR(32) NOT NULL, amount BIGINT NOT NULL, "
      "old_balance BIGINT NOT NULL, change_amount BIGINT NOT NULL, balance BIGINT NOT NULL, "
      "remark VARCHAR(256) NOT NULL, at_ms BIGINT NOT NULL, "
      "PRIMARY KEY (uid, event_ms, event_seq, order_id)) {{table_options}} {}",
      number, dialect == sql::Dialect::sqlite ? "WITHOUT ROWID" : "");
}

// SQLite has no IF NOT EXISTS here, but it rolls back a failed migration.
std::string add_column(std::string_view table, std::string_view column, sql::Dialect dialect) {
  return fmt::format("ALTER TABLE {} ADD COLUMN {} {}", table,
                     dialect == sql::Dialect::sqlite ? "" : "IF NOT EXISTS", column);
}

}  // namespace

std::vector<sql::Migration> schema_migrations(sql::Dialect dialect) {
  return {
      {.version = 1,
       .name = "score types and settings",
       .statements = {"CREATE TABLE IF NOT EXISTS score_type ("
                      "id {id}, name VARCHAR(64) NOT NULL UNIQUE, starts_at_ms BIGINT, ends_at_ms BIGINT, "
                      "order_ttl_days BIGINT NOT NULL, order_age_days_max BIGINT NOT NULL, "
                      "remark VARCHAR(256) NOT NULL, created_at_ms BIGINT NOT NULL) {table_options}",
                      "CREATE TABLE IF NOT EXISTS ledger_setting ("
                      "name VARCHAR(64) NOT NULL PRIMARY KEY, value BIGINT NOT NULL) {table_options}"}},
      {.version = 2,
       .name = "exchange rates",
       .statements = {"CREATE TABLE IF NOT EXISTS score_rate ("
                      "from_type BIGINT NOT NULL, to_type BIGINT NOT NULL, numerator BIGINT NOT NULL, "
                      "denominator BIGINT NOT NULL, PRIMARY KEY (from_type, to_type)) {table_options}"}},
      {.version = 3,
       .name = "the layout of the keys",
       .statements = {"CREATE TABLE IF NOT EXISTS ledger_text_setting ("
                      "name VARCHAR(64) NOT NULL PRIMARY KEY, value {text} NOT NULL) {table_options}"}},
      {.version = 4,
       .name = "how long orders were remembered before",
       .statements = {add_column("score_type", "order_ttl_days_before BIGINT", dialect),
                      add_column("score_type", "order_ttl_raised_at_ms BIGINT", dialect)}},
      {.version = 5,
       .name = "changes of the end of a type",
       .statements = {add_column("score_type", "ends_revision BIGINT", dialect),
                      add_column("score_type", "ends_cursor VARCHAR(300)", dialect),
                      add_column("score_type", "cleared BIGINT", dialect)}},
  };
}

std::vector<sql::Migration> flow_migrations(std::int64_t flow_tables, sql::Dialect dialect) {
  std::vector<std::string> flows;
  std::vector<std::string> details;
  for (std::int64_t i = 0; i < flow_tables; ++i) {
    flows.push_back(flow_table_ddl(i, dialect));
    details.push_back(add_column(fmt::format("score_flow_{}", i), "detail {text}", dialect));
  }
  return {{.version = 1, .name = "flows", .statements = std::move(flows)},
          {.version = 2,
           .name = "what lots, transfers and holds add to a flow",
           .statements = std::move(details)}};
}

}  // namespace larder::ledger
