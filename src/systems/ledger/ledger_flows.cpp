// Flows in the journal.
#include "systems/ledger/flow_rows.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_outbox.hpp"
#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace larder::ledger {

namespace {

constexpr std::size_t terms_at_once = 200;  // per statement
constexpr std::string_view in_order = "ORDER BY uid, event_ms, event_seq, order_id";

FlowPosition position_of(UserFlow const& flow) {
  return {.uid = flow.uid, .id = flow.flow.id, .order_id = flow.flow.order_id};
}

// The flows of the same user after `after`.
std::vector<sql::Row> rest_of_user(sql::Session& session, std::string_view columns, std::string const& table,
                                   FlowPosition const& after, std::size_t limit) {
  auto const& [uid, id, order_id] = after;
  return session.query(
      fmt::format("SELECT {}, uid FROM {} WHERE uid = ? AND event_ms >= ? AND (event_ms > ? OR event_seq > ? "
                  "OR (event_seq = ? AND order_id > ?)) {} LIMIT {}",
                  columns, table, in_order, limit),
      {uid.str(), id.ms, id.ms, id.sequence, id.sequence, order_id.str()});
}

// Up to `limit` flows after `after`. Two statements, each with a range of the primary key: for one condition
// on all columns, MariaDB would read the whole table.
std::vector<sql::Row> next_rows(sql::Session& session, std::string_view columns, std::string const& table,
                                std::optional<FlowPosition> const& after, std::size_t limit) {
  std::vector<sql::Row> rows;
  if (after) rows = rest_of_user(session, columns, table, *after, limit);
  if (rows.size() < limit) {
    auto const others = session.query(fmt::format("SELECT {}, uid FROM {} WHERE uid > ? {} LIMIT {}", columns,
                                                  table, in_order, limit - rows.size()),
                                      {after ? after->uid.str() : ""});
    rows.insert(rows.end(), others.begin(), others.end());
  }
  return rows;
}

}  // namespace

std::string Journal::table_of(UserId const& uid) const {
  return fmt::format("score_flow_{}", partition_of(uid) % flow_tables_);
}

Task<std::vector<Flow>> Journal::flows(FlowQuery query) {
  std::string sql = fmt::format("SELECT {} FROM {} WHERE uid = ?", flow_columns, table_of(query.uid));
  sql::Values params{query.uid.str()};
  auto const where = [&](std::string_view condition, sql::Value value) {
    sql += fmt::format(" AND {} ?", condition);
    params.push_back(std::move(value));
  };
  if (query.type) where("type_id =", *query.type);
  if (query.domain) where("domain =", query.domain->str());
  if (query.from) where("at_ms >=", query.from->value);
  if (query.to) where("at_ms <", query.to->value);
  if (query.before) {
    where("event_ms <=", query.before->ms);
    sql += " AND (event_ms < ? OR event_seq < ?)";
    params.insert(params.end(), {query.before->ms, query.before->sequence});
  }
  sql += fmt::format(" ORDER BY event_ms DESC, event_seq DESC LIMIT {}", query.limit);

  auto const rows =
      co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
  std::vector<Flow> flows;
  flows.reserve(rows.size());
  for (auto const& row : rows) flows.push_back(read_flow(row));
  co_return flows;
}

Task<std::vector<UserFlow>> Journal::page(std::int64_t table, std::optional<UserFlow> after, int limit) {
  co_return co_await sql_.read([table = fmt::format("score_flow_{}", table),
                                after = after ? std::optional(position_of(*after)) : std::nullopt,
                                limit = std::size_t(limit)](sql::Session& session) {
    return read_flows(next_rows(session, flow_columns, table, after, limit));
  });
}

Task<std::vector<UserFlow>> Journal::page_of(UserId uid, std::optional<UserFlow> after, int limit) {
  auto const from = after ? position_of(*after) : FlowPosition{.uid = uid, .id = {.ms = -1}, .order_id = {}};
  co_return co_await sql_.read(
      [table = table_of(uid), from, limit = std::size_t(limit)](sql::Session& session) {
        return read_flows(rest_of_user(session, flow_columns, table, from, limit));
      });
}

