// Coroutines that work in the background, with one way to stop them all.
//
//   TaskGroup tasks(io);
//   tasks.spawn(watch());       // while (!tasks.stopping()) { ...; co_await tasks.sleep(2s); }
//   co_await tasks.stop();      // every sleep ends at once; returns when watch() has returned
#pragma once

#include "base/task.hpp"

#include <chrono>
#include <memory>

namespace larder {

// Lives on one io_context, whose thread calls everything here. An exception that leaves a task ends the
// program: a background task handles its own failures.
class TaskGroup {
 public:
  explicit TaskGroup(asio::io_context& io);
  ~TaskGroup();
  TaskGroup(TaskGroup const&) = delete;
  TaskGroup& operator=(TaskGroup const&) = delete;

  void spawn(Task<void> task);
  bool stopping() const;

  // Until the time is over or the group stops.
  Task<void> sleep(std::chrono::milliseconds time);
  // The same, or until `timer` is cancelled: whoever has news for the task cancels it.
  Task<void> sleep_on(Timer& timer, std::chrono::milliseconds time);
  // What is left of a period that began at `begin`, and at least a millisecond.
  Task<void> sleep_until(std::chrono::steady_clock::time_point begin, std::chrono::milliseconds period);

  // Ends every sleep; the tasks return when they notice it.
  void ask_to_stop();
  // The same, and waits until all tasks have returned, those included that are spawned meanwhile.
  Task<void> stop();

 private:
  struct State;
  // Shared with the tasks: an io_context may destroy their frames when the group is gone.
  std::shared_ptr<State> state_;
};

}  // namespace larder
