#include "base/error.hpp"
#include "base/number.hpp"
#include "stores/sql/driver.hpp"
#include "stores/sql/sql_text.hpp"

#include <fmt/format.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>

namespace larder::sql {

namespace {

constexpr std::size_t array_rows_max = 2000;

// Messages of libpq have several lines and end with a line feed.
std::string one_line(std::string message) {
  while (message.ends_with('\n')) message.pop_back();
  std::ranges::replace(message, '\n', ' ');
  return message;
}

struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, Clear>;

// Whether the message is a refusal: a wrong password, an unknown user or database, no permission. libpq does
// not tell the SQLSTATE of a failed connection. A server that has no room for more connections may have room
// later.
bool says_no(std::string_view message) {
  auto const has = [&](std::string_view words) { return message.find(words) != std::string_view::npos; };
  return (has("FATAL:") || has("no password supplied")) && !has("too many") && !has("connection slots");
}

class PostgresqlDriver final : public Driver {
 public:
  explicit PostgresqlDriver(Url const& url) {
    auto why = try_to_connect(url);
    // The server accepts connections, so perhaps this is not an outage. The second attempt makes sure that
    // the server was not just starting.
    if (says_no(why) && PQping(url.connect.c_str()) == PQPING_OK) {
      why = try_to_connect(url);
      if (says_no(why)) throw UnusableError(fmt::format("cannot connect to {}: {}", url.shown, why));
    }
    if (!why.empty()) throw StoreError(fmt::format("cannot connect to {}: {}", url.shown, why), false);
    handle_ = static_cast<soci::postgresql_session_backend*>(session_.get_backend())->conn_;
    run("SET standard_conforming_strings = on", {});
    // If this process or its machine vanishes, the locks of its transaction end.
    run("SET idle_in_transaction_session_timeout = '60s'", {});
    run("SET client_min_messages = warning", {});  // no notices about IF NOT EXISTS on stderr
  }

  Dialect dialect() const override { return Dialect::postgresql; }

  Answer run(std::string_view sql, Values const& params) override {
    auto const text =
        replace_placeholders(sql, params.size(), [](auto i) { return fmt::format("${}", i + 1); });
    return answer_of(params.empty() ? PQexec(handle_, text.c_str()) : exec_params(text, params));
  }

  // Sends each column as one array. This costs the server a third of the work that literals in VALUES would.
  void insert(BulkInsert const& bulk) override {
    for (std::size_t from = 0; from < bulk.rows.size(); from += array_rows_max) {
      auto const count = std::min(array_rows_max, bulk.rows.size() - from);
      insert_arrays({bulk.table, bulk.columns, bulk.rows.subspan(from, count), bulk.on_conflict});
    }
  }

  void limit(TimeLimits limits) override {
    run(fmt::format("SET statement_timeout = '{}s'", limits.statement.count()), {});
    run(fmt::format("SET lock_timeout = '{}s'", limits.lock.count()), {});
  }

  bool lost() const override { return lost_; }
  bool stale() const override { return has_unasked_input(PQsocket(handle_)); }

 private:
  // Returns why it failed; nothing if it worked.
  std::string try_to_connect(Url const& url) {
    try {
      session_.open(soci::postgresql, url.connect);
      return {};
    } catch (soci::soci_error const& error) {
      return one_line(error.get_error_message());
    }
  }

  void insert_arrays(BulkInsert const& bulk) {
    std::vector<std::string> selected;
    std::vector<std::string> arrays;
    Values params;
    for (std::size_t column = 0; column < bulk.columns.size(); ++column) {
      auto const has = [&]<class T>(T const*) {
        return std::ranges::any_of(bulk.rows,
                                   [&](Values const& row) { return std::holds_alternative<T>(row[column]); });
      };
      bool const numbers = has(static_cast<std::int64_t const*>(nullptr));
      bool const texts = has(static_cast<std::string const*>(nullptr));
      // The server cannot infer the type of an array that is mixed or has only nulls.
      if (numbers && texts) return Driver::insert(bulk);
      if (!numbers && !texts) {
        selected.emplace_back("NULL");
        continue;
      }
      selected.push_back(fmt::format("c{}", column));
      arrays.push_back(fmt::format("?::{}[]", numbers ? "bigint" : "text"));
      params.emplace_back(array_of(bulk.rows, column));
    }
    std::vector<std::string> names = selected;
    std::erase(names, "NULL");
    if (names.empty()) return Driver::insert(bulk);
    run(fmt::format("INSERT INTO {} ({}) SELECT {} FROM unnest({}) AS r({}){}", bulk.table,
                    fmt::join(bulk.columns, ", "), fmt::join(selected, ", "), fmt::join(arrays, ", "),
                    fmt::join(names, ", "), insert_tail(Dialect::postgresql, bulk)),
        params);
  }