// Reads all flows of the user. The order is that of Account, because Ledger::list_orders compares accounts
// with the place where a page ended.
Task<std::vector<Account>> Journal::accounts_of_user(AccountsQuery query) {
  auto const rows = co_await sql_.read([query, table = table_of(query.uid)](sql::Session& session) {
    auto const bytes = by_bytes(session);
    auto sql = fmt::format("SELECT DISTINCT type_id, domain{} AS name FROM {} WHERE uid = ?", bytes, table);
    sql::Values params{query.uid.str()};
    if (query.from) {
      auto const& [type, domain] = *query.from;
      sql += fmt::format(" AND (type_id > ? OR (type_id = ? AND domain{} {} ?))", bytes,
                         query.skips_first ? ">" : ">=");
      params.insert(params.end(), {type, type, domain.str()});
    }
    sql += fmt::format(" ORDER BY type_id, name LIMIT {}", query.limit);
    return session.query(sql, params);
  });
  std::vector<Account> accounts;
  for (auto const& row : rows) {
    accounts.push_back({.type = row.int64(0), .domain = Domain::from(row.text(1)).value(), .uid = query.uid});
  }
  co_return accounts;
}

Task<std::vector<bool>> Journal::has_accounts(std::vector<Account> accounts) {
  std::vector<bool> found(accounts.size(), false);
  for (std::size_t first = 0; first < accounts.size(); first += terms_at_once) {
    std::string sql;
    sql::Values params;
    for (auto i = first; i < std::min(first + terms_at_once, accounts.size()); ++i) {
      auto const& [type, domain, uid] = accounts[i];
      sql += fmt::format(
          "{} SELECT n FROM (SELECT {} AS n FROM {} WHERE uid = ? AND type_id = ? AND domain = ? LIMIT 1) AS "
          "a{}",
          sql.empty() ? "" : " UNION ALL", i, table_of(uid), i);
      params.insert(params.end(), {uid.str(), type, domain.str()});
    }
    auto const rows =
        co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
    for (auto const& row : rows) found[std::size_t(row.int64(0))] = true;
  }
  co_return found;
}

Task<std::vector<Flow>> Journal::flows_of_order(UserId uid, OrderId order_id, Op op) {
  auto const sql =
      fmt::format("SELECT {} FROM {} WHERE uid = ? AND order_id = ? AND op = ? ORDER BY event_ms, event_seq",
                  flow_columns, table_of(uid));
  sql::Values const params{uid.str(), order_id.str(), std::string(name_of(op))};
  auto const rows =
      co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
  std::vector<Flow> flows;
  for (auto const& row : rows) flows.push_back(read_flow(row));
  co_return flows;
}

Task<std::vector<bool>> Journal::has_orders(std::vector<OrderClue> clues) {
  std::map<UserId, std::vector<std::size_t>> by_user;
  for (std::size_t i = 0; i < clues.size(); ++i) by_user[clues[i].uid].push_back(i);
  std::set<std::tuple<std::string, std::string, std::string>> flows;  // uid, order, op
  std::string sql;
  sql::Values params;
  std::size_t terms = 0;
  for (auto user = by_user.begin(); user != by_user.end();) {
    auto from_ms = std::numeric_limits<std::int64_t>::max();
    std::int64_t to_ms = 0;
    sql::Values orders;
    std::string marks;
    for (auto const i : user->second) {
      from_ms = std::min(from_ms, clues[i].from_ms);
      to_ms = std::max(to_ms, clues[i].to_ms);
      orders.emplace_back(clues[i].order_id.str());
      marks += marks.empty() ? "?" : ", ?";
    }
    sql += fmt::format(
        "{} SELECT uid, order_id, op FROM {} WHERE uid = ? AND event_ms >= ? AND event_ms <= ? AND order_id "
        "IN ({})",
        sql.empty() ? "" : " UNION ALL", table_of(user->first), marks);
    params.insert(params.end(), {user->first.str(), from_ms, to_ms});
    params.insert(params.end(), orders.begin(), orders.end());
    ++user;
    if (++terms < terms_at_once && user != by_user.end()) continue;
    auto const rows =
        co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
    for (auto const& row : rows) flows.emplace(row.text(0), row.text(1), row.text(2));
    sql.clear();
    params.clear();
    terms = 0;
  }
  std::vector<bool> found;
  for (auto const& clue : clues) {
    found.push_back(flows.contains({clue.uid.str(), clue.order_id.str(), std::string(name_of(clue.op))}));
  }
  co_return found;
}

