// Tables, settings, types and rates of the journal. ledger_flows.cpp has its flows.
#include "systems/ledger/ledger_journal.hpp"

#include "kit/events/outbox_positions.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/ledger_schema.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr std::string_view type_columns =
    "id, name, starts_at_ms, ends_at_ms, order_ttl_days, order_age_days_max, remark, created_at_ms, "
    "order_ttl_days_before, order_ttl_raised_at_ms, ends_revision, ends_cursor, cleared";

sql::Value optional_time(std::optional<TimeMs> time) {
  if (!time) return nullptr;
  return time->value;
}

std::optional<TimeMs> read_time(sql::Row const& row, std::size_t column) {
  if (auto const ms = row.optional_int64(column)) return TimeMs{*ms};
  return std::nullopt;
}

ScoreType read_type(sql::Row const& row) {
  return {.id = row.int64(0),
          .name = row.text(1),
          .starts_at = read_time(row, 2),
          .ends_at = read_time(row, 3),
          .order_ttl_days = row.int64(4),
          .order_age_days_max = row.int64(5),
          .remark = row.text(6),
          .created_at = {row.int64(7)},
          .order_ttl_days_before = row.optional_int64(8),
          .order_ttl_raised_at = read_time(row, 9),
          .ends_revision = row.optional_int64(10).value_or(0),
          .ends_cursor = row.optional_text(11),
          .is_cleared = row.optional_int64(12).value_or(0) != 0};
}

}  // namespace

Journal::Journal(sql::Database& sql, std::int64_t flow_tables) : sql_(sql), flow_tables_(flow_tables) {}

void Journal::migrate_now() {
  // The number is recorded before the flow tables are made, because a second start with another number must
  // not add tables. Therefore the flow tables have their own version numbers.
  sql::migrate(sql_, "ledger", schema_migrations(sql_.dialect()));
  auto const recorded = sql_.write_now([&](sql::Session& session) {
    sql::Values const row{"flow_tables", flow_tables_};
    session.bulk_insert("ledger_setting", {"name", "value"}, {&row, 1}, sql::OnConflict::ignore);
    return session.query("SELECT value FROM ledger_setting WHERE name = 'flow_tables'").at(0).int64(0);
  });
  if (recorded != flow_tables_) {
    throw SetupError(
        fmt::format("ledger.flow_tables is {}, but this database was made with {}; the number cannot "
                    "be changed, set ledger.flow_tables = {}",
                    flow_tables_, recorded, recorded));
  }
  sql::migrate(sql_, "ledger_flows", flow_migrations(flow_tables_, sql_.dialect()));
  events::migrate_positions(sql_);
}

Task<void> Journal::keep_key_layout(std::string layout) {
  co_await sql_.write([layout](sql::Session& session) {
    sql::Values const row{"key_layout", layout};
    session.bulk_insert("ledger_text_setting", {"name", "value"}, {&row, 1}, sql::OnConflict::ignore);
  });
  co_await check_key_layout(std::move(layout));
}

Task<void> Journal::check_key_layout(std::string layout) {
  auto const rows = co_await sql_.read([](sql::Session& session) {
    return session.query("SELECT value FROM ledger_text_setting WHERE name = 'key_layout'");
  });
  if (rows.empty() || rows[0].text(0) == layout) co_return;
  throw SetupError(
      fmt::format("ledger.key_format is {}, but this ledger has its keys as {}; set it back, or run `larder "
                  "ledger rebuild` into an empty Redis to change it",
                  layout, rows[0].text(0)));
}

Task<void> Journal::set_key_layout(std::string layout) {
  co_await sql_.write([layout](sql::Session& session) {
    session.execute("DELETE FROM ledger_text_setting WHERE name = 'key_layout'");
    sql::Values const row{"key_layout", layout};
    session.bulk_insert("ledger_text_setting", {"name", "value"}, {&row, 1}, sql::OnConflict::ignore);
  });
}

