// The statements that a job can run. The same SQL text works for all three dialects, with `?` for
// each parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace larder::sql {

enum class Dialect { sqlite, postgresql, mysql };

// Text is UTF-8 without NUL, which PostgreSQL cannot store.
using Value = std::variant<std::nullptr_t, std::int64_t, std::string>;
using Values = std::vector<Value>;

// A statement violates a unique, foreign key, NOT NULL or CHECK rule of the schema. Callers turn this
// into a refusal.
class ConstraintError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The statement cannot run, whatever its values are: a table is missing, or a permission, or the SQL is
// wrong.
class StatementError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The columns of one result row, counted from 0. text() and int64() throw std::runtime_error if the column is
// null. Both int64 functions throw it if the column is not a whole 64-bit number.
class Row {
 public:
  explicit Row(std::vector<std::optional<std::string>> columns) : columns_(std::move(columns)) {}

  std::size_t size() const { return columns_.size(); }
  bool is_null(std::size_t column) const { return !columns_.at(column); }
  std::int64_t int64(std::size_t column) const;
  std::optional<std::int64_t> optional_int64(std::size_t column) const;
  std::string const& text(std::size_t column) const;
  std::optional<std::string> const& optional_text(std::size_t column) const { return columns_.at(column); }

 private:
  std::vector<std::optional<std::string>> columns_;
};

enum class OnConflict { fail, ignore };

class Driver;

// Thread-compatible, and valid only inside its job. Throws ConstraintError, StoreError (the database is
// unavailable), StatementError or std::runtime_error (a value does not fit). A job must not swallow the
// exception of a failed statement: PostgreSQL has already aborted the transaction, so the write is rolled
// back and fails anyway.
class Session {
 public:
  explicit Session(Driver& driver) : driver_(driver) {}
  Session(Session const&) = delete;
  Session& operator=(Session const&) = delete;

  Dialect dialect() const;

  std::vector<Row> query(std::string_view sql, Values const& params = {});

  // The number of changed rows. An UPDATE counts the rows that it matched.
  std::int64_t execute(std::string_view sql, Values const& params = {});

  // Runs an INSERT of one row into a table whose primary key is `id {id}` (see migrations.hpp), and
  // returns the new id.
  std::int64_t insert_returning_id(std::string_view sql, Values const& params = {});

  // Inserts any number of rows, each with one value per column. `ignore` skips rows that violate a
  // unique key; every other violation still throws. Does not return the number of new rows, because
  // MariaDB does not report it.
  void bulk_insert(std::string_view table, std::span<std::string_view const> columns,
                   std::span<Values const> rows, OnConflict on_conflict = OnConflict::fail);
  void bulk_insert(std::string_view table, std::initializer_list<std::string_view> columns,
                   std::span<Values const> rows, OnConflict on_conflict = OnConflict::fail) {
    bulk_insert(table, std::span(columns.begin(), columns.size()), rows, on_conflict);
  }

  // After the commit, no file of an SQLite database has what was deleted or replaced before. A database
  // server decides by itself when it reuses the room.
  void wipe_after_commit();

  // For the worker that runs the job.
  bool used() const { return used_; }      // a statement may have reached the database
  bool failed() const { return failed_; }  // a statement has thrown

 private:
  template <class F>
  auto guarded(F statement);

  Driver& driver_;
  bool used_ = false;
  bool failed_ = false;
};

}  // namespace larder::sql
