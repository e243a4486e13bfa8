#include "kit/accounts/accounts_schema.hpp"

namespace larder::accounts {

void migrate_accounts(sql::Database& sql) {
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
  };
  sql::migrate(sql, "accounts", migrations);
}

}  // namespace larder::accounts
