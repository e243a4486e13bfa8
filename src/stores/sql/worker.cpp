#include "stores/sql/worker.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

namespace larder::sql {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t jobs_max = 1024;
constexpr std::chrono::milliseconds backoff_min{100};
constexpr std::chrono::milliseconds backoff_max{1000};

// The connection of one worker thread.
class Connection {
 public:
  Connection(ConnectGate& gate, ConnectGate::Open const& open) : gate_(gate), open_(open) {}

  void run(Job& job) {
    try {
      if (job.mode == Mode::read) {
        read(job);
      } else {
        write(job);
      }
    } catch (...) {
      if (driver_ && driver_->lost()) driver_.reset();
      throw;
    }
  }

 private:
  void connect() {
    if (driver_ && driver_->stale()) driver_.reset();
    if (!driver_) driver_ = gate_.open(open_);
  }

  void read(Job& job) {
    connect();
    Session session(*driver_);
    job.work(session);
  }

  void write(Job& job) {
    connect();
    driver_->begin();
    Session session(*driver_);
    try {
      job.work(session);
      // PostgreSQL answers the COMMIT of a failed transaction with a silent ROLLBACK.
      if (session.failed()) throw std::runtime_error("an SQL job went on after a statement had failed");
      driver_->commit();
    } catch (StoreError const& error) {
      bool const unknown = error.outcome_unknown() || (session.used() && driver_->lost());
      std::string const what = error.what();
      roll_back();
      throw StoreError(what, unknown);
    } catch (...) {
      roll_back();
      throw;
    }
  }

  // If the rollback fails, the connection is closed, which also rolls back.
  void roll_back() {
    if (!driver_->lost()) {
      try {
        return driver_->rollback();
      } catch (std::exception const& error) {
        log::warn("sql rollback failed", {{"error", error.what()}});
      }
    }
    driver_.reset();
  }

  ConnectGate& gate_;
  ConnectGate::Open const& open_;
  std::unique_ptr<Driver> driver_;
};

}  // namespace

std::unique_ptr<Driver> ConnectGate::open(Open const& open) {
  {
    std::lock_guard const guard(mutex_);
    if (failures_ > 0 && (trying_ || steady_clock::now() < retry_at_)) throw StoreError(why_, false);
    trying_ = true;
  }
  try {
    auto driver = open();
    std::lock_guard const guard(mutex_);
    if (failures_ > 0) log::info("sql connected again", {{"failures", failures_}});
    failures_ = 0;
    trying_ = false;
    return driver;
  } catch (std::exception const& error) {
    std::lock_guard const guard(mutex_);
    if (failures_ == 0) log::warn("sql cannot be reached", {{"error", error.what()}});
    retry_at_ = steady_clock::now() + std::min(backoff_max, backoff_min * (1 << std::min(failures_, 8)));
    ++failures_;
    trying_ = false;
    why_ = error.what();
    throw StoreError(why_, false);
  }
}

SqlMetrics::SqlMetrics(Metrics& metrics)
    : read_seconds(metrics.seconds("larder_sql_seconds", "Time of an SQL job.", {{"op", "read"}})),
      write_seconds(metrics.seconds("larder_sql_seconds", "Time of an SQL job.", {{"op", "write"}})),
      errors(metrics.counter("larder_sql_errors_total",
                             "SQL jobs that failed, refusals of the schema aside.")) {}

Workers::Workers(int threads, ConnectGate::Open open, SqlMetrics& metrics)
    : open_(std::move(open)), metrics_(metrics) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

Workers::~Workers() {
  {
    std::lock_guard const guard(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Workers::submit(Job job) {
  {
    std::lock_guard const guard(mutex_);
    if (jobs_.size() < jobs_max) {
      jobs_.push_back(std::move(job));
      wake_.notify_one();
      return;
    }
  }
  metrics_.errors.Increment();
  job.done(std::make_exception_ptr(StoreError("too many SQL jobs are waiting", false)));
}

bool Workers::take(Job& job) {
  std::unique_lock guard(mutex_);
  wake_.wait(guard, [this] { return stopping_ || !jobs_.empty(); });
  if (jobs_.empty()) return false;
  job = std::move(jobs_.front());
  jobs_.pop_front();
  return true;
}

void Workers::serve() {
  Connection connection(gate_, open_);
  for (Job job; take(job);) {
    Stopwatch const watch;
    std::exception_ptr problem;
    try {
      connection.run(job);
    } catch (ConstraintError const&) {
      problem = std::current_exception();
    } catch (...) {
      problem = std::current_exception();
      metrics_.errors.Increment();
    }
    (job.mode == Mode::read ? metrics_.read_seconds : metrics_.write_seconds).Observe(watch.seconds());
    job.work = nullptr;  // the captures must not outlive the answer
    std::exchange(job.done, nullptr)(std::move(problem));
  }
}

}  // namespace larder::sql
