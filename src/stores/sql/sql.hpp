// The SQL database: jobs run on threads of their own, because SQL client libraries block.
//
//   auto names = co_await sql.read([id](SqlSession& session) {
//     return session.query("SELECT name FROM t WHERE id = ?", {id});
//   });
#pragma once

#include "base/metrics.hpp"
#include "base/task.hpp"
#include "stores/sql/sql_session.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace larder {

// Thread-safe. An io_context whose coroutines wait for a job must outlive the Sql; so must the Metrics.
//
// A job runs on one of the Sql's threads, its coroutine goes on where it was; what the job throws, the
// coroutine throws. A job must not capture references to what may die before it ran: a coroutine's own frame
// is safe only while the coroutine cannot be destroyed.
//
// `write` is ONE transaction, rolled back if the job throws. `read` has no transaction and must not write
// (SQLite refuses it). If the database is away: StoreError, with outcome_unknown only for a write whose
// statements had begun. Connections are opened when a job needs one and reopened after a loss; while the
// server is down jobs fail at once instead of each waiting for a connection. More than 1024 waiting jobs:
// StoreError. A `read` that takes longer than five seconds is given up with a StoreError, while its job may
// still run: such a job has to own what it touches.
class Sql {
 public:
  // `url` as in sql_url.hpp; a wrong one is a SetupError. Does not connect yet.
  Sql(std::string const& url, int connections, Metrics& metrics);
  // Finishes the jobs that wait.
  ~Sql();
  Sql(Sql const&) = delete;
  Sql& operator=(Sql const&) = delete;

  Dialect dialect() const;

  template <class F>
  Task<std::invoke_result_t<F&, SqlSession&>> read(F job) {
    return run(false, std::move(job));
  }
  template <class F>
  Task<std::invoke_result_t<F&, SqlSession&>> write(F job) {
    return run(true, std::move(job));
  }

  // The same, blocking: for commands and start-up, never on an io thread.
  template <class F>
  std::invoke_result_t<F&, SqlSession&> read_now(F job) {
    return run_now(false, std::move(job));
  }
  template <class F>
  std::invoke_result_t<F&, SqlSession&> write_now(F job) {
    return run_now(true, std::move(job));
  }

  // Throws StoreError if the database does not answer.
  Task<void> ping();

 private:
  using Work = std::move_only_function<void(SqlSession&)>;

  Task<void> perform(bool write, Work work);
  void perform_now(bool write, Work work);

  template <class F>
  Task<std::invoke_result_t<F&, SqlSession&>> run(bool write, F job) {
    using Value = std::invoke_result_t<F&, SqlSession&>;
    if constexpr (std::is_void_v<Value>) {
      co_await perform(write, std::move(job));
    } else {
      // Shared, because the job may still run when the coroutine is gone.
      auto value = std::make_shared<std::optional<Value>>();
      co_await perform(write, [value, job = std::move(job)](SqlSession& session) mutable {
        value->emplace(job(session));
      });
      co_return std::move(**value);
    }
  }
  template <class F>
  std::invoke_result_t<F&, SqlSession&> run_now(bool write, F job) {
    using Value = std::invoke_result_t<F&, SqlSession&>;
    if constexpr (std::is_void_v<Value>) {
      perform_now(write, std::move(job));
    } else {
      std::optional<Value> value;
      perform_now(write, [&](SqlSession& session) { value.emplace(job(session)); });
      return std::move(*value);
    }
  }

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace larder
