// The SQL database. Jobs run on the database's own threads, because SQL client libraries block.
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
// If the database is unavailable, both throw StoreError. outcome_unknown is set only for a write that lost
// its connection after its first statement had begun. The Database opens a connection when a job needs one,
// and reopens it after a loss. While the SQL server is down, jobs fail at once instead of waiting for a
// connection. If 1024 jobs wait already, a new job fails with StoreError. A `read` fails with StoreError
// after five seconds, but its job may still be running: such a job must own everything that it touches.
class Database {
 public:
  // `url` as in stores/sql/url.hpp. Throws SetupError if the URL is wrong. Does not connect yet.
  Database(std::string const& url, int connections, Metrics& metrics);
  // Runs the jobs that still wait, then returns.
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

  // The same, but these block the calling thread, and `read_now` has no time limit. For commands and
  // start-up, never for an io thread.
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
      // Shared, because the job may still be running when the coroutine is gone.
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
