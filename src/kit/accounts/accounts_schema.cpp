#include "kit/accounts/accounts_schema.hpp"

namespace larder::accounts {

namespace {

// The other databases compare bytes anyway.
std::vector<std::string> names_by_bytes(sql::Dialect dialect) {
  if (dialect != sql::Dialect::postgresql) return {};
  return {R"(CREATE INDEX IF NOT EXISTS account_by_name ON account (name_key COLLATE "C"))"};
}

}  // namespace

void migrate_accounts(sql::Database& sql) {
  auto const key_column = [&](std::string_view column) {
    return sql::add_column("service_key", column, sql.dialect());
  };
  std::vector<sql::Migration> const migrations = {
      {1,
       "service keys",
       {"CREATE TABLE IF NOT EXISTS service_key (id VARCHAR(32) NOT NULL PRIMARY KEY, name VARCHAR(64) NOT "
        "NULL, "
        "scopes VARCHAR(200) NOT NULL, hash VARCHAR(64) NOT NULL, created_at BIGINT NOT NULL, revoked_at "
        "BIGINT)"
        "{table_options}"}},
      {2,
       "players' accounts",
       {"CREATE TABLE IF NOT EXISTS account (id VARCHAR(64) NOT NULL PRIMARY KEY, username VARCHAR(64) NOT "
        "NULL, name_key VARCHAR(128) NOT NULL, hashed_password VARCHAR(128) NOT NULL, generation BIGINT NOT "
        "NULL, disabled BIGINT NOT NULL, created_at BIGINT NOT NULL, deleted_at BIGINT) {table_options}",
        "CREATE INDEX IF NOT EXISTS account_of_name ON account (name_key)",
        "CREATE TABLE IF NOT EXISTS session_key (id BIGINT NOT NULL PRIMARY KEY, secret VARCHAR(64) NOT "
        "NULL, created_at BIGINT NOT NULL) {table_options}"}},
      {3,
       "the newest event of players' accounts",
       {"CREATE TABLE IF NOT EXISTS account_newest_event (id BIGINT NOT NULL PRIMARY KEY, event_ms BIGINT "
        "NOT NULL, "
        "event_seq BIGINT NOT NULL) {table_options}"}},
      {4,
       "limits, uses and rotations of service keys",
       {key_column("realms {text}"), key_column("reads_only BIGINT"), key_column("expires_at BIGINT"),
        key_column("last_used_at BIGINT"), key_column("older_tokens {text}"),
        "CREATE TABLE IF NOT EXISTS service_key_mark (name VARCHAR(32) NOT NULL PRIMARY KEY, made_at BIGINT "
        "NOT "
        "NULL) {table_options}"}},
      {5, "names in the order of their bytes", names_by_bytes(sql.dialect())},
  };
  sql::migrate(sql, "accounts", migrations);
}

}  // namespace larder::accounts
