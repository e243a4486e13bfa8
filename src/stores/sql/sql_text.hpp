// SQL text per dialect, without a database.
#pragma once

#include "stores/sql/driver.hpp"

#include <functional>
#include <string>

namespace larder::sql {

// Puts replacement(i) in place of the i-th `?` outside of quotes. A number of `?` other than `count` is a
// bug.
std::string replace_placeholders(std::string_view sql, std::size_t count,
                                 std::function<std::string(std::size_t)> const& replacement);

// The value as a literal for PostgreSQL (standard_conforming_strings) and MariaDB (NO_BACKSLASH_ESCAPES),
// where a quote is the only character with a meaning inside of a text.
void append_literal(std::string& out, Value const& value);

// "INSERT INTO t (a, b) VALUES "
std::string insert_head(BulkInsert const& bulk);

// What stands behind the rows: " ON CONFLICT DO NOTHING" or what MariaDB has for it.
std::string insert_tail(Dialect dialect, BulkInsert const& bulk);

// Throws if a text has a NUL character: some client libraries would cut it off there without a word.
void check_values(Values const& values);

}  // namespace larder::sql
