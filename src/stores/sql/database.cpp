#include "stores/sql/database.hpp"

#include "base/error.hpp"
#include "stores/sql/worker.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <future>

namespace larder::sql {

namespace {

constexpr auto read_patience = std::chrono::seconds(5);

// A coroutine that waits for its job. Used only on the coroutine's io thread.
template <class Handler>
class Waiting : public std::enable_shared_from_this<Waiting<Handler>> {
 public:
  Waiting(Handler handler, Executor const& executor) : handler_(std::move(handler)), timer_(executor) {}

  // A server that hangs must not hold a request for ever. The job goes on, but nobody waits for its result.
  void give_up_after(std::chrono::seconds patience) {
    timer_.expires_after(patience);
    timer_.async_wait([self = this->shared_from_this()](boost::system::error_code code) {
      if (!code) self->end(std::make_exception_ptr(StoreError("the SQL database does not answer", false)));
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
  Impl(std::string const& address, int connections, Metrics& metrics)
      : url(parse_url(address)), counters(metrics) {
    switch (url.dialect) {
      case Dialect::sqlite:
        writers.emplace(1, [this] { return open_sqlite(url, Mode::write); }, counters);
        readers.emplace(connections, [this] { return open_sqlite(url, Mode::read); }, counters);
        break;
      case Dialect::postgresql:
        readers.emplace(connections, [this] { return open_postgresql(url); }, counters);
        break;
      case Dialect::mysql: readers.emplace(connections, [this] { return open_mysql(url); }, counters); break;
    }
  }

  void submit(Job job) {
    auto& workers = writers && job.mode == Mode::write ? *writers : *readers;
    workers.submit(std::move(job));
  }

  Url url;
  SqlMetrics counters;
  std::optional<Workers> writers;  // SQLite's one writer; for SQL servers, the readers also write
  std::optional<Workers> readers;
};

Database::Database(std::string const& url, int connections, Metrics& metrics)
    : impl_(std::make_unique<Impl>(url, connections, metrics)) {}
Database::~Database() = default;

Dialect Database::dialect() const { return impl_->url.dialect; }

Task<void> Database::perform(bool write, Work work) {
  auto const executor = co_await asio::this_coro::executor;
  co_await asio::async_initiate<asio::use_awaitable_t<Executor> const, void(std::exception_ptr)>(
      [&](auto handler) {
        auto const waiting = std::make_shared<Waiting<decltype(handler)>>(std::move(handler), executor);
        if (!write) waiting->give_up_after(read_patience);
        // The guard keeps the io_context running while this job is its only work. The guard moves into the
        // posted handler and so ends on the io thread. It must not end on the worker thread: there the
        // io_context may be gone as soon as the coroutine has resumed.
        auto done = [waiting, executor,
                     guard = asio::make_work_guard(executor)](std::exception_ptr problem) mutable {
          asio::post(executor,
                     [waiting = std::move(waiting), guard = std::move(guard),
                      problem = std::move(problem)]() mutable { waiting->end(std::move(problem)); });
        };
        impl_->submit({write ? Mode::write : Mode::read, std::move(work), std::move(done)});
      },
      use_task);
}

void Database::perform_now(bool write, Work work) {
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
  impl_->submit({write ? Mode::write : Mode::read, std::move(work), std::move(done)});
  future.get();
}

Task<void> Database::ping() {
  return read([](Session& session) { session.query("SELECT 1"); });
}

}  // namespace larder::sql
