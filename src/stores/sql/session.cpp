#include "stores/sql/session.hpp"

#include "base/error.hpp"
#include "base/number.hpp"
#include "stores/sql/driver.hpp"
#include "stores/sql/sql_text.hpp"

#include <fmt/format.h>

#include <poll.h>

namespace larder::sql {

namespace {

constexpr std::size_t insert_bytes_max = 500'000;  // well below the usual max_allowed_packet of MariaDB
constexpr std::size_t insert_rows_max = 1000;

}  // namespace

std::int64_t Row::int64(std::size_t column) const {
  auto const number = parse_int(text(column));
  if (!number) throw std::runtime_error(fmt::format("SQL column {} is not a whole 64-bit number", column));
  return *number;
}

std::optional<std::int64_t> Row::optional_int64(std::size_t column) const {
  if (is_null(column)) return std::nullopt;
  return int64(column);
}

std::string const& Row::text(std::size_t column) const {
  auto const& value = columns_.at(column);
  if (!value) throw std::runtime_error(fmt::format("SQL column {} is null", column));
  return *value;
}

// Sends the rows as text: one round trip for up to a thousand rows.
void Driver::insert(BulkInsert const& bulk) {
  auto const head = insert_head(bulk);
  auto const tail = insert_tail(dialect(), bulk);
  std::string text;
  std::size_t rows = 0;
  auto const send = [&] {
    if (rows == 0) return;
    run(text + tail, {});
    rows = 0;
  };
  for (auto const& row : bulk.rows) {
    if (rows == 0) text = head;
    text += rows == 0 ? "(" : ",(";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text.push_back(',');
      append_literal(text, row[i]);
    }
    text.push_back(')');
    if (++rows == insert_rows_max || text.size() >= insert_bytes_max) send();
  }
  send();
}

bool has_unasked_input(int socket) {
  pollfd state{.fd = socket, .events = POLLIN | POLLRDHUP, .revents = 0};
  return ::poll(&state, 1, 0) != 0;
}

template <class F>
auto Session::guarded(F statement) {
  used_ = true;
  try {
    return statement();
  } catch (...) {
    failed_ = true;
    throw;
  }
}

Dialect Session::dialect() const { return driver_.dialect(); }

std::vector<Row> Session::query(std::string_view sql, Values const& params) {
  return guarded([&] {
    check_values(params);
    return driver_.run(sql, params).rows;
  });
}

std::int64_t Session::execute(std::string_view sql, Values const& params) {
  return guarded([&] {
    check_values(params);
    return driver_.run(sql, params).affected;
  });
}

std::int64_t Session::insert_returning_id(std::string_view sql, Values const& params) {
  switch (dialect()) {
    case Dialect::postgresql: return query(fmt::format("{} RETURNING id", sql), params).at(0).int64(0);
    case Dialect::sqlite: execute(sql, params); return query("SELECT last_insert_rowid()").at(0).int64(0);
    case Dialect::mysql: execute(sql, params); return query("SELECT LAST_INSERT_ID()").at(0).int64(0);
  }
  LARDER_ASSERT(false);
  return 0;
}

void Session::bulk_insert(std::string_view table, std::span<std::string_view const> columns,
                          std::span<Values const> rows, OnConflict on_conflict) {
  guarded([&] {
    for (auto const& row : rows) {
      LARDER_ASSERT(row.size() == columns.size());
      check_values(row);
    }
    if (!rows.empty()) driver_.insert({table, columns, rows, on_conflict});
  });
}

void Session::wipe_after_commit() { driver_.wipe_after_commit(); }

}  // namespace larder::sql
