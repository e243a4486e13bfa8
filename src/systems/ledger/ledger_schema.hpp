// The tables of the ledger, as steps from one version to the next.
#pragma once

#include "stores/sql/migrations.hpp"

#include <cstdint>
#include <vector>

namespace larder::ledger {

// Types, rates and settings.
std::vector<sql::Migration> schema_migrations(sql::Dialect dialect);

// The tables of flows; they count their versions apart.
std::vector<sql::Migration> flow_migrations(std::int64_t flow_tables, sql::Dialect dialect);

}  // namespace larder::ledger
