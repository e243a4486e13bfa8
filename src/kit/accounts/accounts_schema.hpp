// The tables of accounts: component "accounts" of the migrations.
#pragma once

#include "stores/sql/migrations.hpp"

namespace larder::accounts {

void migrate_accounts(sql::Database& sql);

}  // namespace larder::accounts
