#include "base/error.hpp"
#include "stores/sql/driver.hpp"
#include "stores/sql/sql_text.hpp"

#include <fmt/format.h>
#include <soci/mysql/soci-mysql.h>
#include <soci/soci.h>

#include <mysqld_error.h>

namespace larder::sql {

namespace {

constexpr unsigned check_failed_mariadb = 4025;  // ER_CONSTRAINT_FAILED
constexpr unsigned check_failed_mysql = 3819;    // ER_CHECK_CONSTRAINT_VIOLATED
constexpr unsigned connection_killed = 1927;     // ER_CONNECTION_KILLED
constexpr unsigned select_timed_out = 3024;      // ER_QUERY_TIMEOUT of MySQL

struct Free {
  void operator()(MYSQL_RES* result) const { mysql_free_result(result); }
};
using MysqlResult = std::unique_ptr<MYSQL_RES, Free>;

bool is_constraint(unsigned code) {
  switch (code) {
    case ER_DUP_ENTRY:
    case ER_DUP_ENTRY_WITH_KEY_NAME:
    case ER_BAD_NULL_ERROR:
    case ER_NO_DEFAULT_FOR_FIELD:
    case ER_NO_REFERENCED_ROW:
    case ER_NO_REFERENCED_ROW_2:
    case ER_ROW_IS_REFERENCED:
    case ER_ROW_IS_REFERENCED_2:
    case check_failed_mariadb:
    case check_failed_mysql: return true;
    default: return false;
  }
}

// The server answers, but not to this user, from this host, or for this database.
bool needs_repair(unsigned code) {
  switch (code) {
    case ER_ACCESS_DENIED_ERROR:
    case ER_ACCESS_DENIED_NO_PASSWORD_ERROR:
    case ER_ACCOUNT_HAS_BEEN_LOCKED:
    case ER_BAD_DB_ERROR:
    case ER_DBACCESS_DENIED_ERROR:
    case ER_HOST_NOT_PRIVILEGED: return true;
    default: return false;
  }
}

class MysqlDriver final : public Driver {
 public:
  explicit MysqlDriver(Url const& url) {
    try {
      session_.open(soci::mysql, url.connect);
    } catch (soci::mysql_soci_error const& error) {
      auto const what = fmt::format("cannot connect to {}: {}", url.shown, error.get_error_message());
      if (needs_repair(unsigned(error.err_num_))) throw UnusableError(what);
      throw StoreError(what, false);
    } catch (soci::soci_error const& error) {
      throw StoreError(fmt::format("cannot connect to {}: {}", url.shown, error.get_error_message()), false);
    }
    handle_ = static_cast<soci::mysql_session_backend*>(session_.get_backend())->conn_;
    run("SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES,ERROR_FOR_DIVISION_BY_ZERO,"
        "NO_ENGINE_SUBSTITUTION'",
        {});
    run("SET NAMES utf8mb4", {});
    mariadb_ = mariadb_connection(handle_) != 0;
    // If this process or its machine vanishes, the locks of its transaction end.
    if (mariadb_) run("SET SESSION idle_transaction_timeout = 60", {});
    run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", {});
  }

  Dialect dialect() const override { return Dialect::mysql; }

  Answer run(std::string_view sql, Values const& params) override {
    auto const text = replace_placeholders(sql, params.size(), [&](auto i) {
      std::string literal;
      append_literal(literal, params[i]);
      return literal;
    });
    if (mysql_real_query(handle_, text.data(), text.size()) != 0) fail();
    MysqlResult const result(mysql_store_result(handle_));
    if (!result && mysql_field_count(handle_) != 0) fail();
    Answer answer;
    if (!result) {
      answer.affected = std::int64_t(mysql_affected_rows(handle_));
      return answer;
    }
    std::size_t const columns = mysql_num_fields(result.get());
    while (MYSQL_ROW row = mysql_fetch_row(result.get())) {
      auto const* lengths = mysql_fetch_lengths(result.get());
      std::vector<std::optional<std::string>> values(columns);
      for (std::size_t i = 0; i < columns; ++i) {
        if (row[i] != nullptr) values[i].emplace(row[i], lengths[i]);
      }
      answer.rows.emplace_back(std::move(values));
    }
    return answer;
  }

  void limit(TimeLimits limits) override {
    auto const statement_s = limits.statement.count();
    if (mariadb_) {
      run(fmt::format("SET SESSION max_statement_time = {}", statement_s), {});
    } else {
      run(fmt::format("SET SESSION max_execution_time = {}", statement_s * 1000), {});  // of a SELECT only
    }
    auto const lock_s = limits.lock.count() == 0 ? "DEFAULT" : fmt::to_string(limits.lock.count());
    run(fmt::format("SET SESSION innodb_lock_wait_timeout = {0}, lock_wait_timeout = {0}", lock_s), {});
  }

  bool lost() const override { return lost_; }
  bool stale() const override { return has_unasked_input(int(mysql_get_socket(handle_))); }

 private:
  [[noreturn]] void fail() {
    unsigned const code = mysql_errno(handle_);
    auto const what = fmt::format("MariaDB: {}", mysql_error(handle_));
    if (is_constraint(code)) throw ConstraintError(what);
    // 2000 to 2999 are errors of the client library: the connection is broken.
    lost_ = (code >= 2000 && code < 3000) || code == ER_SERVER_SHUTDOWN || code == connection_killed;
    bool const transient = code == ER_LOCK_DEADLOCK || code == ER_LOCK_WAIT_TIMEOUT || code == ER_DISK_FULL ||
                           code == ER_RECORD_FILE_FULL || code == ER_OPTION_PREVENTS_STATEMENT ||
                           code == ER_QUERY_INTERRUPTED || code == ER_STATEMENT_TIMEOUT ||
                           code == select_timed_out;
    if (lost_ || transient) throw StoreError(what, false);
    bool const value_does_not_fit = std::string_view(mysql_sqlstate(handle_)).starts_with("22") ||
                                    code == ER_TRUNCATED_WRONG_VALUE_FOR_FIELD;
    if (!value_does_not_fit) throw StatementError(what);
    throw std::runtime_error(what);
  }

  soci::session session_;
  MYSQL* handle_ = nullptr;
  bool mariadb_ = false;
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<Driver> open_mysql(Url const& url) { return std::make_unique<MysqlDriver>(url); }

}  // namespace larder::sql