Task<Result<ScoreType>> Journal::create_type(ScoreType type) {
  try {
    type.id = co_await sql_.write([type](sql::Session& session) {
      return session.insert_returning_id(
          "INSERT INTO score_type (name, starts_at_ms, ends_at_ms, order_ttl_days, order_age_days_max, "
          "remark, "
          "created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)",
          {type.name, optional_time(type.starts_at), optional_time(type.ends_at), type.order_ttl_days,
           type.order_age_days_max, type.remark, type.created_at.value});
    });
    co_return type;
  } catch (sql::ConstraintError const&) {}
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
    co_return co_await sql_.write([id, change, now](sql::Session& session) -> Result<ScoreType> {
      // This update locks the row, so that no other writer comes between the read and the write.
      session.execute("UPDATE score_type SET name = name WHERE id = ?", {id});
      auto const rows =
          session.query(fmt::format("SELECT {} FROM score_type WHERE id = ?", type_columns), {id});
      if (rows.empty()) return refuse(errors::type_not_found, fmt::format("there is no type {}", id));
      auto type = changed(read_type(rows[0]), change, now);
      if (!type) return type;
      if (change.ends_at || change.clears_ends_at) {
        // Even if the end is the same as before, so that a change can be repeated to repair keys.
        ++type->ends_revision;
        type->ends_cursor = "";
      }
      session.execute(
          "UPDATE score_type SET name = ?, starts_at_ms = ?, ends_at_ms = ?, order_ttl_days = ?, "
          "order_age_days_max = ?, remark = ?, order_ttl_days_before = ?, order_ttl_raised_at_ms = ?, "
          "ends_revision = ?, ends_cursor = ? WHERE id = ?",
          {type->name, optional_time(type->starts_at), optional_time(type->ends_at), type->order_ttl_days,
           type->order_age_days_max, type->remark,
           type->order_ttl_days_before ? sql::Value(*type->order_ttl_days_before) : sql::Value(nullptr),
           optional_time(type->order_ttl_raised_at), type->ends_revision,
           type->ends_cursor ? sql::Value(*type->ends_cursor) : sql::Value(nullptr), id});
      return type;
    });
  } catch (sql::ConstraintError const&) {
    taken = Error{.code = errors::type_exists,
                  .detail = fmt::format("there is a type named {} already", change.name.value_or(""))};
  }
  co_return std::unexpected(std::move(*taken));
}

Task<std::vector<ScoreType>> Journal::types() {
  auto const rows = co_await sql_.read([](sql::Session& session) {
    return session.query(fmt::format("SELECT {} FROM score_type ORDER BY id", type_columns));
  });
  std::vector<ScoreType> types;
  for (auto const& row : rows) types.push_back(read_type(row));
  co_return types;
}

Task<bool> Journal::move_ends_cursor(TypeId id, std::int64_t revision, std::optional<std::string> cursor) {
  co_return co_await sql_.write([id, revision, cursor = std::move(cursor)](sql::Session& session) {
    // The result of the update would not tell: MariaDB does not count a row that stays as it is.
    session.execute("UPDATE score_type SET name = name WHERE id = ?", {id});
    auto const found = session.query(
        "SELECT id FROM score_type WHERE id = ? AND ends_revision = ? AND ends_cursor IS NOT NULL",
        {id, revision});
    if (found.empty()) return false;
    session.execute("UPDATE score_type SET ends_cursor = ? WHERE id = ?",
                    {cursor ? sql::Value(*cursor) : sql::Value(nullptr), id});
    return true;
  });
}

Task<void> Journal::set_cleared(TypeId id) {
  co_await sql_.write([id](sql::Session& session) {
    session.execute("UPDATE score_type SET cleared = 1 WHERE id = ?", {id});
  });
}

Task<void> Journal::set_rate(Rate rate) {
  co_await sql_.write([rate](sql::Session& session) {
    sql::Values const row{rate.from, rate.to, rate.numerator, rate.denominator};
    session.bulk_insert("score_rate", {"from_type", "to_type", "numerator", "denominator"}, {&row, 1},
                        sql::OnConflict::ignore);
    session.execute(
        "UPDATE score_rate SET numerator = ?, denominator = ? WHERE from_type = ? AND to_type = ?",
        {rate.numerator, rate.denominator, rate.from, rate.to});
  });
}

Task<std::optional<Rate>> Journal::rate(TypeId from, TypeId to) {
  auto const rows = co_await sql_.read([from, to](sql::Session& session) {
    return session.query("SELECT numerator, denominator FROM score_rate WHERE from_type = ? AND to_type = ?",
                         {from, to});
  });
  if (rows.empty()) co_return std::nullopt;
  co_return Rate{.from = from, .to = to, .numerator = rows[0].int64(0), .denominator = rows[0].int64(1)};
}

Task<std::vector<Rate>> Journal::rates(RateQuery query) {
  auto const rows = co_await sql_.read([query](sql::Session& session) {
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

}  // namespace larder::ledger
