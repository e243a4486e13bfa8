#include "systems/cache/object_places.hpp"

#include "systems/cache/assemble.hpp"
#include "systems/cache/cache_cursor.hpp"

#include <gtest/gtest.h>

namespace larder::cache {

namespace {

std::string key_of(std::vector<std::string_view> const& words) {
  CacheKeys const keys("drc", "v1");
  auto const key = read_object_key(words);
  if (!key) return key.error().detail;
  auto const place = place_of(keys, *key).value();
  return place.field.empty() ? place.key : place.key + " " + place.field;
}

TEST(ObjectPlaces, a_lookup_names_objects_by_their_kind_and_ids) {
  EXPECT_EQ(key_of({"member", "1", "2"}), "drc:v1:members:1:2");
  EXPECT_EQ(key_of({"channel", "1", "2"}), "drc:v1:channels:1 2");
  EXPECT_EQ(key_of({"channel", "@me", "2"}), "drc:v1:channels:@me 2");
  EXPECT_EQ(key_of({"user", "2"}), "drc:v1:users:2");
  EXPECT_EQ(key_of({"invite", "0vCdhLbwjZZTWZLD"}), "drc:v1:invites:0vCdhLbwjZZTWZLD");
  EXPECT_EQ(key_of({"template", "1", "hgM48av5Q69A"}), "drc:v1:templates:1 hgM48av5Q69A");
  EXPECT_EQ(key_of({"widget", "1"}), "drc:v1:widget:1");
  EXPECT_EQ(key_of({"webhook", "5"}), "drc:v1:webhooks:5");
}

TEST(ObjectPlaces, a_lookup_refuses_what_names_no_object) {
  EXPECT_EQ(key_of({}), "a key must begin with the kind of an object");
  EXPECT_TRUE(
      key_of({"planet", "1"}).starts_with("no object has the kind planet; the kinds are application, "));
  EXPECT_EQ(key_of({"member", "1"}), "the kind member takes 2 ids");
  EXPECT_EQ(key_of({"user", "1", "2"}), "the kind user takes 1 id");
  EXPECT_EQ(key_of({"channel"}), "the kind channel takes 1 or 2 ids");
  EXPECT_EQ(key_of({"member", "1", "x"}), "an id of this member is malformed");
  EXPECT_EQ(key_of({"member", "@me", "1"}), "an id of this member is malformed");
  EXPECT_EQ(key_of({"invite", "a:b"}), "an id of this invite is malformed");
}

TEST(ObjectPlaces, every_event_with_an_object_before_it_is_applied) {
  for (auto const event : events_with_before()) EXPECT_EQ(kind_of(event), EventKind::applied) << event;
}

TEST(CacheCursor, comes_back_as_it_was) {
  for (std::string_view const name :
       {"1", "18446744073709551615", "abc-DEF", "\U0001F600", "1\uFE0F\u20E3"}) {
    EXPECT_EQ(read_cursor_after(cursor_after(name)).value(), name);
  }
  EXPECT_EQ(read_cursor_after("").value(), std::nullopt);
  auto const scan =
      ScanCursor::read(ScanCursor{.position = 18446744073709551615U, .last = "7"}.text()).value();
  EXPECT_EQ(scan.position, 18446744073709551615U);
  EXPECT_EQ(scan.last, "7");
}

TEST(CacheCursor, refuses_other_texts) {
  for (std::string_view const text :
       {"1", "a", "a01", "ax", "x", "x1", "xzz", "x4G", "xff", "s1-", "-", "A1"}) {
    EXPECT_EQ(read_cursor_after(text).error().field, "cursor") << text;
  }
  for (std::string_view const text : {"a1", "s", "s-", "s1", "s1-x", "s-1", "s01-", "s1-2-3", "1-2"}) {
    EXPECT_EQ(ScanCursor::read(text).error().field, "cursor") << text;
  }
}

}  // namespace

}  // namespace larder::cache
