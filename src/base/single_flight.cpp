#include "base/single_flight.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

namespace larder {

// `timer`, `landed` and `failure` are used only on the thread of the executor.
struct SingleFlight::Waiter {
  explicit Waiter(Executor const& its) : executor(its), timer(its, Timer::time_point::max()) {}
  Executor executor;
  Timer timer;
  bool landed = false;
  std::exception_ptr failure;  // of the work
};

std::shared_ptr<SingleFlight::Waiter> SingleFlight::join(std::string const& key, Executor const& executor) {
  std::lock_guard const lock(mutex_);
  auto const [flight, begins] = flights_.try_emplace(key);
  if (begins) return nullptr;
  return flight->second.emplace_back(std::make_shared<Waiter>(executor));
}

Task<void> SingleFlight::wait(std::shared_ptr<Waiter> waiter) {
  boost::system::error_code woken;
  while (!waiter->landed) co_await waiter->timer.async_wait(asio::redirect_error(use_task, woken));
  if (waiter->failure) std::rethrow_exception(waiter->failure);
}

void SingleFlight::land(std::string const& key, std::exception_ptr const& failure) {
  std::vector<std::shared_ptr<Waiter>> waiters;
  {
    std::lock_guard const lock(mutex_);
    auto const flight = flights_.find(key);
    waiters.swap(flight->second);
    flights_.erase(flight);
  }
  for (auto& waiter : waiters) {
    auto const executor = waiter->executor;
    asio::post(executor, [waiter = std::move(waiter), failure] {
      waiter->failure = failure;
      waiter->landed = true;
      waiter->timer.cancel();
    });
  }
}

}  // namespace larder
