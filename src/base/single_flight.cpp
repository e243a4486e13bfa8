#include "base/single_flight.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

namespace larder {

// `timer` and `landed` are used only on the thread of the executor.
struct SingleFlight::Waiter {
  explicit Waiter(Executor const& its) : executor(its), timer(its, Timer::time_point::max()) {}
  Executor executor;
  Timer timer;
  bool landed = false;
};

std::shared_ptr<SingleFlight::Waiter> SingleFlight::join(Executor const& executor) {
  std::lock_guard const lock(mutex_);
  if (!flying_) {
    flying_ = true;
    return nullptr;
  }
  return waiters_.emplace_back(std::make_shared<Waiter>(executor));
}

Task<void> SingleFlight::wait(std::shared_ptr<Waiter> waiter) {
  boost::system::error_code woken;
  while (!waiter->landed) co_await waiter->timer.async_wait(asio::redirect_error(use_task, woken));
}

void SingleFlight::land() {
  std::vector<std::shared_ptr<Waiter>> waiters;
  {
    std::lock_guard const lock(mutex_);
    flying_ = false;
    waiters.swap(waiters_);
  }
  for (auto& waiter : waiters) {
    auto const executor = waiter->executor;
    asio::post(executor, [waiter = std::move(waiter)] {
      waiter->landed = true;
      waiter->timer.cancel();
    });
  }
}

}  // namespace larder
