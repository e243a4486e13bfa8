// Who has an order, and whether a user has anything: for people who look around.
#include "systems/ledger/ledger_journal.hpp"

#include <fmt/format.h>

namespace larder::ledger {

Task<bool> Journal::has_flows(UserId uid) {
  auto const sql = fmt::format("SELECT order_id FROM {} WHERE uid = ? LIMIT 1", table_of(uid));
  auto const rows =
      co_await sql_.read([sql, uid = uid.str()](sql::Session& session) { return session.query(sql, {uid}); });
  co_return !rows.empty();
}

Task<std::vector<UserId>> Journal::users_of_order(OrderId order_id, std::int64_t limit) {
  co_return co_await sql_.read([tables = flow_tables_, order = order_id.str(), limit](sql::Session& session) {
    std::vector<UserId> users;
    for (std::int64_t i = 0; i < tables && std::int64_t(users.size()) < limit; ++i) {
      auto const rows = session.query(
          fmt::format("SELECT DISTINCT uid FROM score_flow_{} WHERE order_id = ? ORDER BY uid LIMIT {}", i,
                      limit - std::int64_t(users.size())),
          {order});
      for (auto const& row : rows) users.push_back(UserId::from(row.text(0)).value());
    }
    return users;
  });
}

}  // namespace larder::ledger
