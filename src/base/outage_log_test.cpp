#include "base/outage_log.hpp"

#include <gtest/gtest.h>

namespace larder {
namespace {

using namespace std::chrono_literals;
using Outages = std::vector<OutageLog::Outage>;

constexpr OutageLog::Time start{1h};

TEST(OutageLog, names_only_the_first_of_many_failures) {
  OutageLog log;
  EXPECT_TRUE(log.note("redis", start));
  for (int i = 1; i <= 1000; ++i) EXPECT_FALSE(log.note("redis", start + i * 1s)) << i;
}

TEST(OutageLog, keeps_stores_apart) {
  OutageLog log;
  EXPECT_TRUE(log.note("redis", start));
  EXPECT_TRUE(log.note("", start));
  EXPECT_FALSE(log.note("", start));
}

TEST(OutageLog, says_once_that_an_outage_is_over) {
  OutageLog log;
  EXPECT_EQ(log.over(start), Outages{});
  log.note("redis", start);
  log.note("redis", start + 4s);
  log.note("sql", start + 8s);
  EXPECT_EQ(log.over(start + 4s + OutageLog::quiet - 1ms), Outages{});
  EXPECT_EQ(log.over(start + 4s + OutageLog::quiet),
            (Outages{{.store = "redis", .requests = 2, .seconds = 4}}));
  EXPECT_EQ(log.over(start + 4s + OutageLog::quiet), Outages{});
  EXPECT_EQ(log.over(start + 1h), (Outages{{.store = "sql", .requests = 1, .seconds = 0}}));
}

TEST(OutageLog, names_the_first_failure_of_the_next_outage) {
  OutageLog log;
  log.note("redis", start);
  EXPECT_EQ(log.over(start + 1h).size(), 1U);
  EXPECT_TRUE(log.note("redis", start + 2h));
}

TEST(OutageLog, a_failure_after_a_long_silence_belongs_to_the_next_outage_only_if_the_end_was_told) {
  OutageLog log;
  log.note("redis", start);
  EXPECT_FALSE(log.note("redis", start + 1h)) << "no request has come in the meantime, so nobody was told";
}

}  // namespace
}  // namespace larder
