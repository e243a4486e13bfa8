// Rows of the flow tables.
#pragma once

#include "stores/sql/session.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <string_view>
#include <vector>

namespace larder::ledger {

inline constexpr std::string_view flow_columns =
    "event_ms, event_seq, order_id, status, op, type_id, domain, amount, old_balance, balance, at_ms, "
    "remark, detail";

// What stands behind a text so that the database compares and sorts it by its bytes, as C++ does. PostgreSQL
// would use the rules of a language. SQLite and the tables of MariaDB compare bytes anyway.
std::string_view by_bytes(sql::Session const& session);

// The row begins with these columns.
Flow read_flow(sql::Row const& row);
// The rows end with the column `uid`.
std::vector<UserFlow> read_flows(std::vector<sql::Row> const& rows);

}  // namespace larder::ledger
