#include "systems/ledger/forgotten_flows.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr int moved_at_once = 2000;
constexpr int read_at_once = 5000;
constexpr std::string_view before_flow = "(event_ms < ? OR (event_ms = ? AND event_seq < ?))";

// Moves a portion. Returns whether there is more.
bool move_some(sql::Session& session, std::string const& table, UserId const& user, UserId const& pseudonym,
               std::pair<TypeId, Domain> const& account, FlowId until) {
  auto const of_account = fmt::format("uid = ? AND type_id = ? AND domain = ? AND {}", before_flow);
  sql::Values params{user.str(), account.first, account.second.str(), until.ms, until.ms, until.sequence};
  auto const end = session.query(fmt::format("SELECT event_ms FROM {} WHERE {} ORDER BY event_ms LIMIT 1 "
                                             "OFFSET {}",
                                             table, of_account, moved_at_once),
                                 params);
  params.insert(params.begin(), pseudonym.str());
  params.emplace_back(end.empty() ? until.ms : end[0].int64(0));
  session.execute(
      fmt::format("UPDATE {} SET uid = ?, remark = '' WHERE {} AND event_ms <= ?", table, of_account),
      params);
  return !end.empty();
}

}  // namespace

Task<std::vector<Account>> accounts_with_flows(Journal& journal, UserId user) {
  auto const rows = co_await journal.database().read([table = journal.table_of(user),
                                                      uid = user.str()](sql::Session& session) {
    return session.query(
        fmt::format("SELECT DISTINCT type_id, domain FROM {} WHERE uid = ? ORDER BY type_id, domain", table),
        {uid});
  });
  std::vector<Account> accounts;
  for (auto const& row : rows)
    accounts.push_back({.type = row.int64(0), .domain = Domain::from(row.text(1)).value(), .uid = user});
  co_return accounts;
}

Task<ForgottenAccounts> forgotten_accounts(Journal& journal, UserId pseudonym) {
  auto const rows = co_await journal.database().read(
      [table = journal.table_of(pseudonym), uid = pseudonym.str()](sql::Session& session) {
        return session.query(
            fmt::format("SELECT type_id, domain, event_ms, event_seq, at_ms FROM {} WHERE uid = ? AND op = ?",
                        table),
            {uid, std::string(name_of(Op::forgotten))});
      });
  ForgottenAccounts accounts;
  for (auto const& row : rows) {
    accounts[{row.int64(0), Domain::from(row.text(1)).value()}] = {
        .id = {.ms = row.int64(2), .sequence = row.int64(3)}, .at = {row.int64(4)}};
  }
  co_return accounts;
}

Task<void> move_flows(Journal& journal, UserId user, UserId pseudonym, std::pair<TypeId, Domain> account,
                      ForgottenAccount until) {
  for (bool more = true; more;) {
    more = co_await journal.database().write(
        [table = journal.table_of(user), user, pseudonym, account, id = until.id](sql::Session& session) {
          return move_some(session, table, user, pseudonym, account, id);
        });
  }
}

Task<std::set<std::string>> orders_with_flows(Journal& journal, UserId user) {
  std::set<std::string> orders;
  std::optional<UserFlow> last;
  for (;;) {
    auto const page = co_await journal.page_of(user, last, read_at_once);
    for (auto const& each : page) orders.insert(each.flow.order_id.str());
    if (page.empty()) co_return orders;
    last = page.back();
  }
}

Task<void> rewrite_flow(Journal& journal, UserFlow flow, RewrittenFlow rewritten) {
  auto const table = journal.table_of(flow.uid);
  co_await journal.database().write([table, flow = std::move(flow),
                                     rewritten = std::move(rewritten)](sql::Session& session) {
    session.execute(
        fmt::format("UPDATE {} SET order_id = ?, detail = ?, remark = ? WHERE uid = ? AND event_ms = ? AND "
                    "event_seq = ? AND order_id = ?",
                    table),
        {rewritten.order_id, rewritten.detail.empty() ? sql::Value(nullptr) : sql::Value(rewritten.detail),
         rewritten.remark, flow.uid.str(), flow.flow.id.ms, flow.flow.id.sequence, flow.flow.order_id.str()});
  });
}

}  // namespace larder::ledger
