#include "base/time.hpp"

#include <fmt/format.h>

#include <chrono>

namespace larder {

namespace {

// Reads exactly `digits` digits at the front of `text` and removes them.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int number = 0;
  for (char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(digits);
  return number;
}

bool take_char(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// The milliseconds of an optional fraction. Returns nullopt for a point without a digit.
std::optional<int> take_fraction(std::string_view& text) {
  if (!take_char(text, '.')) return 0;
  int ms = 0;
  std::size_t digits = 0;
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), ++digits) {
    if (digits < 3) ms = ms * 10 + (text[0] - '0');
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 3; ++digits) ms *= 10;
  return ms;
}

std::optional<int> take_offset_minutes(std::string_view& text) {
  if (take_char(text, 'Z') || take_char(text, 'z')) return 0;
  bool const east = text.starts_with('+');
  if (!take_char(text, '+') && !take_char(text, '-')) return std::nullopt;
  auto const hours = take_number(text, 2);
  if (!hours || !take_char(text, ':')) return std::nullopt;
  auto const minutes = take_number(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  int const offset = *hours * 60 + *minutes;
  return east ? offset : -offset;
}

}  // namespace

std::string to_rfc3339(TimeMs time) {
  using namespace std::chrono;
  sys_time<milliseconds> const moment{milliseconds{time.value}};
  auto const day = floor<days>(moment);
  year_month_day const date{day};
  hh_mm_ss const clock{moment - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int(date.year()), unsigned(date.month()),
                     unsigned(date.day()), clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count(), clock.subseconds().count());
}

std::optional<TimeMs> parse_rfc3339(std::string_view text) {
  using namespace std::chrono;
  auto const year_number = take_number(text, 4);
  if (!year_number || !take_char(text, '-')) return std::nullopt;
  auto const month_number = take_number(text, 2);
  if (!month_number || !take_char(text, '-')) return std::nullopt;
  auto const day_number = take_number(text, 2);
  if (!day_number || !(take_char(text, 'T') || take_char(text, 't'))) return std::nullopt;
  auto const hour_number = take_number(text, 2);
  if (!hour_number || !take_char(text, ':')) return std::nullopt;
  auto const minute_number = take_number(text, 2);
  if (!minute_number || !take_char(text, ':')) return std::nullopt;
  auto const second_number = take_number(text, 2);
  if (!second_number) return std::nullopt;
  auto const ms = take_fraction(text);
  if (!ms) return std::nullopt;
  auto const offset = take_offset_minutes(text);
  if (!offset || !text.empty()) return std::nullopt;

  year_month_day const date{year{*year_number}, month(unsigned(*month_number)), day(unsigned(*day_number))};
  if (!date.ok() || *hour_number > 23 || *minute_number > 59 || *second_number > 59) return std::nullopt;
  auto const moment = sys_days{date} + hours{*hour_number} + minutes{*minute_number - *offset} +
                      seconds{*second_number} + milliseconds{*ms};
  auto const value = duration_cast<milliseconds>(moment.time_since_epoch()).count();
  if (value < 0) return std::nullopt;
  return TimeMs{value};
}

TimeMs SystemClock::now() const {
  using namespace std::chrono;
  return {duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
}

}  // namespace larder
