#include "systems/webhooks/feed_follower.hpp"

#include "base/random.hpp"
#include "systems/webhooks/delivery.hpp"
#include "systems/webhooks/webhooks_test.hpp"

#include <fmt/ranges.h>

namespace larder::webhooks {

using Texts = std::vector<std::string>;

// Nothing delivers here: the queues show what the followers have done.
class FeedFollowerTest : public WebhooksTest {
 protected:
  struct Server {
    explicit Server(FeedFollowerTest& test)
        : list(test.sql), follower(test.redis, list, test.clock, 1000, test.metrics, [] {}, 50ms) {}
    WebhookList list;
    FeedFollower follower;
  };

  // In the order of their numbers.
  Texts queued(Webhook const& webhook) {
    Texts texts;
    auto const waiting = deliveries(webhook, Delivery::State::waiting);
    for (auto each = waiting.rbegin(); each != waiting.rend(); ++each) {
      auto const data = json::parse(events::parse_line(each->line).value().data).as_object();
      texts.push_back(json::value_to<std::string>(data.contains("n") ? data.at("n") : data.at("after")));
    }
    return texts;
  }
  bool catch_up(Server& server, Webhook const& webhook, std::size_t count) {
    return eventually([&] {
      run(server.follower.round());
      return queued(webhook).size() >= count;
    });
  }
  // As a Redis that has lost the oldest packs.
  std::string newest_pack() {
    auto const lines = cli({"XREVRANGE", std::string(events::feed_key), "+", "-", "COUNT", "1"});
    return lines.substr(0, lines.find('\n'));
  }
};

TEST_F(FeedFollowerTest, queues_what_happens_after_a_webhook_was_made) {
  cli({"SET", std::string(events::feed_wanted_key), "1"});
  tell("ada", "before");
  Server server(*this);
  run(server.follower.round());  // knows the webhooks as they were
  auto const webhook = make();
  tell("ada", "1");
  tell("bob", "2");
  ASSERT_TRUE(catch_up(server, webhook, 2));
  EXPECT_EQ(queued(webhook), (Texts{"1", "2"}));
  cli({"DEL", std::string(events::feed_wanted_key)});
  tell("ada", "3");  // the webhook alone keeps the feed wanted
  ASSERT_TRUE(catch_up(server, webhook, 3));
  auto const second = make();
  tell("ada", "4");
  ASSERT_TRUE(catch_up(server, webhook, 4));
  EXPECT_EQ(queued(second), Texts{"4"});
}

TEST_F(FeedFollowerTest, several_servers_queue_each_event_once_whichever_dies) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  auto const webhook = make();
  std::vector<std::unique_ptr<Server>> servers;
  for (int i = 0; i < 3; ++i) servers.push_back(std::make_unique<Server>(*this));
  Texts all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(std::to_string(i));
    tell("u" + std::to_string(random.below(5)), all.back());
    auto const chosen = random.below(servers.size());
    if (random.chance(1, 10)) servers[chosen] = std::make_unique<Server>(*this);  // a new server in its place
    if (random.chance(1, 2)) run(servers[chosen]->follower.round());
  }
  ASSERT_TRUE(eventually([&] {
    for (auto& server : servers) run(server->follower.round());
    return queued(webhook).size() >= all.size();
  }));
  EXPECT_EQ(queued(webhook), all);
}

TEST_F(FeedFollowerTest, a_call_that_comes_twice_or_too_late_queues_nothing) {
  auto const webhook = make();
  auto const place = cli({"GET", std::string(events::feed_followed_key)});
  auto const revision = cli({"HGET", std::string(state_key), "revision"});
  tell("ada", "1");
  std::vector<std::string> const ids{webhook.id};
  std::vector<Queued> const queue{{.webhook = 0, .lane = 0, .line = R"(ledger add ada 1 {"n":"1"})"}};
  auto const call = [&](std::string const& as_of) {
    return run(redis.run(redis::Use::write,
                         scripts::webhooks_enqueue(as_of, place, newest_pack(), clock.now(), 10, ids, queue)))
        .integer();
  };
  EXPECT_EQ(call("1"), 0);
  EXPECT_EQ(queued(webhook), Texts{});
  EXPECT_EQ(call(revision), 1);
  EXPECT_EQ(call(revision), 0);
  EXPECT_EQ(queued(webhook), Texts{"1"});
}

TEST_F(FeedFollowerTest, the_feed_keeps_what_was_not_followed_yet) {
  auto const webhook = make();
  auto const place = cli({"GET", std::string(events::feed_followed_key)});
  tell("ada", "first");
  cli({"EVAL", "for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], '*', 'events', '') end", "1",
       std::string(events::feed_key), std::to_string(limits::feed_packs_max + 500)});
  tell("ada", "last");
  auto const oldest = cli({"XRANGE", std::string(events::feed_key), "-", "+", "COUNT", "1"});
  EXPECT_TRUE(oldest.starts_with(place)) << oldest;
  Server server(*this);
  ASSERT_TRUE(catch_up(server, webhook, 2));
  EXPECT_EQ(queued(webhook), (Texts{"first", "last"}));
  tell("ada", "more");
  EXPECT_LE(std::stoi(cli({"XLEN", std::string(events::feed_key)})), limits::feed_packs_max + 100);
}

TEST_F(FeedFollowerTest, a_gap_is_told_and_counted) {
  auto const webhook = make({.systems = {"economy"}, .types = {}, .realms = {}});
  auto const place = cli({"GET", std::string(events::feed_followed_key)});
  tell("ada", "lost", Scope::economy);
  tell("ada", "kept", Scope::economy);
  cli({"XTRIM", std::string(events::feed_key), "MAXLEN", "1"});
  Server server(*this);
  ASSERT_TRUE(catch_up(server, webhook, 2));
  EXPECT_EQ(queued(webhook), (Texts{place, "kept"}));
  EXPECT_NE(metrics.text().find("larder_webhook_gaps_total 1"), std::string::npos);
}

TEST_F(FeedFollowerTest, follows_again_after_redis_was_emptied) {
  auto const webhook = make();
  Server server(*this);
  run(server.follower.round());
  cli({"FLUSHALL"});
  run(server.follower.round());
  tell("ada", "1");
  ASSERT_TRUE(catch_up(server, webhook, 1));
  EXPECT_EQ(queued(webhook), Texts{"1"});
}

}  // namespace larder::webhooks
