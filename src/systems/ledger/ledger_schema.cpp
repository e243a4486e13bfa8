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
       .statements = {sql::add_column("score_type", "order_ttl_days_before BIGINT", dialect),
                      sql::add_column("score_type", "order_ttl_raised_at_ms BIGINT", dialect)}},
      {.version = 5,
       .name = "changes of the end of a type",
       .statements = {sql::add_column("score_type", "ends_revision BIGINT", dialect),
                      sql::add_column("score_type", "ends_cursor VARCHAR(300)", dialect),
                      sql::add_column("score_type", "cleared BIGINT", dialect)}},
      {.version = 6,
       .name = "totals by type",
       .statements =
           {"CREATE TABLE IF NOT EXISTS ledger_total (type_id BIGINT NOT NULL PRIMARY KEY, outstanding "
            "VARCHAR(40) NOT NULL, held VARCHAR(40) NOT NULL, pending VARCHAR(40) NOT NULL, waiting "
            "VARCHAR(40) NOT NULL) {table_options}",
            "CREATE TABLE IF NOT EXISTS ledger_total_mark (id BIGINT NOT NULL PRIMARY KEY, counted_ms "
            "BIGINT NOT NULL, epoch BIGINT NOT NULL) {table_options}"}},
  };
}

std::vector<sql::Migration> flow_migrations(std::int64_t flow_tables, sql::Dialect dialect) {
  std::vector<std::string> flows;
  std::vector<std::string> details;
  std::vector<std::string> by_time;
  std::vector<std::string> by_order;
  for (std::int64_t i = 0; i < flow_tables; ++i) {
    flows.push_back(flow_table_ddl(i, dialect));
    details.push_back(sql::add_column(fmt::format("score_flow_{}", i), "detail {text}", dialect));
    by_time.push_back(fmt::format(
        "CREATE INDEX IF NOT EXISTS score_flow_{0}_by_time ON score_flow_{0} (event_ms, event_seq)", i));
    by_order.push_back(
        fmt::format("CREATE INDEX IF NOT EXISTS score_flow_{0}_by_order ON score_flow_{0} (order_id)", i));
  }
  return {{.version = 1, .name = "flows", .statements = std::move(flows)},
          {.version = 2,
           .name = "what lots, transfers and holds add to a flow",
           .statements = std::move(details)},
          {.version = 3, .name = "flows by time", .statements = std::move(by_time)},
          {.version = 4, .name = "flows by order", .statements = std::move(by_order)}};
}

}  // namespace larder::ledger
