#include "stores/sql/sqlite_copy.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <filesystem>

namespace larder::sql {

namespace {

constexpr int pages_at_once = 1024;

struct CloseSqlite {
  void operator()(sqlite_api::sqlite3* handle) const { sqlite_api::sqlite3_close_v2(handle); }
};
using SqliteHandle = std::unique_ptr<sqlite_api::sqlite3, CloseSqlite>;

[[noreturn]] void fail_with(std::string const& file, sqlite_api::sqlite3* handle) {
  throw StoreError(
      fmt::format("SQLite: {}: {}", file, handle ? sqlite_api::sqlite3_errmsg(handle) : "out of memory"),
      false);
}

SqliteHandle open_handle(std::string const& file, int flags) {
  sqlite_api::sqlite3* raw = nullptr;
  int const code = sqlite_api::sqlite3_open_v2(file.c_str(), &raw, flags, nullptr);
  SqliteHandle handle(raw);
  if (code != SQLITE_OK) fail_with(file, raw);
  return handle;
}

// A database that is away has no lock file, and must not get one.
std::string existing(std::string path) {
  if (!std::filesystem::exists(path)) throw UnusableError(fmt::format("there is no database {}", path));
  return path;
}

}  // namespace

struct SqliteCopy::Handle {
  explicit Handle(std::string const& file, int flags) : path(file), sqlite(open_handle(file, flags)) {}

  // Gives the columns of each row to `each`.
  template <class F>
  void query(char const* statement, F each) {
    auto const one_row = [](void* to, int, char** columns, char**) {
      (*static_cast<F*>(to))(columns);
      return 0;
    };
    if (sqlite_api::sqlite3_exec(sqlite.get(), statement, one_row, &each, nullptr) != SQLITE_OK)
      fail_with(path, sqlite.get());
  }
  void run(char const* statement) {
    query(statement, [](char**) {});
  }
  std::uint64_t number(char const* statement) {
    std::uint64_t value = 0;
    query(statement, [&](char** columns) { value = std::strtoull(columns[0], nullptr, 10); });
    return value;
  }

  std::string path;
  SqliteHandle sqlite;
};

SqliteCopy::SqliteCopy(std::string path) : path_(existing(std::move(path))), lock_(path_ + ".lock") {
  std::lock_guard const guard(lock_);  // the first read may run a recovery, which writes
  handle_ = std::make_unique<Handle>(path_, SQLITE_OPEN_READWRITE);
  sqlite_api::sqlite3_db_config(handle_->sqlite.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                                static_cast<int*>(nullptr));
  handle_->run("PRAGMA busy_timeout=5000");
  handle_->run("PRAGMA wal_autocheckpoint=0");
  handle_->run("PRAGMA query_only=1");
  handle_->number("SELECT COUNT(*) FROM sqlite_schema");
}

SqliteCopy::~SqliteCopy() = default;

std::unique_lock<FileLock> SqliteCopy::freeze() {
  std::unique_lock guard(lock_);
  if (sqlite_api::sqlite3_get_autocommit(handle_->sqlite.get()) == 0) handle_->run("ROLLBACK");
  // A transaction reads what was committed before its first statement, however long it lasts.
  handle_->run("BEGIN");
  handle_->number("SELECT COUNT(*) FROM sqlite_schema");
  return guard;
}

std::map<std::string, std::int64_t> SqliteCopy::versions() {
  std::map<std::string, std::int64_t> found;
  if (handle_->number("SELECT COUNT(*) FROM sqlite_schema WHERE name = 'schema_migration'") == 0)
    return found;
  handle_->query("SELECT component, MAX(version) FROM schema_migration GROUP BY component",
                 [&](char** columns) { found[columns[0]] = std::strtoll(columns[1], nullptr, 10); });
  return found;
}

std::uint64_t SqliteCopy::bytes() {
  return handle_->number("PRAGMA page_count") * handle_->number("PRAGMA page_size");
}

void SqliteCopy::write_to(std::string const& file, Progress const& progress) {
  Handle out(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  out.run("PRAGMA journal_mode=OFF");  // an unfinished copy is worth nothing
  out.run("PRAGMA synchronous=OFF");   // the caller syncs the file at the end
  auto* const copy = sqlite_api::sqlite3_backup_init(out.sqlite.get(), "main", handle_->sqlite.get(), "main");
  if (copy == nullptr) fail_with(file, out.sqlite.get());
  auto const page_bytes = handle_->number("PRAGMA page_size");
  int code = SQLITE_OK;
  do {
    code = sqlite_api::sqlite3_backup_step(copy, pages_at_once);
    auto const total = std::uint64_t(sqlite_api::sqlite3_backup_pagecount(copy));
    auto const left = std::uint64_t(sqlite_api::sqlite3_backup_remaining(copy));
    if (progress) progress((total - left) * page_bytes, total * page_bytes);
  } while (code == SQLITE_OK);
  bool const whole = code == SQLITE_DONE;
  if (sqlite_api::sqlite3_backup_finish(copy) != SQLITE_OK || !whole) {
    auto* const broken = whole ? out.sqlite.get() : nullptr;
    throw StoreError(
        fmt::format("SQLite cannot copy {} to {}: {}", path_, file,
                    broken ? sqlite_api::sqlite3_errmsg(broken) : sqlite_api::sqlite3_errstr(code)),
        false);
  }
}

}  // namespace larder::sql
