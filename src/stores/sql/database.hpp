// The SQL database. Jobs run on the database's own threads, because SQL client libraries block.
//
//   auto names = co_await sql.read([id](Session& session) {
//     return session.query("SELECT name FROM t WHERE id = ?", {id});
//   });
#pragma once

#include "base/metrics.hpp"
#include "base/task.hpp"
#include "stores/sql/session.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace larder::sql {

// Thread-safe. The Metrics must outlive the Database, and so must every io_context whose coroutines
// wait for a job.
//
// A job runs on one of the Database's threads. Then its coroutine resumes on its own io_context. An exception
// of the job is rethrown in the coroutine. A job must not capture references to objects that may be destroyed
// before the job has run: a coroutine's own frame is safe only while the coroutine cannot be destroyed.
//
// `write` is ONE transaction, which is rolled back if the job throws. `read` has no transaction and must not
// write (SQLite refuses it).
//
// If the database is unavailable, both throw StoreError; if waiting does not help, UnusableError.
// outcome_unknown is set only for a write that lost its connection after its first statement had begun. The
// Database opens a connection when a job needs one, and reopens it after a loss. While the SQL server is
// down, jobs fail at once instead of waiting for a connection. If 1024 jobs are already waiting, a new job
// fails with StoreError. A `read` fails with StoreError after five seconds, but its job may still be running:
// such a job must own everything that it touches. A `write` also fails with StoreError if it has not begun
// after five seconds; its job then never runs.
//
// Each statement of a job has a time limit (15 s by default; in `project` four times as long), and so has its
// wait for a lock (5 s). After that, the job fails with StoreError. Jobs of `read_now` and `write_now`, such
// as migrations, have no limits.
//
// On an SQL server, at most half of the connections write at the same time (one, if there is only one). So
// writes that wait for a lock hold up other writes, but neither reads nor projectors.
class Database {
 public:
  // `url` as in stores/sql/url.hpp. Throws SetupError if the URL is wrong. Does not connect yet.
  Database(std::string const& url, int connections, Metrics& metrics,
           std::chrono::seconds statement_limit = std::chrono::seconds(15));
  // Runs the jobs that still wait, then returns.
  ~Database();
  Database(Database const&) = delete;
  Database& operator=(Database const&) = delete;

  Dialect dialect() const;

  template <class F>
  Task<std::invoke_result_t<F&, Session&>> read(F job) {
    return run(Kind::read, std::move(job));
  }
  template <class F>
  Task<std::invoke_result_t<F&, Session&>> write(F job) {
    return run(Kind::write, std::move(job));
  }
  // A `write` on a connection that no other job uses, so that stuck jobs do not hold up the projectors.
  // SQLite has only one connection that writes.
  template <class F>
  Task<std::invoke_result_t<F&, Session&>> project(F job) {
    return run(Kind::project, std::move(job));
  }

  // The same, but these block the calling thread and have no time limit. For commands and start-up, never for
  // an io thread.
  template <class F>
  std::invoke_result_t<F&, Session&> read_now(F job) {
    return run_now(Kind::read, std::move(job));
  }
  template <class F>
  std::invoke_result_t<F&, Session&> write_now(F job) {
    return run_now(Kind::write, std::move(job));
  }

  // Throws StoreError if the database does not answer.
  Task<void> ping();

 private:
  enum class Kind { read, write, project };
  using Work = std::move_only_function<void(Session&)>;

  Task<void> perform(Kind kind, Work work);
  void perform_now(Kind kind, Work work);

  template <class F>
  Task<std::invoke_result_t<F&, Session&>> run(Kind kind, F job) {
    using Returned = std::invoke_result_t<F&, Session&>;
    if constexpr (std::is_void_v<Returned>) {
      co_await perform(kind, std::move(job));
    } else {
      // Shared, because the job may still be running when the coroutine is gone.
      auto value = std::make_shared<std::optional<Returned>>();
      co_await perform(
          kind, [value, job = std::move(job)](Session& session) mutable { value->emplace(job(session)); });
      co_return std::move(**value);
    }
  }
  template <class F>
  std::invoke_result_t<F&, Session&> run_now(Kind kind, F job) {
    using Returned = std::invoke_result_t<F&, Session&>;
    if constexpr (std::is_void_v<Returned>) {
      perform_now(kind, std::move(job));
    } else {
      std::optional<Returned> value;
      perform_now(kind, [&](Session& session) { value.emplace(job(session)); });
      return std::move(*value);
    }
  }

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace larder::sql
