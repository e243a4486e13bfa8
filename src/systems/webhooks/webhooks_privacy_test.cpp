#include "systems/webhooks/webhooks_privacy.hpp"

#include "kit/events/events_scripts.hpp"
#include "systems/webhooks/delivery.hpp"
#include "systems/webhooks/feed_follower.hpp"
#include "systems/webhooks/webhooks_scripts.hpp"
#include "systems/webhooks/webhooks_test.hpp"

namespace larder::webhooks {

// Nothing delivers here, so deliveries wait.
class WebhooksPrivacyTest : public WebhooksTest {
 protected:
  UserId const ada = UserId::from("80351110229911077").value();

  std::size_t catch_up(Webhook const& webhook, std::size_t count) {
    EXPECT_TRUE(eventually([&] {
      run(follower.round());
      return deliveries(webhook).size() >= count;
    }));
    return deliveries(webhook).size();
  }
  std::vector<std::string> exported() {
    std::vector<std::string> lines;
    run(export_user(redis, sql, ada, [&](std::string_view section, json::object object) {
      EXPECT_EQ(section, "deliveries");
      lines.push_back(json::value_to<std::string>(object.at("state")));
    }));
    std::ranges::sort(lines);
    return lines;
  }
  bool is_anywhere(std::string_view word) {
    auto const keys = cli({"EVAL",
                           "local out = {} for _, key in ipairs(redis.call('KEYS', '*')) do "
                           "if redis.call('TYPE', key).ok == 'zset' then "
                           "out[#out + 1] = table.concat(redis.call('ZRANGE', key, 0, -1), ' ') end end "
                           "return table.concat(out, ' ')",
                           "0"});
    return keys.contains(word);
  }

  WebhookList list{sql};
  FeedFollower follower{redis, list, clock, 1000, metrics, [] {}, 50ms};
};

TEST_F(WebhooksPrivacyTest, deliveries_about_a_forgotten_user_go_and_all_others_stay) {
  auto const webhook = make();
  tell(ada.str(), "1");
  tell("bob", "2");
  tell("bob", "a gift for " + ada.str() + "!");
  tell("bob", "1" + ada.str());  // another id
  ASSERT_EQ(catch_up(webhook, 4), 4U);
  auto const waiting = deliveries(webhook);
  // One delivery was made, and one is dead.
  WebhookKeys const keys(webhook.id);
  auto made = waiting.back();
  made.finished_at = clock.now();
  cli({"ZADD", keys.delivered, std::to_string(made.number), delivered_entry(made)});
  sql.write_now([&](sql::Session& session) {
    insert_dead(session, webhook.id, {waiting[1], waiting[0]}, clock.now());
  });
  EXPECT_EQ(exported(), (std::vector<std::string>{"dead", "delivered", "waiting", "waiting"}));

  run(forget_user(redis, sql, ada));
  EXPECT_EQ(exported(), std::vector<std::string>{});
  EXPECT_FALSE(is_anywhere(" " + ada.str() + " "));
  EXPECT_FALSE(is_anywhere("for " + ada.str()));
  auto const left = deliveries(webhook);
  ASSERT_EQ(left.size(), 2U);
  EXPECT_TRUE(left[0].line.contains("1" + ada.str()));
  EXPECT_TRUE(left[1].line.contains("\"2\""));
  run(forget_user(redis, sql, ada));
  EXPECT_EQ(deliveries(webhook).size(), 2U);
}

TEST_F(WebhooksPrivacyTest, the_feed_is_forgotten_only_when_webhooks_have_it_and_they_notice_no_gap) {
  auto const webhook = make();
  tell(ada.str(), "1");
  auto const forget = [&](std::string const& last) {
    return std::string(
        run(redis.run(redis::Use::idempotent_write, events::scripts::feed_forget(last))).text());
  };
  auto const last = forget("");
  EXPECT_NE(last, "");
  ASSERT_EQ(catch_up(webhook, 1), 1U);
  tell("bob", "1");
  EXPECT_EQ(forget(last), last) << "this pack shows the follower that nothing is missing";
  ASSERT_EQ(catch_up(webhook, 2), 2U);
  tell("bob", "1");
  EXPECT_EQ(forget(last), "") << "although the follower does not have the newest pack";
  EXPECT_FALSE(cli({"XRANGE", std::string(events::feed_key), "-", "+"}).contains(ada.str()));
  tell("bob", "2");
  ASSERT_EQ(catch_up(webhook, 4), 4U);
  EXPECT_TRUE(deliveries(webhook)[0].line.contains("\"2\"")) << "no gap";
  run(events::forget_feed(redis));
}

TEST_F(WebhooksPrivacyTest, without_webhooks_the_feed_is_dropped) {
  cli({"SET", std::string(events::feed_wanted_key), "1"});
  tell(ada.str(), "1");
  run(events::forget_feed(redis));
  EXPECT_EQ(cli({"EXISTS", std::string(events::feed_key)}), "0");
}

}  // namespace larder::webhooks
