// One open connection to one database. SOCI opens and closes the connection. Statements go through the client
// library's own handle, which SOCI exposes, for three reasons: SOCI's dynamic rows cut SQLite's 64-bit
// INTEGER ids to 32 bits, they turn sums into doubles, and SOCI's search for `:names` takes a backslash in a
// quoted text for an escape.
#pragma once

#include "stores/sql/session.hpp"
#include "stores/sql/url.hpp"

#include <chrono>
#include <memory>

namespace larder::sql {

// INSERT INTO table (columns) VALUES rows
struct BulkInsert {
  std::string_view table;
  std::span<std::string_view const> columns;
  std::span<Values const> rows;
  OnConflict on_conflict;
};

struct Answer {
  std::vector<Row> rows;
  std::int64_t affected = 0;
};

// How long a statement may take, and how long it may wait for a lock. Zero: as long as it takes.
struct TimeLimits {
  std::chrono::seconds statement{0};
  std::chrono::seconds lock{0};
  friend bool operator==(TimeLimits const&, TimeLimits const&) = default;
};

// Thread-compatible. Throws what Session throws. A StoreError from a driver always has outcome_unknown =
// false, because only the code that runs the transaction knows the outcome.
class Driver {
 public:
  Driver() = default;
  Driver(Driver const&) = delete;
  Driver& operator=(Driver const&) = delete;
  virtual ~Driver() = default;

  virtual Dialect dialect() const = 0;
  virtual Answer run(std::string_view sql, Values const& params) = 0;
  virtual void insert(BulkInsert const& bulk);

  virtual void begin() { run("BEGIN", {}); }
  virtual void commit() { run("COMMIT", {}); }
  virtual void rollback() { run("ROLLBACK", {}); }
  // After the commit of this transaction, removes what older transactions have deleted from the files of the
  // database, as far as this program can.
  virtual void wipe_after_commit() {}

  // For all later statements, until the next call. A statement that takes longer throws StoreError. Call it
  // between two transactions.
  virtual void limit(TimeLimits limits) = 0;

  // True if the connection can no longer be used: close it and open another.
  virtual bool lost() const = 0;

  // Asked between two jobs: true if the server has closed the connection. Costs no round trip.
  virtual bool stale() const { return false; }
};

// True if something has arrived on a socket on which nothing is expected: the server is closing
// the connection.
bool has_unasked_input(int socket);

enum class Mode { read, write };

// Each throws StoreError if the database cannot be reached, and UnusableError if waiting does not help.
std::unique_ptr<Driver> open_sqlite(Url const& url, Mode mode);
std::unique_ptr<Driver> open_postgresql(Url const& url);
std::unique_ptr<Driver> open_mysql(Url const& url);

}  // namespace larder::sql
