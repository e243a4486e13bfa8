// The SQL tables of accounts: the component "accounts" of the migrations.
#pragma once

#include "stores/sql/migrations.hpp"

namespace larder::accounts {

void migrate_accounts(sql::Database& sql);

}  // namespace larder::accounts
