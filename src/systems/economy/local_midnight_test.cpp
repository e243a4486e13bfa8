// When days begin, in time zones with all kinds of clocks.
#include "systems/economy/local_midnight.hpp"

#include <gtest/gtest.h>

namespace larder::economy {
namespace {

std::string midnight(std::string_view now, std::string const& zone, std::int64_t days = 1) {
  return to_rfc3339(midnight_after(parse_rfc3339(now).value(), zone, days));
}

TEST(LocalMidnight, a_day_begins_at_midnight_there) {
  EXPECT_EQ(midnight("2026-01-15T12:00:00Z", "UTC"), "2026-01-16T00:00:00.000Z");
  EXPECT_EQ(midnight("2026-01-15T12:00:00Z", "Europe/Berlin"), "2026-01-15T23:00:00.000Z");
  EXPECT_EQ(midnight("2026-07-15T12:00:00Z", "Europe/Berlin"), "2026-07-15T22:00:00.000Z");
  EXPECT_EQ(midnight("2026-01-15T12:00:00Z", "America/New_York"), "2026-01-16T05:00:00.000Z");
  EXPECT_EQ(midnight("2026-01-15T12:00:00Z", "Asia/Kathmandu"), "2026-01-15T18:15:00.000Z");
  EXPECT_EQ(midnight("2026-01-15T12:00:00Z", "Pacific/Kiritimati"), "2026-01-16T10:00:00.000Z");
}

TEST(LocalMidnight, midnight_itself_belongs_to_the_day_that_begins) {
  EXPECT_EQ(midnight("2026-01-15T22:59:59.999Z", "Europe/Berlin"), "2026-01-15T23:00:00.000Z");
  EXPECT_EQ(midnight("2026-01-15T23:00:00.000Z", "Europe/Berlin"), "2026-01-16T23:00:00.000Z");
}

TEST(LocalMidnight, days_have_23_and_25_hours_when_the_clocks_change) {
  // Clocks go from 2:00 to 3:00 on 2026-03-29, and from 3:00 to 2:00 on 2026-10-25.
  EXPECT_EQ(midnight("2026-03-28T23:00:00Z", "Europe/Berlin"), "2026-03-29T22:00:00.000Z");
  EXPECT_EQ(midnight("2026-10-24T22:00:00Z", "Europe/Berlin"), "2026-10-25T23:00:00.000Z");
  EXPECT_EQ(midnight("2026-03-25T12:00:00Z", "Europe/Berlin", 7), "2026-03-31T22:00:00.000Z");
  // By half an hour.
  EXPECT_EQ(midnight("2026-04-04T13:30:00Z", "Australia/Lord_Howe"), "2026-04-05T13:30:00.000Z");
}

TEST(LocalMidnight, a_day_without_midnight_begins_when_the_clocks_go_on) {
  // In Cairo, clocks went from 0:00 to 1:00 on 2010-04-30: that day began at 1:00, which is 22:00 UTC.
  EXPECT_EQ(midnight("2010-04-29T12:00:00Z", "Africa/Cairo"), "2010-04-29T22:00:00.000Z");
  EXPECT_EQ(midnight("2010-04-29T22:00:00Z", "Africa/Cairo"), "2010-04-30T21:00:00.000Z");
}

TEST(LocalMidnight, a_midnight_that_comes_twice_begins_the_day_once) {
  // On the Azores, clocks go from 1:00 to 0:00 on 2026-10-25.
  EXPECT_EQ(midnight("2026-10-24T12:00:00Z", "Atlantic/Azores"), "2026-10-25T00:00:00.000Z");
  EXPECT_EQ(midnight("2026-10-25T00:30:00Z", "Atlantic/Azores"), "2026-10-26T01:00:00.000Z");
  EXPECT_EQ(midnight("2026-10-25T01:30:00Z", "Atlantic/Azores"), "2026-10-26T01:00:00.000Z");
}

TEST(LocalMidnight, a_day_that_a_place_skipped_is_skipped) {
  // Samoa went from 2011-12-29 to 2011-12-31.
  EXPECT_EQ(midnight("2011-12-29T20:00:00Z", "Pacific/Apia"), "2011-12-30T10:00:00.000Z");
}

TEST(LocalMidnight, days_are_counted_over_months_and_years) {
  EXPECT_EQ(midnight("2024-02-28T12:00:00Z", "UTC"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(midnight("2025-12-31T12:00:00Z", "UTC"), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(midnight("2026-01-01T00:00:00Z", "UTC", 3650), "2035-12-30T00:00:00.000Z");
}

TEST(LocalMidnight, every_next_midnight_is_after_now_and_at_most_a_long_day_away) {
  constexpr std::int64_t hour_ms = 3'600'000;
  for (auto const* const zone : {"Europe/Berlin", "Africa/Cairo", "Atlantic/Azores", "America/Havana",
                                 "Asia/Beirut", "America/Sao_Paulo", "Australia/Lord_Howe"}) {
    auto const first = parse_rfc3339("2009-01-01T00:00:00Z").value();
    for (auto now = first; now - first < 730 * day_ms; now = now + hour_ms / 2) {
      auto const left = midnight_after(now, zone, 1) - now;
      ASSERT_GT(left, 0) << zone << " " << to_rfc3339(now);
      ASSERT_LE(left, 25 * hour_ms) << zone << " " << to_rfc3339(now);
    }
  }
}

TEST(LocalMidnight, only_names_of_the_time_zone_database_are_time_zones) {
  for (auto const* const name : {"Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5"})
    EXPECT_TRUE(is_time_zone(name)) << name;
  for (auto const* const name : {"", "Europe/Atlantis", "europe berlin", "GMT+3:07", "Etc/Unknown", "Berlin",
                                 "Europe/Berlin\n", "Zürich", "../Europe/Berlin"})
    EXPECT_FALSE(is_time_zone(name)) << name;
  EXPECT_FALSE(is_time_zone(std::string(100, 'x')));
  EXPECT_FALSE(is_time_zone(std::string_view("UTC\0", 4)));
}

}  // namespace
}  // namespace larder::economy
