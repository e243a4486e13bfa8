#include "stores/sql/sql_text.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace larder::sql {

std::string replace_placeholders(std::string_view sql, std::size_t count,
                                 std::function<std::string(std::size_t)> const& replacement) {
  std::string out;
  out.reserve(sql.size() + count * 8);
  std::size_t found = 0;
  char quote = 0;
  for (char c : sql) {
    if (quote != 0) {
      // A doubled quote closes and reopens the text, which has the same effect.
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"' || c == '`') {
      quote = c;
    } else if (c == '?') {
      LARDER_ASSERT(found < count);
      out += replacement(found++);
      continue;
    }
    out.push_back(c);
  }
  LARDER_ASSERT(found == count && quote == 0);
  return out;
}

void append_literal(std::string& out, Value const& value) {
  if (auto const* number = std::get_if<std::int64_t>(&value)) {
    fmt::format_to(std::back_inserter(out), "{}", *number);
  } else if (auto const* text = std::get_if<std::string>(&value)) {
    out.push_back('\'');
    for (char c : *text) {
      if (c == '\'') out.push_back('\'');
      out.push_back(c);
    }
    out.push_back('\'');
  } else {
    out += "NULL";
  }
}

std::string insert_head(BulkInsert const& bulk) {
  return fmt::format("INSERT INTO {} ({}) VALUES ", bulk.table, fmt::join(bulk.columns, ", "));
}

std::string insert_tail(Dialect dialect, BulkInsert const& bulk) {
  if (bulk.on_conflict == OnConflict::fail) return {};
  // INSERT IGNORE would also hide all other errors.
  if (dialect == Dialect::mysql) return fmt::format(" ON DUPLICATE KEY UPDATE {0}={0}", bulk.columns.front());
  return " ON CONFLICT DO NOTHING";
}

void check_values(Values const& values) {
  for (auto const& value : values) {
    auto const* text = std::get_if<std::string>(&value);
    if (text && text->find('\0') != std::string::npos) {
      throw std::runtime_error("an SQL text must not contain the NUL character");
    }
  }
}

}  // namespace larder::sql
