// SQLite 3.40 corrupts a WAL database when two connections write or checkpoint at the same time. So each
// process has one connection that writes and checkpoints; its other connections are query_only and never
// checkpoint. Between processes, such as a server and a command, a lock file ensures that only one writes or
// checkpoints at a time.
#include "base/error.hpp"
#include "base/log.hpp"
#include "stores/sql/driver.hpp"
#include "stores/sql/file_lock.hpp"
#include "stores/sql/sql_text.hpp"

#include <fmt/format.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <fcntl.h>
#include <unistd.h>

namespace larder::sql {

namespace {

using sqlite_api::sqlite3_stmt;

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite_api::sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

// SQLite gives its other files (-wal, -shm) the mode of this one. An existing file is not opened here:
// closing it would drop the locks that other connections of this process have on it.
void create_for_owner(std::string const& path) {
  int const file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
}

class SqliteDriver final : public Driver {
 public:
  SqliteDriver(Url const& url, Mode mode) : lock_(url.connect + ".lock"), writes_(mode == Mode::write) {
    // Opening may switch the journal mode or run a recovery. Both write.
    std::lock_guard const guard(lock_);
    create_for_owner(url.connect);
    try {
      session_.open(soci::sqlite3, url.connect);
    } catch (soci::soci_error const& error) {
      throw UnusableError(fmt::format("cannot open {}: {}", url.shown, error.get_error_message()));
    }
    handle_ = static_cast<soci::sqlite3_session_backend*>(session_.get_backend())->conn_;
    checkpoint_on_close(false);
    run("PRAGMA busy_timeout=5000", {});
    run("PRAGMA journal_mode=WAL", {});
    run("PRAGMA synchronous=FULL", {});
    run("PRAGMA foreign_keys=ON", {});
    if (writes_) {
      // The rows of many users dirty many pages. With a cache that holds these pages, and a checkpoint every
      // 64 MiB instead of every 4 MiB, a page is written back once for many rows. That leaves the disk to the
      // fsyncs of Redis.
      run("PRAGMA cache_size=-65536", {});
      run("PRAGMA wal_autocheckpoint=16384", {});
      run("PRAGMA secure_delete=ON",
          {});  // what was deleted, such as the id of a forgotten user, is overwritten
      return;
    }
    run("PRAGMA wal_autocheckpoint=0", {});
    run("PRAGMA query_only=1", {});
  }

  ~SqliteDriver() override {
    if (!writes_) return;
    // Ends a transaction that was left open, and thereby its lock inside SQLite.
    if (sqlite3_get_autocommit(handle_) == 0) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
    try {
      lock_.lock();
      checkpoint_on_close(true);
    } catch (StoreError const& error) {
      log::debug("sqlite closed without a checkpoint, the next one does it", {{"error", error.what()}});
    }
    session_.close();
    lock_.unlock();
  }

  Dialect dialect() const override { return Dialect::sqlite; }

  Answer run(std::string_view sql, Values const& params) override {
    auto const statement = prepare(sql);
    LARDER_ASSERT(std::size_t(sqlite3_bind_parameter_count(statement.get())) == params.size());
    bind(statement.get(), params);
    Answer answer;
    while (step(statement.get())) answer.rows.push_back(row_of(statement.get()));
    answer.affected = sqlite_api::sqlite3_changes64(handle_);
    return answer;
  }

  // Runs one prepared statement for each row. In SQLite this is faster than parsing the values as text.
  void insert(BulkInsert const& bulk) override {
    std::vector<std::string_view> const marks(bulk.columns.size(), "?");
    auto const statement = prepare(fmt::format("{}({}){}", insert_head(bulk), fmt::join(marks, ","),
                                               insert_tail(Dialect::sqlite, bulk)));
    for (auto const& row : bulk.rows) {
      bind(statement.get(), row);
      step(statement.get());
      sqlite3_reset(statement.get());
    }
  }

  void begin() override {
    LARDER_ASSERT(writes_);
    lock_.lock();
    wipes_ = false;
    try {
      run("BEGIN IMMEDIATE", {});
    } catch (...) {
      lock_.unlock();
      throw;
    }
  }
  void commit() override {
    run("COMMIT", {});  // if it fails, the lock stays: rollback() follows
    if (std::exchange(wipes_, false)) wipe();
    lock_.unlock();
  }
  void rollback() override {
    // After some errors SQLite has already rolled back.
    if (sqlite3_get_autocommit(handle_) == 0) run("ROLLBACK", {});
    lock_.unlock();
  }