// Reads all flows, in the order of the primary key, and chooses here. So a page takes the same time wherever
// it begins, and however few of the flows are of this type.
Task<Journal::AccountsPage> Journal::accounts_of(TypeId type, std::int64_t table,
                                                 std::optional<FlowPosition> after, int limit) {
  auto const rows = co_await sql_.read([table = fmt::format("score_flow_{}", table), after = std::move(after),
                                        limit = std::size_t(limit)](sql::Session& session) {
    return next_rows(session, "event_ms, event_seq, order_id, type_id, domain", table, after, limit);
  });
  std::set<std::pair<std::string, std::string>> found;  // uid, domain
  for (auto const& row : rows) {
    if (row.int64(3) == type) found.emplace(row.text(5), row.text(4));
  }
  AccountsPage page;
  for (auto const& [uid, domain] : found) {
    page.accounts.push_back(
        {.type = type, .domain = Domain::from(domain).value(), .uid = UserId::from(uid).value()});
  }
  if (!rows.empty()) {
    auto const& row = rows.back();
    page.last = FlowPosition{.uid = UserId::from(row.text(5)).value(),
                             .id = {.ms = row.int64(0), .sequence = row.int64(1)},
                             .order_id = OrderId::from(row.text(2)).value()};
  }
  co_return page;
}

Task<Amount> Journal::balance_at(Account account, TimeMs time) {
  auto const rows = co_await sql_.read([table = table_of(account.uid), account, time](sql::Session& session) {
    return session.query(
        fmt::format("SELECT balance FROM {} WHERE uid = ? AND type_id = ? AND domain = ? AND "
                    "at_ms <= ? ORDER BY event_ms DESC, event_seq DESC LIMIT 1",
                    table),
        {account.uid.str(), account.type, account.domain.str(), time.value});
  });
  if (rows.empty()) co_return Amount{};
  co_return Amount::from(rows[0].int64(0)).value();
}

void Journal::write_flows(sql::Session& session, std::span<events::Event const> events) const {
  std::map<std::string, std::vector<sql::Values>> rows_by_table;
  for (auto const& event : events) {
    auto const [uid, flow] = flow_of(event);
    auto const& outcome = flow.outcome;
    rows_by_table[table_of(uid)].push_back(
        {uid.str(), flow.id.ms, flow.id.sequence, flow.order_id.str(), outcome.type, outcome.domain.str(),
         std::string(name_of(outcome.op)), std::string(name_of(outcome.status)), outcome.amount.value(),
         outcome.old_balance.value(), outcome.change(), outcome.balance.value(), flow.remark,
         outcome.at.value, outcome.detail.empty() ? sql::Value(nullptr) : sql::Value(outcome.detail)});
  }
  for (auto const& [table, rows] : rows_by_table) {
    session.bulk_insert(table,
                        {"uid", "event_ms", "event_seq", "order_id", "type_id", "domain", "op", "status",
                         "amount", "old_balance", "change_amount", "balance", "remark", "at_ms", "detail"},
                        rows, sql::OnConflict::ignore);
  }
}

}  // namespace larder::ledger
