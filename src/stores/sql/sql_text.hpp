// Makes the SQL text for each dialect. Needs no database.
#pragma once

#include "stores/sql/driver.hpp"

#include <functional>
#include <string>

namespace larder::sql {

// Replaces the i-th `?` outside quotes, counted from 0, by replacement(i). If there are not exactly `count`
// of them, that is a bug.
std::string replace_placeholders(std::string_view sql, std::size_t count,
                                 std::function<std::string(std::size_t)> const& replacement);

// Appends the value as a literal for PostgreSQL (standard_conforming_strings) and MariaDB
// (NO_BACKSLASH_ESCAPES), where the single quote is the only special character inside a text.
void append_literal(std::string& out, Value const& value);

// "INSERT INTO t (a, b) VALUES "
std::string insert_head(BulkInsert const& bulk);

// The text after the rows: " ON CONFLICT DO NOTHING" or MariaDB's equivalent. Empty for OnConflict::fail.
std::string insert_tail(Dialect dialect, BulkInsert const& bulk);

// Throws std::runtime_error if a text has a NUL character: some client libraries would silently cut
// the text there.
void check_values(Values const& values);

}  // namespace larder::sql
