#include "systems/ledger/ledger_journal.hpp"

#include "base/json.hpp"
#include "stores/sql/migrations.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

namespace larder::ledger {

namespace {

constexpr std::string_view type_columns =
    "id, name, starts_at_ms, ends_at_ms, order_ttl_days, order_age_days_max, remark, created_at_ms, "
    "order_ttl_days_before, order_ttl_raised_at_ms";

constexpr std::string_view flow_columns =
    "event_ms, event_seq, order_id, status, op, type_id, domain, amount, old_balance, balance, at_ms, "
    "remark, detail";

// One tree for everything: a user's flows lie together, in order, and an event can be there only once. The
// order id is part of the key in case a Redis that was lost counts its event ids anew after its clock went
// back.
std::string flow_table_ddl(std::int64_t number, Dialect dialect) {
  return fmt::format(
      "CREATE TABLE IF NOT EXISTS score_flow_{} ("
      "uid VARCHAR(64) NOT NULL, event_ms BIGINT NOT NULL, event_seq BIGINT NOT NULL, "
      "order_id VARCHAR(128) NOT NULL, type_id BIGINT NOT NULL, domain VARCHAR(64) NOT NULL, "
      "op VARCHAR(16) NOT NULL, status VARCHAR(32) NOT NULL, amount BIGINT NOT NULL, "
      "old_balance BIGINT NOT NULL, change_amount BIGINT NOT NULL, balance BIGINT NOT NULL, "
      "remark VARCHAR(256) NOT NULL, at_ms BIGINT NOT NULL, "
      "PRIMARY KEY (uid, event_ms, event_seq, order_id)) {{table_options}} {}",
      number, dialect == Dialect::sqlite ? "WITHOUT ROWID" : "");
}

// SQLite has no IF NOT EXISTS here, but takes back a migration that fails.
std::string add_column(std::string_view table, std::string_view column, Dialect dialect) {
  return fmt::format("ALTER TABLE {} ADD COLUMN {} {}", table,
                     dialect == Dialect::sqlite ? "" : "IF NOT EXISTS", column);
}

std::vector<Migration> basic_migrations(Dialect dialect) {
  return {
      {.version = 1,
       .name = "score types and settings",
       .statements = {"CREATE TABLE IF NOT EXISTS score_type ("
                      "id {id}, name VARCHAR(64) NOT NULL UNIQUE, starts_at_ms BIGINT, ends_at_ms BIGINT, "
                      "order_ttl_days BIGINT NOT NULL, order_age_days_max BIGINT NOT NULL, "
                      "remark VARCHAR(256) NOT NULL, created_at_ms BIGINT NOT NULL) {table_options}",
                      "CREATE TABLE IF NOT EXISTS ledger_setting ("
                      "name VARCHAR(64) NOT NULL PRIMARY KEY, value BIGINT NOT NULL) {table_options}"}},
      {.version = 2,
       .name = "exchange rates",
       .statements = {"CREATE TABLE IF NOT EXISTS score_rate ("
                      "from_type BIGINT NOT NULL, to_type BIGINT NOT NULL, numerator BIGINT NOT NULL, "
                      "denominator BIGINT NOT NULL, PRIMARY KEY (from_type, to_type)) {table_options}"}},
      {.version = 3,
       .name = "the layout of the keys",
       .statements = {"CREATE TABLE IF NOT EXISTS ledger_text_setting ("
                      "name VARCHAR(64) NOT NULL PRIMARY KEY, value {text} NOT NULL) {table_options}"}},
      {.version = 4,
       .name = "how long orders were remembered before",
       .statements = {add_column("score_type", "order_ttl_days_before BIGINT", dialect),
                      add_column("score_type", "order_ttl_raised_at_ms BIGINT", dialect)}},
  };
}

std::vector<Migration> flow_migrations(std::int64_t flow_tables, Dialect dialect) {
  std::vector<std::string> flows;
  std::vector<std::string> details;
  for (std::int64_t i = 0; i < flow_tables; ++i) {
    flows.push_back(flow_table_ddl(i, dialect));
    details.push_back(add_column(fmt::format("score_flow_{}", i), "detail {text}", dialect));
  }
  return {{.version = 1, .name = "flows", .statements = std::move(flows)},
          {.version = 2,
           .name = "what lots, transfers and holds add to a flow",
           .statements = std::move(details)}};
}

SqlValue optional_time(std::optional<TimeMs> time) {
  if (!time) return nullptr;
  return time->value;
}

std::optional<TimeMs> read_time(SqlRow const& row, std::size_t column) {
  if (auto const ms = row.optional_int64(column)) return TimeMs{*ms};
  return std::nullopt;
}

ScoreType read_type(SqlRow const& row) {
  return {.id = row.int64(0),
          .name = row.text(1),
          .starts_at = read_time(row, 2),
          .ends_at = read_time(row, 3),
          .order_ttl_days = row.int64(4),
          .order_age_days_max = row.int64(5),
          .remark = row.text(6),
          .created_at = {row.int64(7)},
          .order_ttl_days_before = row.optional_int64(8),
          .order_ttl_raised_at = read_time(row, 9)};
}

Flow read_flow(SqlRow const& row) {
  // The words are the script's own, so they are read the same way.
  return {.id = {.ms = row.int64(0), .sequence = row.int64(1)},
          .order_id = OrderId::from(row.text(2)).value(),
          .outcome =
              parse_outcome(fmt::format("{} {} {} {} {} {} {} {}{}{}", row.text(3), row.text(4), row.int64(5),
                                        row.text(6), row.int64(7), row.int64(8), row.int64(9), row.int64(10),
                                        row.is_null(12) ? "" : " ", row.optional_text(12).value_or(""))),
          .remark = row.text(11)};
}

// "record uid order remark", as the scripts write it. The remark may contain spaces.
struct OutboxEntry {
  Outcome outcome;
  UserId uid;
  std::string_view order_id;
  std::string_view remark;
};

OutboxEntry parse_entry(std::string_view text) {
  std::size_t at = 0;
  auto const after_words = [&](int words) {
    for (; words > 0; --words) at = std::min(text.find(' ', at), text.size() - 1) + 1;
    return at;
  };
  auto const uid = after_words(outcome_words);
  auto const order = after_words(1);
  auto const remark = after_words(1);
  if (uid == 0 || order <= uid || remark <= order)
    throw std::runtime_error("not an outbox entry of the ledger");
  return {.outcome = parse_outcome(text.substr(0, uid - 1)),
          .uid = UserId::from(text.substr(uid, order - uid - 1)).value(),
          .order_id = text.substr(order, remark - order - 1),
          .remark = text.substr(remark)};
}

// "to=bob state=pending" as "detail":{"to":"bob","state":"pending"}; the words need no escaping.
void append_detail(std::string& json, std::string_view words) {
  json += R"(,"detail":{)";
  for (bool first = true; !words.empty(); first = false) {
    auto const word = words.substr(0, words.find(' '));
    auto const equals = std::min(word.find('='), word.size() - 1);
    fmt::format_to(std::back_inserter(json), R"({}"{}":"{}")", first ? "" : ",", word.substr(0, equals),
                   word.substr(equals + 1));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  json += '}';
}

}  // namespace

Journal::Journal(Sql& sql, std::int64_t flow_tables) : sql_(sql), flow_tables_(flow_tables) {}

std::string Journal::table_of(UserId const& uid) const {
  return fmt::format("score_flow_{}", bucket_of(uid) % flow_tables_);
}

void Journal::migrate_now() {
  // The number is recorded before the tables are made: a second start with another number must not add
  // tables. So they count their versions apart.
  migrate(sql_, "ledger", basic_migrations(sql_.dialect()));
  auto const recorded = sql_.write_now([&](SqlSession& session) {
    SqlValues const row{"flow_tables", flow_tables_};
    session.bulk_insert("ledger_setting", {"name", "value"}, {&row, 1}, OnConflict::ignore);
    return session.query("SELECT value FROM ledger_setting WHERE name = 'flow_tables'").at(0).int64(0);
  });
  if (recorded != flow_tables_) {
    throw SetupError(
        fmt::format("ledger.flow_tables is {}, but this database was made with {}; the number cannot "
                    "be changed, set ledger.flow_tables = {}",
                    flow_tables_, recorded, recorded));
  }
  migrate(sql_, "ledger_flows", flow_migrations(flow_tables_, sql_.dialect()));
}

Task<void> Journal::keep_key_layout(std::string layout) {
  co_await sql_.write([layout](SqlSession& session) {
    SqlValues const row{"key_layout", layout};
    session.bulk_insert("ledger_text_setting", {"name", "value"}, {&row, 1}, OnConflict::ignore);
  });
  co_await check_key_layout(std::move(layout));
}

Task<void> Journal::check_key_layout(std::string layout) {
  auto const rows = co_await sql_.read([](SqlSession& session) {
    return session.query("SELECT value FROM ledger_text_setting WHERE name = 'key_layout'");
  });
  if (rows.empty() || rows[0].text(0) == layout) co_return;
  throw SetupError(
      fmt::format("ledger.key_format is {}, but this ledger has its keys as {}; set it back, or run `larder "
                  "ledger rebuild` into an empty Redis to change it",
                  layout, rows[0].text(0)));
}

Task<void> Journal::set_key_layout(std::string layout) {
  co_await sql_.write([layout](SqlSession& session) {
    session.execute("DELETE FROM ledger_text_setting WHERE name = 'key_layout'");
    SqlValues const row{"key_layout", layout};
    session.bulk_insert("ledger_text_setting", {"name", "value"}, {&row, 1}, OnConflict::ignore);
  });
}

Task<Result<ScoreType>> Journal::create_type(ScoreType type) {
  try {
    type.id = co_await sql_.write([type](SqlSession& session) {
      return session.insert_returning_id(
          "INSERT INTO score_type (name, starts_at_ms, ends_at_ms, order_ttl_days, order_age_days_max, "
          "remark, "
          "created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)",
          {type.name, optional_time(type.starts_at), optional_time(type.ends_at), type.order_ttl_days,
           type.order_age_days_max, type.remark, type.created_at.value});
    });
    co_return type;
  } catch (SqlConstraint const&) {}
  Error error{.code = errors::type_exists,
              .detail = fmt::format("there is a type named {} already", type.name)};
  for (auto const& other : co_await types()) {
    if (other.name == type.name) error.more["id"] = other.id;
  }
  co_return std::unexpected(std::move(error));
}

Task<Result<ScoreType>> Journal::change_type(TypeId id, TypeChange change, TimeMs now) {
  std::optional<Error> taken;
  try {
    co_return co_await sql_.write([id, change, now](SqlSession& session) -> Result<ScoreType> {
      // Read and written in one transaction that no other writer can get between.
      session.execute("UPDATE score_type SET name = name WHERE id = ?", {id});
      auto const rows =
          session.query(fmt::format("SELECT {} FROM score_type WHERE id = ?", type_columns), {id});
      if (rows.empty()) return refuse(errors::type_not_found, fmt::format("there is no type {}", id));
      auto type = changed(read_type(rows[0]), change, now);
      if (!type) return type;
      session.execute(
          "UPDATE score_type SET name = ?, starts_at_ms = ?, ends_at_ms = ?, order_ttl_days = ?, "
          "order_age_days_max = ?, remark = ?, order_ttl_days_before = ?, order_ttl_raised_at_ms = ? WHERE "
          "id "
          "= ?",
          {type->name, optional_time(type->starts_at), optional_time(type->ends_at), type->order_ttl_days,
           type->order_age_days_max, type->remark,
           type->order_ttl_days_before ? SqlValue(*type->order_ttl_days_before) : SqlValue(nullptr),
           optional_time(type->order_ttl_raised_at), id});
      return type;
    });
  } catch (SqlConstraint const&) {
    taken = Error{.code = errors::type_exists,
                  .detail = fmt::format("there is a type named {} already", change.name.value_or(""))};
  }
  co_return std::unexpected(std::move(*taken));
}

Task<std::vector<ScoreType>> Journal::types() {
  auto const rows = co_await sql_.read([](SqlSession& session) {
    return session.query(fmt::format("SELECT {} FROM score_type ORDER BY id", type_columns));
  });
  std::vector<ScoreType> types;
  for (auto const& row : rows) types.push_back(read_type(row));
  co_return types;
}

Task<void> Journal::set_rate(Rate rate) {
  co_await sql_.write([rate](SqlSession& session) {
    SqlValues const row{rate.from, rate.to, rate.numerator, rate.denominator};
    session.bulk_insert("score_rate", {"from_type", "to_type", "numerator", "denominator"}, {&row, 1},
                        OnConflict::ignore);
    session.execute(
        "UPDATE score_rate SET numerator = ?, denominator = ? WHERE from_type = ? AND to_type = ?",
        {rate.numerator, rate.denominator, rate.from, rate.to});
  });
}

Task<std::optional<Rate>> Journal::rate(TypeId from, TypeId to) {
  auto const rows = co_await sql_.read([from, to](SqlSession& session) {
    return session.query("SELECT numerator, denominator FROM score_rate WHERE from_type = ? AND to_type = ?",
                         {from, to});
  });
  if (rows.empty()) co_return std::nullopt;
  co_return Rate{.from = from, .to = to, .numerator = rows[0].int64(0), .denominator = rows[0].int64(1)};
}

Task<std::vector<Rate>> Journal::rates(RateQuery query) {
  auto const rows = co_await sql_.read([query](SqlSession& session) {
    return session.query(
        fmt::format("SELECT from_type, to_type, numerator, denominator FROM score_rate WHERE "
                    "from_type > ? OR (from_type = ? AND to_type > ?) ORDER BY from_type, "
                    "to_type LIMIT {}",
                    query.limit),
        {query.after_from, query.after_from, query.after_to});
  });
  std::vector<Rate> rates;
  for (auto const& row : rows) {
    rates.push_back(
        {.from = row.int64(0), .to = row.int64(1), .numerator = row.int64(2), .denominator = row.int64(3)});
  }
  co_return rates;
}

Task<std::vector<Account>> Journal::accounts_of(TypeId type, std::int64_t table, std::optional<Account> after,
                                                int limit) {
  SqlValues params{type};
  if (after) params.insert(params.end(), {after->uid.str(), after->uid.str(), after->domain.str()});
  auto const sql = fmt::format(
      "SELECT DISTINCT uid, domain FROM score_flow_{} WHERE type_id = ?{} ORDER BY uid, domain LIMIT {}",
      table, after ? " AND (uid > ? OR (uid = ? AND domain > ?))" : "", limit);
  auto const rows =
      co_await sql_.read([sql, params](SqlSession& session) { return session.query(sql, params); });
  std::vector<Account> accounts;
  for (auto const& row : rows) {
    accounts.push_back({.type = type,
                        .domain = Domain::from(row.text(1)).value(),
                        .uid = UserId::from(row.text(0)).value()});
  }
  co_return accounts;
}

Task<Amount> Journal::balance_at(Account account, TimeMs time) {
  auto const rows = co_await sql_.read([table = table_of(account.uid), account, time](SqlSession& session) {
    return session.query(
        fmt::format("SELECT balance FROM {} WHERE uid = ? AND type_id = ? AND domain = ? AND "
                    "at_ms <= ? ORDER BY event_ms DESC, event_seq DESC LIMIT 1",
                    table),
        {account.uid.str(), account.type, account.domain.str(), time.value});
  });
  if (rows.empty()) co_return Amount{};
  co_return Amount::from(rows[0].int64(0)).value();
}

Task<std::vector<Flow>> Journal::flows(FlowQuery query) {
  std::string sql = fmt::format("SELECT {} FROM {} WHERE uid = ?", flow_columns, table_of(query.uid));
  SqlValues params{query.uid.str()};
  auto const where = [&](std::string_view condition, SqlValue value) {
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
      co_await sql_.read([sql, params](SqlSession& session) { return session.query(sql, params); });
  std::vector<Flow> flows;
  flows.reserve(rows.size());
  for (auto const& row : rows) flows.push_back(read_flow(row));
  co_return flows;
}

namespace {

constexpr std::size_t terms_at_once = 200;  // of one statement
constexpr std::string_view in_order = "ORDER BY uid, event_ms, event_seq, order_id";

// Behind `after`, of the same user.
std::vector<SqlRow> rest_of_user(SqlSession& session, std::string const& table, UserFlow const& after,
                                 std::size_t limit) {
  auto const& [id, order_id, outcome, remark] = after.flow;
  return session.query(
      fmt::format("SELECT {}, uid FROM {} WHERE uid = ? AND event_ms >= ? AND (event_ms > ? OR event_seq > ? "
                  "OR (event_seq = ? AND order_id > ?)) {} LIMIT {}",
                  flow_columns, table, in_order, limit),
      {after.uid.str(), id.ms, id.ms, id.sequence, id.sequence, order_id.str()});
}

std::vector<UserFlow> read_flows(std::vector<SqlRow> const& rows) {
  std::vector<UserFlow> flows;
  flows.reserve(rows.size());
  for (auto const& row : rows) {
    flows.push_back({.uid = UserId::from(row.text(row.size() - 1)).value(), .flow = read_flow(row)});
  }
  return flows;
}

}  // namespace

Task<std::vector<UserFlow>> Journal::page(std::int64_t table, std::optional<UserFlow> after, int limit) {
  co_return co_await sql_.read([table = fmt::format("score_flow_{}", table), after = std::move(after),
                                limit = std::size_t(limit)](SqlSession& session) {
    // Two statements, each a range of the primary key: MariaDB would read the whole table for one condition
    // on all its columns.
    std::vector<SqlRow> rows;
    if (after) rows = rest_of_user(session, table, *after, limit);
    if (rows.size() < limit) {
      auto const others = session.query(fmt::format("SELECT {}, uid FROM {} WHERE uid > ? {} LIMIT {}",
                                                    flow_columns, table, in_order, limit - rows.size()),
                                        {after ? after->uid.str() : ""});
      rows.insert(rows.end(), others.begin(), others.end());
    }
    return read_flows(rows);
  });
}

Task<std::vector<UserFlow>> Journal::page_of(UserId uid, std::optional<UserFlow> after, int limit) {
  if (!after)
    after = UserFlow{.uid = uid, .flow = {.id = {.ms = -1}, .order_id = {}, .outcome = {}, .remark = {}}};
  co_return co_await sql_.read(
      [table = table_of(uid), after = std::move(*after), limit = std::size_t(limit)](SqlSession& session) {
        return read_flows(rest_of_user(session, table, after, limit));
      });
}

Task<std::vector<bool>> Journal::has_accounts(std::vector<Account> accounts) {
  std::vector<bool> found(accounts.size(), false);
  for (std::size_t first = 0; first < accounts.size(); first += terms_at_once) {
    std::string sql;
    SqlValues params;
    for (auto i = first; i < std::min(first + terms_at_once, accounts.size()); ++i) {
      auto const& [type, domain, uid] = accounts[i];
      sql += fmt::format(
          "{} SELECT n FROM (SELECT {} AS n FROM {} WHERE uid = ? AND type_id = ? AND domain = ? LIMIT 1) AS "
          "a{}",
          sql.empty() ? "" : " UNION ALL", i, table_of(uid), i);
      params.insert(params.end(), {uid.str(), type, domain.str()});
    }
    auto const rows =
        co_await sql_.read([sql, params](SqlSession& session) { return session.query(sql, params); });
    for (auto const& row : rows) found[std::size_t(row.int64(0))] = true;
  }
  co_return found;
}

Task<std::vector<bool>> Journal::has_orders(std::vector<OrderClue> clues) {
  std::map<UserId, std::vector<std::size_t>> by_user;
  for (std::size_t i = 0; i < clues.size(); ++i) by_user[clues[i].uid].push_back(i);
  std::set<std::tuple<std::string, std::string, std::string>> flows;  // uid, order, op
  std::string sql;
  SqlValues params;
  std::size_t terms = 0;
  for (auto user = by_user.begin(); user != by_user.end();) {
    auto from_ms = std::numeric_limits<std::int64_t>::max();
    std::int64_t to_ms = 0;
    SqlValues orders;
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
        co_await sql_.read([sql, params](SqlSession& session) { return session.query(sql, params); });
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

UserFlow Journal::flow_of(events::Event const& event) {
  auto [outcome, uid, order_id, remark] = parse_entry(event.field("entry"));
  auto const* const detail = event.find("more");
  if (detail) outcome.detail = *detail;
  auto const [ms, sequence] = events::parse_id(event.id);
  return {.uid = std::move(uid),
          .flow = {.id = {.ms = ms, .sequence = sequence},
                   .order_id = OrderId::from(order_id).value(),
                   .outcome = std::move(outcome),
                   .remark = std::string(remark)}};
}

void Journal::write_flows(SqlSession& session, std::span<events::Event const> events) const {
  std::map<std::string, std::vector<SqlValues>> rows_by_table;
  for (auto const& event : events) {
    auto const [uid, flow] = flow_of(event);
    auto const& outcome = flow.outcome;
    rows_by_table[table_of(uid)].push_back(
        {uid.str(), flow.id.ms, flow.id.sequence, flow.order_id.str(), outcome.type, outcome.domain.str(),
         std::string(name_of(outcome.op)), std::string(name_of(outcome.status)), outcome.amount.value(),
         outcome.old_balance.value(), outcome.change(), outcome.balance.value(), flow.remark,
         outcome.at.value, outcome.detail.empty() ? SqlValue(nullptr) : SqlValue(outcome.detail)});
  }
  for (auto const& [table, rows] : rows_by_table) {
    session.bulk_insert(table,
                        {"uid", "event_ms", "event_seq", "order_id", "type_id", "domain", "op", "status",
                         "amount", "old_balance", "change_amount", "balance", "remark", "at_ms", "detail"},
                        rows, OnConflict::ignore);
  }
}

// Runs for every entry, so by hand: of all fields only the remark may need escaping.
events::FeedEvent to_feed(std::string const& /*stream*/, events::Event const& event) {
  auto const [outcome, uid, order_id, remark] = parse_entry(event.field("entry"));
  events::FeedEvent told{.system = Scope::ledger,
                         .type = std::string(name_of(outcome.op)),
                         .user_id = uid.str(),
                         .at = outcome.at,
                         .data = {}};
  fmt::format_to(
      std::back_inserter(told.data),
      FMT_COMPILE(
          R"({{"id":"{}","order_id":"{}","op":"{}","status":"{}","type":{},"domain":"{}","amount":{},)"
          R"("old_balance":{},"change":{},"balance":{},"remark":)"),
      event.id, order_id, name_of(outcome.op), name_of(outcome.status), outcome.type, outcome.domain.str(),
      outcome.amount.value(), outcome.old_balance.value(), outcome.change(), outcome.balance.value());
  append_json_string(told.data, remark);
  if (auto const* const detail = event.find("more")) append_detail(told.data, *detail);
  told.data += '}';
  return told;
}

}  // namespace larder::ledger
