// Points in time, in milliseconds since 1970 UTC, and the clocks that give them. Rules take a TimeMs as an
// argument and never ask a Clock.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace larder {

struct TimeMs {
  std::int64_t value = 0;
  friend auto operator<=>(TimeMs const&, TimeMs const&) = default;
  friend TimeMs operator+(TimeMs t, std::int64_t ms) { return {t.value + ms}; }
  friend std::int64_t operator-(TimeMs a, TimeMs b) { return a.value - b.value; }
};

inline constexpr std::int64_t day_ms = 86'400'000;

// "2026-01-02T03:04:05.678Z"
std::string to_rfc3339(TimeMs time);

// Any RFC 3339 date-time with an offset, years 1970 to 9999; digits beyond milliseconds are cut off.
std::optional<TimeMs> parse_rfc3339(std::string_view text);

class Clock {
 public:
  virtual ~Clock() = default;
  // Throws ClockError if this clock cannot be trusted (see CheckedClock): whatever depends on the time must
  // not happen then.
  virtual TimeMs now() const = 0;
  // Why this clock cannot be trusted, and what to do; empty: it can.
  virtual std::string problem() const { return {}; }
  // The time even if this clock cannot be trusted. For code that only looks at the time: pauses, ages, and
  // answers to changes that were made.
  virtual TimeMs unchecked() const { return now(); }
};

class SystemClock final : public Clock {
 public:
  TimeMs now() const override;
};

// A clock that stands still until a test moves it. Thread-safe.
class TestClock final : public Clock {
 public:
  explicit TestClock(TimeMs start) : now_(start.value) {}
  TimeMs now() const override { return {now_.load()}; }
  void advance(std::int64_t ms) { now_ += ms; }

 private:
  std::atomic<std::int64_t> now_;
};

}  // namespace larder
