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
  };
  sql::migrate(sql, "accounts", migrations);
}

}  // namespace larder::accounts
