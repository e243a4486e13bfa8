// The tables of accounts: component "accounts" of the migrations.
#pragma once

#include "stores/sql/migrations.hpp"

namespace larder {

void migrate_accounts(Sql& sql);

}  // namespace larder
