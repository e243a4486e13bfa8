// The SQL database: jobs run on threads of their own, because SQL client libraries block.
//
//   auto names = co_await sql.read([id](Session& session) {
//     return session.query("SELECT name FROM t WHERE id = ?", {id});
//   });
#pragma once

#include "base/metrics.hpp"
#include "base/task.hpp"
#include "stores/sql/session.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace larder::sql {

// Thread-safe. An io_context whose coroutines wait for a job must outlive the Database; so must the Metrics.
//
// A job runs on one of the Database's threads, its coroutine goes on where it was; what the job throws, the
// coroutine throws. A job must not capture references to what may die before it ran: a coroutine's own frame
// is safe only while the coroutine cannot be destroyed.
//
// `write` is ONE transaction, rolled back if the job throws. `read` has no transaction and must not write
// (SQLite refuses it). If the database is away: StoreError, with outcome_unknown only for a write whose
// statements had begun. Connections are opened when a job needs one and reopened after a loss; while the
// server is down jobs fail at once instead of each waiting for a connection. More than 1024 waiting jobs:
// StoreError. A `read` that takes longer than five seconds is given up with a StoreError, while its job may
// still run: such a job has to own what it touches.
class Database {
 public:
  // `url` as in sql_url.hpp; a wrong one is a SetupError. Does not connect yet.
  Database(std::string const& url, int connections, Metrics& metrics);
  // Finishes the jobs that wait.
  ~Database();
  Database(Database const&) = delete;
  Database& operator=(Database const&) = delete;

  Dialect dialect() const;

  template <class F>
  Task<std::invoke_result_t<F&, Session&>> read(F job) {
    return run(false, std::move(job));
  }
  template <class F>
  Task<std::invoke_result_t<F&, Session&>> write(F job) {
    return run(true, std::move(job));
  }

  // The same, blocking: for commands and start-up, never on an io thread.
  template <class F>
  std::invoke_result_t<F&, Session&> read_now(F job) {
    return run_now(false, std::move(job));
  }
  template <class F>
  std::invoke_result_t<F&, Session&> write_now(F job) {
    return run_now(true, std::move(job));
  }

  // Throws StoreError if the database does not answer.
  Task<void> ping();

 private:
  using Work = std::move_only_function<void(Session&)>;

  Task<void> perform(bool write, Work work);
  void perform_now(bool write, Work work);

  template <class F>
  Task<std::invoke_result_t<F&, Session&>> run(bool write, F job) {
    using Returned = std::invoke_result_t<F&, Session&>;
    if constexpr (std::is_void_v<Returned>) {
      co_await perform(write, std::move(job));
    } else {
      // Shared, because the job may still run when the coroutine is gone.
      auto value = std::make_shared<std::optional<Returned>>();
      co_await perform(
          write, [value, job = std::move(job)](Session& session) mutable { value->emplace(job(session)); });
      co_return std::move(**value);
    }
  }
  template <class F>
  std::invoke_result_t<F&, Session&> run_now(bool write, F job) {
    using Returned = std::invoke_result_t<F&, Session&>;
    if constexpr (std::is_void_v<Returned>) {
      perform_now(write, std::move(job));
    } else {
      std::optional<Returned> value;
      perform_now(write, [&](Session& session) { value.emplace(job(session)); });
      return std::move(*value);
    }
  }

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace larder::sql
