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
  void connect(TimeLimits limits) {
    if (driver_ && driver_->stale()) driver_.reset();
    if (!driver_) {
      driver_ = gate_.open(open_);
      limits_.reset();
    }
    if (limits_ == limits) return;
    limits_.reset();
    driver_->limit(limits);
    limits_ = limits;
  }

  void read(Job& job) {
    connect(job.limits);
    Session session(*driver_);
    job.work(session);
  }

  void write(Job& job) {
    connect(job.limits);
    driver_->begin();
    Session session(*driver_);
    try {
      job.work(session);
      // PostgreSQL answers the COMMIT of a failed transaction with a silent ROLLBACK.
      if (session.failed()) throw std::runtime_error("an SQL job went on after a statement had failed");
      driver_->commit();
    } catch (StoreError const& error) {
      bool const unknown = error.outcome_unknown() || (session.used() && driver_->lost());
      bool const unusable = !unknown && dynamic_cast<UnusableError const*>(&error) != nullptr;
      std::string const what = error.what();
      roll_back();
      if (unusable) throw UnusableError(what);
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
  std::optional<TimeLimits> limits_;  // of the driver
};

}  // namespace

std::unique_ptr<Driver> ConnectGate::open(Open const& open) {
  {
    std::lock_guard const guard(mutex_);
    if (failures_ > 0 && (trying_ || steady_clock::now() < retry_at_)) fail();
    trying_ = true;
  }
  try {
    auto driver = open();
    std::lock_guard const guard(mutex_);
    if (failures_ > 0) log::info("sql connected again", {{"failures", failures_}});
    failures_ = 0;
    trying_ = false;
    worked_ = true;
    return driver;
  } catch (UnusableError const& error) {
    note(error, true);
  } catch (std::exception const& error) {
    note(error, false);
  }
  std::lock_guard const guard(mutex_);
  fail();
}

void ConnectGate::note(std::exception const& error, bool unusable) {
  std::lock_guard const guard(mutex_);
  // A set-up that has never worked is reported when the server or the command starts.
  if (failures_ == 0 && (worked_ || !unusable)) log::warn("sql cannot be reached", {{"error", error.what()}});
  retry_at_ = steady_clock::now() + std::min(backoff_max, backoff_min * (1 << std::min(failures_, 8)));
  ++failures_;
  trying_ = false;
  why_ = error.what();
  unusable_ = unusable;
}

void ConnectGate::fail() const {
  if (unusable_) throw UnusableError(why_);
  throw StoreError(why_, false);
}

SqlMetrics::SqlMetrics(Metrics& metrics)
    : read_seconds(metrics.seconds("larder_sql_seconds", "Time of an SQL job.", {{"op", "read"}})),
      write_seconds(metrics.seconds("larder_sql_seconds", "Time of an SQL job.", {{"op", "write"}})),
      errors(metrics.counter("larder_sql_errors_total",
                             "SQL jobs that failed, refusals of the schema aside.")) {}

Workers::Workers(int threads, int writes_max, ConnectGate::Open open, SqlMetrics& metrics)
    : open_(std::move(open)), metrics_(metrics), writes_max_(writes_max) {
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
    if (reads_.size() + writes_.size() < jobs_max) {
      job.number = ++jobs_ever_;
      (job.mode == Mode::read ? reads_ : writes_).push_back(std::move(job));
      wake_.notify_one();
      return;
    }
  }
  metrics_.errors.Increment();
  job.done(std::make_exception_ptr(StoreError("too many SQL jobs are waiting", false)));
}

// The queue whose first job may begin now, or null.
std::deque<Job>* Workers::next() {
  bool const can_write = !writes_.empty() && writing_ < writes_max_;
  if (!reads_.empty() && (!can_write || reads_.front().number < writes_.front().number)) return &reads_;
  return can_write ? &writes_ : nullptr;
}

bool Workers::take(Job& job) {
  std::unique_lock guard(mutex_);
  wake_.wait(guard, [this] { return next() != nullptr || (stopping_ && reads_.empty() && writes_.empty()); });
  auto* const queue = next();
  if (queue == nullptr) return false;
  job = std::move(queue->front());
  queue->pop_front();
  if (job.mode == Mode::write) ++writing_;
  return true;
}

void Workers::finished(Job const& job) {
  if (job.mode == Mode::read) return;
  {
    std::lock_guard const guard(mutex_);
    --writing_;
  }
  wake_.notify_all();  // a write may begin, or all threads may end
}

void Workers::serve() {
  Connection connection(gate_, open_);
  for (Job job; take(job); finished(job)) {
    Stopwatch const watch;
    std::exception_ptr problem;
    try {
      if (!job.claim || job.claim->take()) connection.run(job);
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
