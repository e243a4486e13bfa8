// Runs a coroutine to its end from a test.
#pragma once

#include "base/task.hpp"

#include <boost/asio/co_spawn.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

namespace larder::test {

inline constexpr auto patience = std::chrono::seconds(60);

// Returns what the task returns, and throws what it throws. Meanwhile everything else on `io` also runs;
// afterwards `io` stands still. If the task does not end within `limit`, the test fails.
template <class T>
T run(asio::io_context& io, Task<T> task, std::chrono::seconds limit = patience) {
  // Shared, because a task that is too late ends after this call, or never.
  struct State {
    bool done = false;
    std::exception_ptr failure;
    std::optional<std::conditional_t<std::is_void_v<T>, bool, T>> value;
  };
  auto const state = std::make_shared<State>();
  auto const finish = [state, &io](std::exception_ptr failure) {
    state->failure = failure;
    state->done = true;
    io.stop();
  };
  io.restart();
  if constexpr (std::is_void_v<T>) {
    asio::co_spawn(io.get_executor(), std::move(task), finish);
  } else {
    asio::co_spawn(io.get_executor(), std::move(task), [state, finish](std::exception_ptr failure, T value) {
      if (!failure) state->value.emplace(std::move(value));
      finish(failure);
    });
  }
  io.run_for(limit);
  if (!state->done) throw std::runtime_error("the task did not end in time");
  if (state->failure) std::rethrow_exception(state->failure);
  if constexpr (!std::is_void_v<T>) return std::move(*state->value);
}

// Checks `condition` again and again, with small pauses, until it holds. Returns false if
// it does not hold in time.
template <class F>
bool eventually(F condition, std::chrono::seconds limit = patience) {
  auto const deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// The same, while `io` runs.
template <class F>
bool eventually(asio::io_context& io, F condition, std::chrono::seconds limit = patience) {
  return eventually(
      [&] {
        io.restart();
        io.run_for(std::chrono::milliseconds(5));
        return condition();
      },
      limit);
}

}  // namespace larder::test
