#include "systems/webhooks/webhook_rules.hpp"

#include "base/hash.hpp"
#include "base/limits.hpp"
#include "stores/redis/slot.hpp"
#include "systems/webhooks/delivery.hpp"

#include <gtest/gtest.h>

namespace larder::webhooks {

namespace {

events::FeedEvent event(Scope system, std::string type, std::string user, std::string data = "{}") {
  return {.system = system,
          .type = std::move(type),
          .user_id = std::move(user),
          .at = {1},
          .data = std::move(data)};
}

}  // namespace

TEST(Signatures, are_those_of_the_standard) {
  // RFC 4231, cases 1, 2 and 6.
  EXPECT_EQ(hmac_sha256_hex(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      hmac_sha256_hex(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Signatures, cover_the_time_and_the_body) {
  EXPECT_EQ(signature("Jefe", {1'700'000'000'999}, "{}"),
            "t=1700000000,v1=" + hmac_sha256_hex("Jefe", "1700000000.{}"));
}

TEST(Filters, let_through_what_every_list_names) {
  auto const in_realm =
      event(Scope::economy, "pay", "u", R"({"id":"1-0","realm":"a","guild_id":"7","amount":1})");
  EXPECT_TRUE(lets_through({}, in_realm));
  EXPECT_TRUE(lets_through({.systems = {"ledger", "economy"}, .types = {"pay"}, .realms = {"a"}}, in_realm));
  EXPECT_FALSE(lets_through({.systems = {"ledger"}, .types = {}, .realms = {}}, in_realm));
  EXPECT_FALSE(lets_through({.systems = {}, .types = {"farm"}, .realms = {}}, in_realm));
  EXPECT_FALSE(lets_through({.systems = {}, .types = {}, .realms = {"b"}}, in_realm));
  auto const elsewhere = event(Scope::ledger, "add", "u", R"({"id":"1-0","realm":"a","remark":""})");
  EXPECT_FALSE(lets_through({.systems = {}, .types = {}, .realms = {"a"}}, elsewhere));
}

TEST(Filters, find_no_realm_inside_texts_and_objects) {
  auto const in_text = event(Scope::economy, "pay", "u", R"({"id":"a,\"realm\":\"x\"","realm":"b"})");
  EXPECT_EQ(events::realm_of(in_text), "b");
  auto const in_object = event(Scope::discord, "MESSAGE_CREATE", "1",
                               R"({"resource":"messages","guild_id":null,"object":{"x":1,"guild_id":"5"}})");
  EXPECT_EQ(events::guild_of(in_object), "");
  auto const at_top = event(Scope::discord, "MESSAGE_CREATE", "1",
                            R"({"resource":"messages","guild_id":"4","object":{"x":1,"guild_id":"5"}})");
  EXPECT_EQ(events::guild_of(at_top), "4");
}

TEST(Lanes, keep_the_events_of_a_user_together) {
  auto const lane = lane_of(event(Scope::ledger, "add", "ada"));
  EXPECT_EQ(lane_of(event(Scope::economy, "pay", "ada")), lane);
  EXPECT_EQ(lane_of(event(Scope::discord, "GUILD_CREATE", "")), lane_of(event(Scope::discord, "X", "")));
  // Queues outlive servers, so these numbers must stay what they are.
  EXPECT_EQ(lane, redis::crc16("ada") % 8);
  std::set<std::size_t> lanes;
  for (int i = 0; i < 1000; ++i) lanes.insert(lane_of(event(Scope::ledger, "add", std::to_string(i))));
  EXPECT_EQ(lanes.size(), limits::webhook_lanes);
}

TEST(Pauses, double_up_to_a_quarter_of_an_hour) {
  std::vector<std::int64_t> seconds;
  for (int attempts : {1, 2, 3, 4, 9, 10, 11, 12, 1000}) seconds.push_back(pause_ms_after(attempts) / 1000);
  EXPECT_EQ(seconds, (std::vector<std::int64_t>{1, 2, 4, 8, 256, 512, 900, 900, 900}));
  EXPECT_FALSE(is_over({1'000}, {1'000 + 3LL * 86'400'000 - 1}));
  EXPECT_TRUE(is_over({1'000}, {1'000 + 3LL * 86'400'000}));
}

TEST(Entries, are_read_as_they_were_written) {
  Delivery delivery{
      .number = 1'700'000'000'000'001, .queued_at = {5}, .line = "ledger add u 1 {\"a\": \"b c\"}"};
  auto read = parse_waiting(waiting_entry(delivery));
  EXPECT_EQ(read.number, delivery.number);
  EXPECT_EQ(read.queued_at, delivery.queued_at);
  EXPECT_EQ(read.line, delivery.line);
  delivery.attempts = 3;
  delivery.status = 503;
  delivery.why = "the receiver answered 503";
  delivery.finished_at = TimeMs{9};
  add_trouble(read, trouble_entry(delivery));
  EXPECT_EQ(read.attempts, 3);
  EXPECT_EQ(read.status, 503);
  EXPECT_EQ(read.why, delivery.why);
  Delivery other{.number = 7};
  add_trouble(other, trouble_entry(delivery));
  EXPECT_EQ(other.attempts, 0);
  auto const made = parse_delivered(delivered_entry(delivery));
  EXPECT_EQ(made.finished_at, delivery.finished_at);
  EXPECT_EQ(made.line, delivery.line);
  EXPECT_THROW(parse_waiting("x 1 y"), std::runtime_error);
}

}  // namespace larder::webhooks
