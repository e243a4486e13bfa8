// The tables of the ledger, as migrations from one version to the next.
#pragma once

#include "stores/sql/migrations.hpp"

#include <cstdint>
#include <vector>

namespace larder::ledger {

// For the tables of types, rates and settings.
std::vector<sql::Migration> schema_migrations(sql::Dialect dialect);

// For the flow tables, which have their own version numbers.
std::vector<sql::Migration> flow_migrations(std::int64_t flow_tables, sql::Dialect dialect);

}  // namespace larder::ledger
