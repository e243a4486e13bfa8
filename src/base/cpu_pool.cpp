#include "base/cpu_pool.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

namespace larder {

namespace {

// Whether the pool may still post to an io_context. It may not while the io_context is being destroyed.
struct Gate {
  std::mutex mutex;
  bool closed = false;
};

// Closes the gate of its io_context. An io_context shuts its newest service down first, so the gate is closed
// before the queue of the io_context is taken apart.
class GateKeeper final : public asio::execution_context::service {
 public:
  using key_type = GateKeeper;
  static inline asio::execution_context::id id;

  explicit GateKeeper(asio::execution_context& context) : service(context) {}
  std::shared_ptr<Gate> const gate = std::make_shared<Gate>();

 private:
  void shutdown() override {
    std::lock_guard const lock(gate->mutex);
    gate->closed = true;
  }
};

std::shared_ptr<Gate> gate_of(Executor const& executor) {
  asio::execution_context& context = executor.context();
  return asio::use_service<GateKeeper>(context).gate;
}

}  // namespace

// One call of run(), shared by its coroutine and the pool.
struct CpuPool::Job {
  Job(std::move_only_function<void()> its_work, Executor const& its_executor)
      : work(std::move(its_work)), executor(its_executor), gate(gate_of(its_executor)) {}

  // Reports the outcome on the coroutine's own thread, unless the coroutine or its io_context ends.
  static void tell(std::shared_ptr<Job> const& job, bool done) {
    std::lock_guard const context_lives(job->gate->mutex);
    if (job->gate->closed) return;
    std::lock_guard const lock(job->mutex);
    if (job->abandoned) return;
    asio::post(job->executor, [job, done] {
      job->done = done;
      if (auto* const timer = std::exchange(job->timer, nullptr)) timer->cancel();
    });
  }
  bool is_abandoned() {
    std::lock_guard const lock(mutex);
    return abandoned;
  }

  std::move_only_function<void()> work;
  Executor const executor;
  std::shared_ptr<Gate> const gate;
  std::mutex mutex;
  bool abandoned = false;  // guarded by the mutex
  // Only used on the thread of the executor:
  Timer* timer = nullptr;  // the coroutine waits for it; null: the coroutine no longer waits
  bool done = false;
};

CpuPool::CpuPool(std::size_t threads, std::size_t waiting_max) : waiting_max_(waiting_max), free_(threads) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run_jobs(); });
}

CpuPool::~CpuPool() { stop(); }

Error CpuPool::busy() {
  return {.code = errors::server_busy,
          .detail = "the server has too much to do; try again later",
          .more = {{"retry_after_s", 1}}};
}

Task<bool> CpuPool::perform(std::move_only_function<void()> work) {
  auto const executor = co_await asio::this_coro::executor;
  auto const job = std::make_shared<Job>(std::move(work), executor);
  Timer told(executor, Timer::time_point::max());
  job->timer = &told;
  struct Leaving {
    Job& job;
    ~Leaving() {
      job.timer = nullptr;
      std::lock_guard const lock(job.mutex);
      job.abandoned = true;
    }
  } const leaving{*job};

  if (!add(job)) co_return false;
  boost::system::error_code ignored;
  while (job->timer) co_await told.async_wait(asio::redirect_error(use_task, ignored));
  co_return job->done;
}

bool CpuPool::add(std::shared_ptr<Job> const& job) {
  std::lock_guard const lock(mutex_);
  // If a free thread has not taken its job yet, that job does not count as waiting.
  if (stopping_ || waiting_.size() >= free_ + waiting_max_) return false;
  waiting_.push_back(job);
  changed_.notify_one();
  return true;
}

void CpuPool::run_jobs() {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (stopping_) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
      --free_;
    }
    bool const wanted = !job->is_abandoned();
    if (wanted) job->work();
    job->work = nullptr;
    {
      std::lock_guard const lock(mutex_);
      ++free_;
    }
    if (wanted) Job::tell(job, true);
  }
}

void CpuPool::stop() {
  std::deque<std::shared_ptr<Job>> refused;
  {
    std::lock_guard const lock(mutex_);
    stopping_ = true;
    refused.swap(waiting_);
  }
  changed_.notify_all();
  for (auto const& job : refused) Job::tell(job, false);
  threads_.clear();  // joins
}

}  // namespace larder