  void wipe_after_commit() override { wipes_ = true; }

  // SQLite asks every few thousand steps of a statement whether to continue. Locks have busy_timeout and
  // FileLock.
  void limit(TimeLimits limits) override {
    limit_ = limits.statement;
    auto const over = [](void* self) {
      return int(std::chrono::steady_clock::now() > static_cast<SqliteDriver*>(self)->deadline_);
    };
    sqlite3_progress_handler(handle_, limit_.count() == 0 ? 0 : 10'000, over, this);
  }

  bool lost() const override { return lost_; }

 private:
  // The log has the old pages until it is truncated. secure_delete has overwritten what was deleted from the
  // pages. Waits for readers as long as for any lock.
  void wipe() noexcept {
    try {
      for (int attempt = 0; attempt < 3; ++attempt) {
        auto const answer = run("PRAGMA wal_checkpoint(TRUNCATE)", {});
        if (!answer.rows.empty() && answer.rows[0].int64(0) == 0) return;
      }
      log::warn("readers kept the log of the database from being truncated");
    } catch (std::exception const& error) {
      log::warn("the log of the database was not truncated", {{"why", error.what()}});
    }
  }

  void checkpoint_on_close(bool on) {
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1, static_cast<int*>(nullptr));
  }

  Statement prepare(std::string_view sql) {
    deadline_ = std::chrono::steady_clock::now() + limit_;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.data(), int(sql.size()), &statement, nullptr) != SQLITE_OK) fail();
    return Statement(statement);
  }

  // The values must outlive the next step.
  void bind(sqlite3_stmt* statement, Values const& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      int const at = int(i) + 1;
      int code = SQLITE_OK;
      if (auto const* number = std::get_if<std::int64_t>(&values[i])) {
        code = sqlite3_bind_int64(statement, at, *number);
      } else if (auto const* text = std::get_if<std::string>(&values[i])) {
        code = sqlite3_bind_text(statement, at, text->data(), int(text->size()), SQLITE_STATIC);
      } else {
        code = sqlite3_bind_null(statement, at);
      }
      if (code != SQLITE_OK) fail();
    }
  }

  // True if the statement has returned a row.
  bool step(sqlite3_stmt* statement) {
    int const code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail();
    return code == SQLITE_ROW;
  }

  static Row row_of(sqlite3_stmt* statement) {
    std::vector<std::optional<std::string>> columns(std::size_t(sqlite3_column_count(statement)));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto const* text = sqlite3_column_text(statement, int(i));
      if (text == nullptr) continue;
      columns[i].emplace(reinterpret_cast<char const*>(text),
                         std::size_t(sqlite3_column_bytes(statement, int(i))));
    }
    return Row(std::move(columns));
  }

  [[noreturn]] void fail() {
    std::string const what = sqlite_api::sqlite3_errmsg(handle_);
    switch (sqlite_api::sqlite3_errcode(handle_) & 0xff) {
      case SQLITE_CONSTRAINT: throw ConstraintError(what);
      case SQLITE_CORRUPT:
      case SQLITE_NOTADB: lost_ = true; [[fallthrough]];
      case SQLITE_CANTOPEN:
      case SQLITE_READONLY:
      case SQLITE_PERM: throw UnusableError(fmt::format("SQLite: {}", what));
      case SQLITE_IOERR: lost_ = true; [[fallthrough]];
      case SQLITE_BUSY:
      case SQLITE_INTERRUPT:
      case SQLITE_LOCKED:
      case SQLITE_FULL:
      case SQLITE_NOMEM:
      case SQLITE_PROTOCOL: throw StoreError(fmt::format("SQLite: {}", what), false);
      case SQLITE_TOOBIG:
      case SQLITE_MISMATCH: throw std::runtime_error(fmt::format("SQLite: {}", what));
      default: throw StatementError(fmt::format("SQLite: {}", what));
    }
  }

  FileLock lock_;
  bool writes_;
  soci::session session_;
  sqlite_api::sqlite3* handle_ = nullptr;
  bool lost_ = false;
  bool wipes_ = false;             // when this transaction is committed
  std::chrono::seconds limit_{0};  // of one statement; 0: none
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace

std::unique_ptr<Driver> open_sqlite(Url const& url, Mode mode) {
  return std::make_unique<SqliteDriver>(url, mode);
}

}  // namespace larder::sql
