#include "stores/sql/database.hpp"

#include "base/error.hpp"
#include "stores/sql/worker.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <future>

namespace larder::sql {

namespace {

constexpr auto job_patience = std::chrono::seconds(5);
constexpr auto lock_limit = std::chrono::seconds(5);
constexpr int projecting_longer = 4;  // a batch has up to thousands of rows

// A coroutine that waits for its job. Used only on the coroutine's io thread.
template <class Handler>
class Waiting : public std::enable_shared_from_this<Waiting<Handler>> {
 public:
  Waiting(Handler handler, Executor const& executor) : handler_(std::move(handler)), timer_(executor) {}

  // A server that hangs must not hold a request for ever. A job that has not begun will no longer run. A read
  // that has begun continues, but nobody waits for its result. A write that has begun decides the outcome.
  void give_up_in_time(std::shared_ptr<Claim> claim, Mode mode) {
    timer_.expires_after(job_patience);
    timer_.async_wait(
        [self = this->shared_from_this(), claim = std::move(claim), mode](boost::system::error_code code) {
          if (code) return;
          bool const begun = !claim->take();
          if (begun && mode == Mode::write) return;
          self->end(std::make_exception_ptr(StoreError(
              begun ? "the SQL database does not answer" : "the SQL database has too much to do", false)));
        });
  }

  // The first call counts.
  void end(std::exception_ptr problem) {
    timer_.cancel();
    if (auto handler = std::exchange(handler_, std::nullopt)) (*handler)(std::move(problem));
  }

 private:
  std::optional<Handler> handler_;
  Timer timer_;
};

}  // namespace

struct Database::Impl {
  Impl(std::string const& address, int connections, Metrics& metrics, std::chrono::seconds statement_limit)
      : url(parse_url(address)), counters(metrics), limits{.statement = statement_limit, .lock = lock_limit} {
    switch (url.dialect) {
      case Dialect::sqlite:
        writer.emplace(1, 1, [this] { return open_sqlite(url, Mode::write); }, counters);
        shared.emplace(connections, 0, [this] { return open_sqlite(url, Mode::read); }, counters);
        break;
      case Dialect::postgresql: use_server(connections, [this] { return open_postgresql(url); }); break;
      case Dialect::mysql: use_server(connections, [this] { return open_mysql(url); }); break;
    }
  }

  void use_server(int connections, ConnectGate::Open const& open) {
    writer.emplace(1, 1, open, counters);
    shared.emplace(connections, std::max(1, connections / 2), open, counters);
  }

  void submit(Kind kind, Job job) {
    bool const alone = kind == Kind::project || (kind == Kind::write && url.dialect == Dialect::sqlite);
    (alone ? *writer : *shared).submit(std::move(job));
  }

  Url url;
  SqlMetrics counters;
  TimeLimits limits;
  std::optional<Workers> writer;  // all writes of SQLite; on an SQL server, those of the projectors
  std::optional<Workers> shared;
};

Database::Database(std::string const& url, int connections, Metrics& metrics,
                   std::chrono::seconds statement_limit)
    : impl_(std::make_unique<Impl>(url, connections, metrics, statement_limit)) {}
Database::~Database() = default;

Dialect Database::dialect() const { return impl_->url.dialect; }

Task<void> Database::perform(Kind kind, Work work) {
  auto const mode = kind == Kind::read ? Mode::read : Mode::write;
  auto const executor = co_await asio::this_coro::executor;
  co_await asio::async_initiate<asio::use_awaitable_t<Executor> const, void(std::exception_ptr)>(
      [&](auto handler) {
        auto const waiting = std::make_shared<Waiting<decltype(handler)>>(std::move(handler), executor);
        auto limits = impl_->limits;
        if (kind == Kind::project) limits.statement *= projecting_longer;
        std::shared_ptr<Claim> claim;
        if (kind != Kind::project) {
          claim = std::make_shared<Claim>();
          waiting->give_up_in_time(claim, mode);
        }
        // The guard keeps the io_context running while this job is its only work. The guard moves into the
        // posted handler and so ends on the io thread. It must not end on the worker thread: there the
        // io_context may be gone as soon as the coroutine has resumed.
        auto done = [waiting, executor,
                     guard = asio::make_work_guard(executor)](std::exception_ptr problem) mutable {
          asio::post(executor,
                     [waiting = std::move(waiting), guard = std::move(guard),
                      problem = std::move(problem)]() mutable { waiting->end(std::move(problem)); });
        };
        impl_->submit(kind, {.mode = mode,
                             .work = std::move(work),
                             .done = std::move(done),
                             .limits = limits,
                             .claim = std::move(claim)});
      },
      use_task);
}

void Database::perform_now(Kind kind, Work work) {
  std::promise<void> promise;
  auto future = promise.get_future();
  // The worker owns the promise. A promise on this stack could be destroyed while set_value()
  // is still running.
  auto done = [promise = std::move(promise)](std::exception_ptr problem) mutable {
    if (problem) {
      promise.set_exception(std::move(problem));
    } else {
      promise.set_value();
    }
  };
  impl_->submit(kind, {.mode = kind == Kind::read ? Mode::read : Mode::write,
                       .work = std::move(work),
                       .done = std::move(done)});
  future.get();
}

Task<void> Database::ping() {
  return read([](Session& session) { session.query("SELECT 1"); });
}

}  // namespace larder::sql
