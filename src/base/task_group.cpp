#include "base/task_group.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>

#include <exception>
#include <set>

namespace larder {

struct TaskGroup::State {
  explicit State(asio::io_context& context) : io(context), all_ended(context, Timer::time_point::max()) {}

  asio::io_context& io;
  bool stopping = false;
  int running = 0;
  std::multiset<Timer*> sleeping;
  Timer all_ended;
};

TaskGroup::TaskGroup(asio::io_context& io) : state_(std::make_shared<State>(io)) {}

TaskGroup::~TaskGroup() = default;

void TaskGroup::spawn(Task<void> task) {
  ++state_->running;
  asio::co_spawn(state_->io, std::move(task), [state = state_](std::exception_ptr const& failure) {
    if (--state->running == 0) state->all_ended.cancel();
    if (failure) std::rethrow_exception(failure);
  });
}

bool TaskGroup::stopping() const { return state_->stopping; }

Task<void> TaskGroup::sleep(std::chrono::milliseconds time) {
  Timer timer(state_->io);
  co_await sleep_on(timer, time);
}

Task<void> TaskGroup::sleep_on(Timer& timer, std::chrono::milliseconds time) {
  auto const state = state_;
  if (state->stopping) co_return;
  auto const place = state->sleeping.insert(&timer);
  co_await larder::sleep_on(timer, time);
  state->sleeping.erase(place);
}

Task<void> TaskGroup::sleep_until(std::chrono::steady_clock::time_point begin,
                                  std::chrono::milliseconds period) {
  auto const left =
      std::chrono::ceil<std::chrono::milliseconds>(begin + period - std::chrono::steady_clock::now());
  return sleep(std::max(left, std::chrono::milliseconds(1)));
}

void TaskGroup::ask_to_stop() {
  state_->stopping = true;
  for (auto* const timer : state_->sleeping) timer->cancel();
}

Task<void> TaskGroup::stop() {
  auto const state = state_;
  ask_to_stop();
  boost::system::error_code ended;
  while (state->running > 0) co_await state->all_ended.async_wait(asio::redirect_error(use_task, ended));
}

}  // namespace larder
