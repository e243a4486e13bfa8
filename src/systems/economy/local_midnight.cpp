#include "systems/economy/local_midnight.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <memory>
#include <unicode/gregocal.h>
#include <unicode/timezone.h>
#include <unicode/unistr.h>

namespace larder::economy {

namespace {

constexpr std::size_t zone_chars_max = 64;

bool is_zone_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_+-/").contains(c);
}

// ICU fails only if its data are missing. Then nobody can say when a day begins.
void check_calendar(UErrorCode status) { LARDER_ASSERT(U_SUCCESS(status)); }

icu::UnicodeString to_zone_id(std::string_view name) {
  return {name.data(), std::int32_t(name.size()), US_INV};
}

}  // namespace

// ICU also takes "GMT+3:07", and calls every other text Etc/Unknown.
bool is_time_zone(std::string_view name) {
  if (name.empty() || name.size() > zone_chars_max || !std::ranges::all_of(name, is_zone_char)) return false;
  UErrorCode status = U_ZERO_ERROR;
  UBool is_of_database = false;
  icu::UnicodeString canonical;
  icu::TimeZone::getCanonicalID(to_zone_id(name), canonical, is_of_database, status);
  return U_SUCCESS(status) && is_of_database && name != "Etc/Unknown";
}

TimeMs midnight_after(TimeMs now, std::string const& zone, std::int64_t days) {
  UErrorCode status = U_ZERO_ERROR;
  icu::GregorianCalendar calendar(icu::TimeZone::createTimeZone(to_zone_id(zone)), status);
  check_calendar(status);
  calendar.setTime(UDate(now.value), status);
  auto const year = calendar.get(UCAL_YEAR, status);
  auto const month = calendar.get(UCAL_MONTH, status);
  auto const day = calendar.get(UCAL_DAY_OF_MONTH, status);
  check_calendar(status);
  calendar.clear();
  calendar.setSkippedWallTimeOption(UCAL_WALLTIME_NEXT_VALID);
  calendar.setRepeatedWallTimeOption(UCAL_WALLTIME_FIRST);
  calendar.set(year, month, day + std::int32_t(days), 0, 0, 0);
  auto const midnight = calendar.getTime(status);
  check_calendar(status);
  return {std::int64_t(midnight)};
}

}  // namespace larder::economy
