#include "base/checked_clock.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace larder {

namespace {

std::int64_t steady_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

constexpr std::string_view what_to_do =
    "set it right, for example with NTP; until then the server does nothing that depends on the time";

}  // namespace

void CheckedClock::measured(std::int64_t ahead_ms) { offset_ = clock_.now().value - ahead_ms - steady_ms(); }

void CheckedClock::judged(bool outvoted) {
  outvoted_ = outvoted;
  compared_ = true;
}

TimeMs CheckedClock::now() const {
  auto const time = clock_.now();
  auto const problem = problem_at(time);
  if (problem.empty()) return time;
  if (!compared_) throw StoreError(problem, false);  // Redis is unavailable; nothing is known about the clock
  throw ClockError(problem);
}

std::string CheckedClock::problem() const { return problem_at(clock_.now()); }

std::string CheckedClock::problem_at(TimeMs time) const {
  if (!compared_) {
    return "Redis has not answered since the start, so the clock of this server was not compared with it; "
           "nothing that depends on the time is done until Redis answers";
  }
  auto const ahead = time.value - (steady_ms() + offset_);
  if (std::abs(ahead) > allowed_.count()) {
    return fmt::format("the clock of this server is {} {} that of Redis, and {} are allowed: {}",
                       span_text(std::abs(ahead)), ahead > 0 ? "ahead of" : "behind",
                       span_text(allowed_.count()), what_to_do);
  }
  if (outvoted_) {
    return fmt::format("most other servers and Redis nodes contradict the clock of this server: {}",
                       what_to_do);
  }
  return {};
}

std::string span_text(std::int64_t ms) {
  constexpr std::int64_t hour_ms = 3'600'000;
  auto const rounded = [ms](std::int64_t unit_ms) { return (ms + unit_ms / 2) / unit_ms; };
  if (ms >= 2 * day_ms) return fmt::format("{} days", rounded(day_ms));
  if (ms >= 2 * hour_ms) return fmt::format("{} hours", rounded(hour_ms));
  return ms >= 2000 ? fmt::format("{} s", rounded(1000)) : fmt::format("{} ms", ms);
}

}  // namespace larder
