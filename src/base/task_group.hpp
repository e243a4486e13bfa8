// Coroutines that work in the background, and one call that stops them all.
//
//   TaskGroup tasks(io);
//   tasks.spawn(watch());       // while (!tasks.stopping()) { ...; co_await tasks.sleep(2s); }
//   co_await tasks.stop();      // every sleep ends at once; returns when watch() has returned
#pragma once

#include "base/task.hpp"

#include <chrono>
#include <memory>

namespace larder {

// A group belongs to one io_context. Only the thread of that io_context may call its functions. An exception
// that leaves a task ends the program: a background task must handle its own failures.
class TaskGroup {
 public:
  explicit TaskGroup(asio::io_context& io);
  ~TaskGroup();
  TaskGroup(TaskGroup const&) = delete;
  TaskGroup& operator=(TaskGroup const&) = delete;

  void spawn(Task<void> task);
  bool stopping() const;

  // Returns when the time is over or the group stops.
  Task<void> sleep(std::chrono::milliseconds time);
  // The same, and also returns when `timer` is cancelled. To wake the task, cancel the timer.
  Task<void> sleep_on(Timer& timer, std::chrono::milliseconds time);
  // Sleeps for the rest of a period that began at `begin`, but at least a millisecond.
  Task<void> sleep_until(std::chrono::steady_clock::time_point begin, std::chrono::milliseconds period);

  // Ends every sleep. The tasks return when they notice that the group is stopping.
  void ask_to_stop();
  // The same, and waits until all tasks have returned, including those spawned meanwhile.
  Task<void> stop();

 private:
  struct State;
  // Shared with the tasks, because an io_context may destroy their frames after the group is gone.
  std::shared_ptr<State> state_;
};

}  // namespace larder
