// A clock that gives the time only as long as other clocks agree with it.
#pragma once

#include "base/time.hpp"

#include <atomic>
#include <chrono>

namespace larder {

// Trusts `clock` while it differs from the true time by no more than `allowed`. Somebody must say now and
// then what the true time is (kit/presence: ClockWatch asks Redis). Between these comparisons, the steady
// clock of the machine measures the time. So a clock that jumps is noticed before its time is used even once.
// Before the first comparison, now() throws StoreError: Redis has not answered yet. Thread-safe.
class CheckedClock final : public Clock {
 public:
  // The clock must outlive this object.
  CheckedClock(Clock const& clock, std::chrono::milliseconds allowed) : clock_(clock), allowed_(allowed) {}

  // `ahead_ms`: by how much the clock was just found to be ahead of the true time; below 0: behind. The last
  // judged() still counts; before the first one, nothing is trusted.
  void measured(std::int64_t ahead_ms);
  // `outvoted`: most other clocks contradict it, although it agrees with the true time.
  void judged(bool outvoted);
  void compared(std::int64_t ahead_ms, bool outvoted) {
    measured(ahead_ms);
    judged(outvoted);
  }

  TimeMs now() const override;
  std::string problem() const override;
  TimeMs unchecked() const override { return clock_.now(); }
  std::chrono::milliseconds allowed() const { return allowed_; }

 private:
  std::string problem_at(TimeMs time) const;

  Clock const& clock_;
  std::chrono::milliseconds allowed_;
  std::atomic<std::int64_t> offset_ = 0;  // the true time, minus the steady clock
  std::atomic<bool> compared_ = false;
  std::atomic<bool> outvoted_ = false;
};

// "3 days", "12 s": for people.
std::string span_text(std::int64_t ms);

}  // namespace larder
