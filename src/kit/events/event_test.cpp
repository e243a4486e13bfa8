#include "kit/events/event.hpp"

#include <gtest/gtest.h>

namespace larder::events {
namespace {

TEST(EventId, the_next_one_is_the_smallest_above) {
  EXPECT_EQ(next_id("1700000000000-0"), "1700000000000-1");
  EXPECT_EQ(next_id("5-41"), "5-42");
  EXPECT_EQ(time_of("1700000000000-7"), TimeMs{1700000000000});
  for (std::string const wrong : {"", "5", "5-", "-1", "a-1", "1-a", "1-1-1", "1-1 "}) {
    EXPECT_THROW(next_id(wrong), std::runtime_error) << wrong;
  }
}

TEST(Event, a_missing_field_is_an_error) {
  Event const event{.id = "1-1", .fields = {{"a", "1"}, {"b", ""}}};
  EXPECT_EQ(event.field("a"), "1");
  EXPECT_EQ(event.field("b"), "");
  EXPECT_THROW(event.field("c"), std::runtime_error);
}

}  // namespace
}  // namespace larder::events
