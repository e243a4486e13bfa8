#include "systems/ledger/flow_rows.hpp"

#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>

namespace larder::ledger {

std::string_view by_bytes(sql::Session const& session) {
  return session.dialect() == sql::Dialect::postgresql ? R"( COLLATE "C")" : "";
}

Flow read_flow(sql::Row const& row) {
  // The columns hold the words of a script's record, so they are parsed as such a record.
  return {.id = {.ms = row.int64(0), .sequence = row.int64(1)},
          .order_id = OrderId::from(row.text(2)).value(),
          .outcome =
              parse_record(fmt::format("{} {} {} {} {} {} {} {}{}{}", row.text(3), row.text(4), row.int64(5),
                                       row.text(6), row.int64(7), row.int64(8), row.int64(9), row.int64(10),
                                       row.is_null(12) ? "" : " ", row.optional_text(12).value_or(""))),
          .remark = row.text(11)};
}

std::vector<UserFlow> read_flows(std::vector<sql::Row> const& rows) {
  std::vector<UserFlow> flows;
  flows.reserve(rows.size());
  for (auto const& row : rows) {
    flows.push_back({.uid = UserId::from(row.text(row.size() - 1)).value(), .flow = read_flow(row)});
  }
  return flows;
}

}  // namespace larder::ledger
