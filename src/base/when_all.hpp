// Runs tasks side by side on the caller's io_context.
#pragma once

#include "base/task.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <vector>

namespace larder {

// Returns the results in the order of the tasks. If tasks throw, waits until all tasks have ended and throws
// the first exception. Redis commands that are started this way leave in one write per node, so this is how
// to pipeline commands.
template <class T>
Task<std::vector<T>> when_all(std::vector<Task<T>> tasks) {
  struct State {
    explicit State(Executor const& executor, std::size_t count)
        : done(executor), results(count), running(count) {
      done.expires_at(Timer::time_point::max());
    }
    Timer done;
    std::vector<std::optional<T>> results;
    std::exception_ptr failure;
    std::size_t running;
  };
  auto const executor = co_await asio::this_coro::executor;
  auto const state = std::make_shared<State>(executor, tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    asio::co_spawn(executor, std::move(tasks[i]), [state, i](std::exception_ptr const& failure, T result) {
      if (failure) {
        if (!state->failure) state->failure = failure;
      } else {
        state->results[i] = std::move(result);
      }
      if (--state->running == 0) state->done.cancel();
    });
  }
  if (state->running > 0) {
    boost::system::error_code cancelled;
    co_await state->done.async_wait(asio::redirect_error(use_task, cancelled));
  }
  if (state->failure) std::rethrow_exception(state->failure);
  std::vector<T> results;
  results.reserve(state->results.size());
  for (auto& result : state->results) results.push_back(std::move(*result));
  co_return results;
}

}  // namespace larder
