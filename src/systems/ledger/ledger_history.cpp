// The flows of all users, by time, and their sums.
#include "systems/ledger/flow_rows.hpp"
#include "systems/ledger/ledger_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace larder::ledger {

namespace {

// How many flows a call reads of all tables together. So a filter that few flows pass makes no call long, and
// many tables need no more memory than few.
constexpr std::int64_t read_at_once = 4000;
constexpr std::int64_t counted_at_once = 10'000;
// A call goes only as far as it has read every table. With fewer flows of each, that would not be far.
constexpr std::int64_t of_table_min = 50;

std::int64_t of_each_table(std::int64_t flows, std::int64_t tables) {
  return std::max(flows / tables, of_table_min);
}

FlowPlace flow_place_of(UserFlow const& flow) {
  return {.id = flow.flow.id, .uid = flow.uid.str(), .order = flow.flow.order_id.str()};
}

bool passes(UserFlow const& flow, HistoryQuery const& query) {
  auto const& outcome = flow.flow.outcome;
  return (!query.type || outcome.type == *query.type) && (!query.domain || outcome.domain == *query.domain) &&
         (!query.op || outcome.op == *query.op);
}

bool is_newer(UserFlow const& a, UserFlow const& b) {
  return std::tie(a.flow.id, a.uid.str(), a.flow.order_id.str()) >
         std::tie(b.flow.id, b.uid.str(), b.flow.order_id.str());
}

struct Statement {
  std::string sql;
  sql::Values params;
};

// The newest flows of one table before the place where the last page ended. The index of the table has only
// the first two columns of the order, but few flows share both. The flows of all tables need one order.
Statement statement_for(HistoryQuery const& query, std::int64_t table, std::int64_t limit,
                        std::string_view columns, std::string_view by_bytes) {
  Statement made{.sql = fmt::format("SELECT {}, uid FROM score_flow_{} WHERE event_ms >= ?", columns, table),
                 .params = {query.from.value_or(TimeMs{}).value}};
  if (query.to) {
    made.sql += " AND event_ms < ?";
    made.params.emplace_back(query.to->value);
  }
  if (query.before) {
    auto const& [id, uid, order] = *query.before;
    made.sql += fmt::format(
        " AND event_ms <= ? AND (event_ms < ? OR event_seq < ? OR (event_seq = ? AND (uid{0} < ? OR (uid = ? "
        "AND "
        "order_id{0} < ?))))",
        by_bytes);
    made.params.insert(made.params.end(), {id.ms, id.ms, id.sequence, id.sequence, uid, uid, order});
  }
  made.sql += fmt::format(" ORDER BY event_ms DESC, event_seq DESC, uid{0} DESC, order_id{0} DESC LIMIT {1}",
                          by_bytes, limit);
  return made;
}

// The flows of the tables in one order; of each table, its newest `limit` flows before the place of the
// query.
HistoryPage merge(std::vector<std::vector<UserFlow>> tables, HistoryQuery const& query, std::int64_t limit) {
  // What a table has before its last flow is not known yet, so flows of other tables from there on must wait.
  std::optional<FlowPlace> known_to;
  std::vector<UserFlow> flows;
  for (auto& table : tables) {
    if (std::int64_t(table.size()) == limit) {
      auto const last = flow_place_of(table.back());
      if (!known_to || *known_to < last) known_to = last;
    }
    std::ranges::move(table, std::back_inserter(flows));
  }
  std::ranges::sort(flows, is_newer);

  HistoryPage page;
  for (auto& flow : flows) {
    auto const place = flow_place_of(flow);
    if (known_to && place < *known_to) break;
    if (!passes(flow, query)) continue;
    if (std::int64_t(page.flows.size()) == query.limit) {
      page.next = flow_place_of(page.flows.back());
      return page;
    }
    page.flows.push_back(std::move(flow));
  }
  page.next = known_to;
  return page;
}

// What is not counted yet, or the first portion of it.
struct Uncounted {
  CountMark mark;
  std::int64_t counted_to = 0;
  TypeSums sums = {};
  std::int64_t read = 0;  // flows, including some that this portion does not count
};

// A portion ends between two milliseconds, because the flows of one millisecond have no order.
Uncounted count_portion(sql::Session& session, std::int64_t until, std::int64_t tables, std::int64_t limit) {
  Uncounted found{.mark = read_count_mark(session), .counted_to = until};
  std::vector<Flow> flows;
  for (std::int64_t table = 0; table < tables && found.mark.counted_ms < until; ++table) {
    auto const rows = session.query(
        fmt::format(
            "SELECT {} FROM score_flow_{} WHERE event_ms > ? AND event_ms <= ? ORDER BY event_ms LIMIT {}",
            flow_columns, table, limit),
        {found.mark.counted_ms, found.counted_to});
    for (auto const& row : rows) flows.push_back(read_flow(row));
    found.read = std::int64_t(flows.size());
    if (std::int64_t(rows.size()) == limit)
      found.counted_to = std::min(found.counted_to, flows.back().id.ms - 1);
  }
  for (auto const& flow : flows) {
    if (flow.id.ms <= found.counted_to) found.sums[flow.outcome.type] += change_of(flow.outcome);
  }
  return found;
}

}  // namespace

Task<Totals> Journal::totals() { co_return co_await sql_.read(read_totals); }

Task<std::optional<CountMark>> Journal::count_flows(TimeMs until) {
  auto to = until.value;
  for (auto limit = of_each_table(counted_at_once, flow_tables_);; limit *= 4) {
    auto const found = co_await sql_.read([to, tables = flow_tables_, limit](sql::Session& session) {
      return count_portion(session, to, tables, limit);
    });
    if (found.mark.counted_ms >= until.value) co_return found.mark;
    if (found.counted_to <= found.mark.counted_ms) {
      // A table has more flows of the next millisecond. Of the other tables, no more is needed.
      to = found.mark.counted_ms + 1;
      continue;
    }
    // One busy table among many has ended the portion early.
    if (found.counted_to < to && found.read < counted_at_once / 4) continue;
    bool const is_all = found.counted_to == until.value;
    // An idle ledger writes nothing.
    if (is_all && found.sums.empty()) co_return found.mark;
    bool const added = co_await sql_.write([found](sql::Session& session) {
      return add_totals(session, found.mark, found.counted_to, found.sums);
    });
    if (!added || !is_all) co_return std::nullopt;
    co_return CountMark{.counted_ms = found.counted_to, .epoch = found.mark.epoch};
  }
}

Task<HistoryPage> Journal::history(HistoryQuery query) {
  bool const filtered = query.type || query.domain || query.op;
  HistoryPage page;
  do {
    auto limit = of_each_table(read_at_once, flow_tables_);
    if (!filtered) limit = std::min(limit, query.limit + 1);
    auto tables = co_await sql_.read([query, limit, count = flow_tables_](sql::Session& session) {
      std::vector<std::vector<UserFlow>> found;
      for (std::int64_t table = 0; table < count; ++table) {
        auto const statement = statement_for(query, table, limit, flow_columns, by_bytes(session));
        found.push_back(read_flows(session.query(statement.sql, statement.params)));
      }
      return found;
    });
    auto more = merge(std::move(tables), query, limit);
    query.limit -= std::int64_t(more.flows.size());
    query.before = page.next = std::move(more.next);
    std::ranges::move(more.flows, std::back_inserter(page.flows));
  } while (!filtered && page.next && query.limit > 0);
  co_return page;
}

}  // namespace larder::ledger