  // {1,2,NULL} or {"a","with \"quotes\"",NULL}
  static std::string array_of(std::span<Values const> rows, std::size_t column) {
    std::string text = "{";
    for (auto const& row : rows) {
      if (text.size() > 1) text += ',';
      if (auto const* number = std::get_if<std::int64_t>(&row[column])) {
        text += fmt::format_int(*number).c_str();
      } else if (auto const* string = std::get_if<std::string>(&row[column])) {
        text += '"';
        for (char const c : *string) {
          if (c == '"' || c == '\\') text += '\\';
          text += c;
        }
        text += '"';
      } else {
        text += "NULL";
      }
    }
    return text += '}';
  }

  // Passes no types: the server infers them from the place of each parameter in the statement.
  PGresult* exec_params(std::string const& text, Values const& params) {
    std::vector<std::string> numbers(params.size());
    std::vector<char const*> values(params.size(), nullptr);
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (auto const* number = std::get_if<std::int64_t>(&params[i])) {
        numbers[i] = std::to_string(*number);
        values[i] = numbers[i].c_str();
      } else if (auto const* string = std::get_if<std::string>(&params[i])) {
        values[i] = string->c_str();
      }
    }
    return PQexecParams(handle_, text.c_str(), int(params.size()), nullptr, values.data(), nullptr, nullptr,
                        0);
  }

  Answer answer_of(PGresult* raw) {
    PgResult const result(raw);
    auto const status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail(result.get());
    Answer answer;
    answer.affected = parse_int(PQcmdTuples(result.get())).value_or(0);  // empty for BEGIN and the like
    auto const columns = std::size_t(PQnfields(result.get()));
    for (int row = 0; row < PQntuples(result.get()); ++row) {
      std::vector<std::optional<std::string>> values(columns);
      for (int i = 0; i < int(columns); ++i) {
        if (PQgetisnull(result.get(), row, i) != 0) continue;
        values[std::size_t(i)].emplace(PQgetvalue(result.get(), row, i),
                                       std::size_t(PQgetlength(result.get(), row, i)));
      }
      answer.rows.emplace_back(std::move(values));
    }
    return answer;
  }

  [[noreturn]] void fail(PGresult const* result) {
    auto const* field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    std::string_view const state = field ? field : "";
    auto const* primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    auto const what = fmt::format("PostgreSQL: {}", one_line(primary ? primary : PQerrorMessage(handle_)));
    if (state.starts_with("23")) throw ConstraintError(what);
    // Connection exception (08) or operator intervention (57P): the session is over.
    lost_ = PQstatus(handle_) == CONNECTION_BAD || state.starts_with("08") || state.starts_with("57P");
    // Deadlock or serialisation failure (40), out of resources (53), object in use (55), cancelled (57),
    // system error (58), read-only after a failover (25006): the same statement may work later.
    static constexpr std::string_view passing[] = {"40", "53", "55", "57", "58", "25006"};
    bool const may_pass =
        std::ranges::any_of(passing, [&](auto prefix) { return state.starts_with(prefix); });
    if (lost_ || may_pass) throw StoreError(what, false);
    if (!state.starts_with("22")) throw StatementError(what);  // 22: a value does not fit
    throw std::runtime_error(what);
  }

  soci::session session_;
  PGconn* handle_ = nullptr;
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<Driver> open_postgresql(Url const& url) { return std::make_unique<PostgresqlDriver>(url); }

}  // namespace larder::sql
