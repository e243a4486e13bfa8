#include "base/task.hpp"

#include <boost/asio/redirect_error.hpp>

namespace larder {

Task<void> sleep_for(std::chrono::milliseconds time) {
  Timer timer(co_await asio::this_coro::executor);
  timer.expires_after(time);
  co_await timer.async_wait(use_task);
}

Task<void> sleep_on(Timer& timer, std::chrono::milliseconds time) {
  boost::system::error_code cancelled;
  timer.expires_after(time);
  co_await timer.async_wait(asio::redirect_error(use_task, cancelled));
}

}  // namespace larder
