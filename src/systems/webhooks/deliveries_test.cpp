#include "base/hash.hpp"
#include "stores/redis/slot.hpp"
#include "systems/webhooks/webhook_rules.hpp"
#include "systems/webhooks/webhooks_test.hpp"

namespace larder::webhooks {

using Texts = std::vector<std::string>;

class DeliveriesTest : public WebhooksTest {};

TEST_F(DeliveriesTest, sends_the_event_signed_and_once) {
  auto const webhook = make();
  start();
  tell("ada", "1");
  ASSERT_TRUE(eventually([&] { return !deliveries(webhook, Delivery::State::delivered).empty(); }));
  ASSERT_EQ(receiver.received.size(), 1U);
  auto const& request = receiver.received[0];
  EXPECT_EQ(request.body,
            R"({"system":"ledger","type":"add","user_id":"ada","at":"2027-01-15T08:00:00.000Z",)"
            R"("data":{"n":"1"}})");
  EXPECT_TRUE(request.head.starts_with("POST /hook?a=b HTTP/1.1\r\nHost: 127.0.0.1:"));
  EXPECT_EQ(request.field("Larder-Signature"),
            "t=1800000000,v1=" + hmac_sha256_hex(webhook.secret, "1800000000." + request.body));
  EXPECT_EQ(request.field("Larder-Webhook"), webhook.id);
  EXPECT_EQ(request.field("Content-Type"), "application/json");
  auto const made = deliveries(webhook);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(request.field("Larder-Delivery"), std::to_string(made[0].number));
  EXPECT_EQ(made[0].status, 200);
  EXPECT_EQ(made[0].attempts, 1);
  EXPECT_TRUE(deliveries(webhook, Delivery::State::waiting).empty());
}

TEST_F(DeliveriesTest, sends_each_webhook_what_its_filter_lets_through) {
  auto const ledger = make({.systems = {"ledger"}, .types = {}, .realms = {}});
  auto const other = make({.systems = {"messages"}, .types = {}, .realms = {}});
  start();
  tell("ada", "1");
  tell("ada", "2", Scope::messages);
  tell("ada", "3");
  ASSERT_TRUE(eventually([&] { return receiver.received.size() == 3; }));
  ASSERT_TRUE(eventually([&] { return deliveries(ledger, Delivery::State::delivered).size() == 2; }));
  for (auto const& request : receiver.received)
    EXPECT_EQ(request.field("Larder-Webhook"), request.text() == "2" ? other.id : ledger.id);
}

TEST_F(DeliveriesTest, keeps_the_order_of_a_user_through_failures_and_delays_no_other_lane) {
  auto const webhook = make();
  int refusals = 3;
  receiver.answer = [&](Received const& request) {
    if (request.text() != "a1" || refusals-- <= 0) return Receiver::ok;
    return std::string("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
  };
  start();
  ASSERT_NE(redis::crc16("ada") % 8, redis::crc16("bob") % 8);
  for (auto const* text : {"a1", "a2", "a3"}) tell("ada", text);
  for (auto const* text : {"b1", "b2"}) tell("bob", text);
  ASSERT_TRUE(eventually([&] { return deliveries(webhook, Delivery::State::delivered).size() == 2; }));
  auto const waiting = deliveries(webhook, Delivery::State::waiting);
  ASSERT_EQ(waiting.size(), 3U);
  EXPECT_EQ(waiting.back().attempts, 1);
  EXPECT_EQ(waiting.back().status, 500);
  EXPECT_EQ(waiting.back().why, "the receiver answered 500");
  EXPECT_EQ(waiting.front().attempts, 0);
  ASSERT_TRUE(eventually_later([&] { return deliveries(webhook, Delivery::State::delivered).size() == 5; }));
  Texts of_ada;
  for (auto const& text : receiver.texts()) {
    if (text.starts_with('a')) of_ada.push_back(text);
  }
  EXPECT_EQ(of_ada, (Texts{"a1", "a1", "a1", "a1", "a2", "a3"}));
  EXPECT_EQ(deliveries(webhook).at(deliveries(webhook).size() - 1).attempts, 4);
}

TEST_F(DeliveriesTest, uses_a_connection_again_and_survives_its_end) {
  auto const webhook = make();
  int count = 0;
  receiver.answer = [&](Received const&) {
    return ++count == 3 ? std::string("HTTP/1.1 204 No\r\nConnection: close\r\n\r\n") : Receiver::ok;
  };
  for (int i = 0; i < 6; ++i) tell("ada", std::to_string(i));
  start();
  ASSERT_TRUE(eventually([&] { return deliveries(webhook, Delivery::State::delivered).size() == 6; }));
  EXPECT_EQ(receiver.texts(), (Texts{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(receiver.connections, 2);
}

TEST_F(DeliveriesTest, takes_strange_answers_for_what_they_are) {
  struct Case {
    std::string answer;
    bool delivered;
  };
  std::vector<Case> const cases = {
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Yes\r\nContent-Length: 0\r\n\r\n", true},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", true},
      {"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\nx", true},
      {"HTTP/1.0 200\r\n\r\nanything", true},
      {"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n", false},
      {"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", false},
      {"nonsense\r\n\r\nConnection: close", false},
      {"HTTP/1.1 99 x\r\n\r\nConnection: close", false},
      {"X: " + std::string(20'000, 'x') + "Connection: close", false}};
  auto const webhook = make();
  start();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    receiver.answer = [&](Received const&) { return cases[i].answer; };
    auto const before = receiver.received.size();
    auto const good = deliveries(webhook, Delivery::State::delivered).size();
    tell("user" + std::to_string(i), std::to_string(i));
    ASSERT_TRUE(eventually([&] { return receiver.received.size() > before; })) << cases[i].answer;
    if (cases[i].delivered) {
      ASSERT_TRUE(eventually([&] { return deliveries(webhook, Delivery::State::delivered).size() > good; }))
          << cases[i].answer;
    } else {
      ASSERT_TRUE(eventually([&] {
        auto const waiting = deliveries(webhook, Delivery::State::waiting);
        return !waiting.empty() && waiting.front().attempts == 1;
      })) << cases[i].answer.substr(0, 100);
      receiver.answer = [](Received const&) { return Receiver::ok; };
      ASSERT_TRUE(eventually_later([&] { return deliveries(webhook, Delivery::State::waiting).empty(); }));
    }
  }
}

TEST_F(DeliveriesTest, a_delivery_dies_after_three_days_is_listed_and_can_be_replayed) {
  auto const webhook = make();
  receiver.answer = [](Received const&) {
    return std::string("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
  };
  start();
  tell("ada", "1");
  tell("ada", "2");
  ASSERT_TRUE(
      eventually_later([&] { return deliveries(webhook, Delivery::State::dead).size() == 2; }, 3'600'000));
  auto const dead = deliveries(webhook);
  ASSERT_EQ(dead.size(), 2U);
  EXPECT_GT(dead[1].attempts, 1);
  EXPECT_EQ(dead[1].why, "the receiver answered 503");
  EXPECT_GE(*dead[1].finished_at - dead[1].queued_at, 3 * day_ms);
  EXPECT_EQ(cli({"KEYS", "{larder}:webhook:*"}), "");
  EXPECT_NE(metrics.text().find("larder_webhook_dead_total 2"), std::string::npos);

  receiver.answer = [](Received const&) { return Receiver::ok; };
  auto const replayed = run(webhooks.replay(webhook.id, dead[1].number)).value();
  EXPECT_EQ(replayed.state, Delivery::State::waiting);
  ASSERT_TRUE(eventually([&] { return deliveries(webhook, Delivery::State::delivered).size() == 1; }));
  EXPECT_EQ(receiver.texts().back(), "1");
  EXPECT_EQ(deliveries(webhook, Delivery::State::dead).size(), 1U);
  auto const count = receiver.received.size();
  run(webhooks.replay(webhook.id, dead[1].number)).value();
  ASSERT_TRUE(eventually([&] { return receiver.received.size() == count + 1; }));
  auto const unknown = run(webhooks.replay(webhook.id, 7));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, errors::delivery_not_found);
}

TEST_F(DeliveriesTest, tries_at_once_after_a_change_of_the_url) {
  auto const webhook = make();
  receiver.answer = [](Received const&) {
    return std::string("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
  };
  start();
  tell("ada", "1");
  ASSERT_TRUE(eventually([&] { return deliveries(webhook)[0].attempts == 1; }));
  Receiver other(io);
  ASSERT_TRUE(run(webhooks.change(webhook.id, {.url = other.url()})));
  ASSERT_TRUE(eventually([&] { return other.received.size() == 1; }));
}

TEST_F(DeliveriesTest, leaves_no_key_when_the_last_webhook_is_deleted) {
  auto const webhook = make();
  receiver.answer = [](Received const&) {
    return std::string("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
  };
  start();
  tell("ada", "1");
  ASSERT_TRUE(eventually([&] { return receiver.received.size() == 1; }));
  ASSERT_TRUE(run(webhooks.remove(webhook.id)));
  EXPECT_FALSE(run(webhooks.remove(webhook.id)));
  ASSERT_TRUE(eventually([&] {
    return cli({"EXISTS", "{larder}:events:followed", "{larder}:webhooks:due",
                "{larder}:webhooks:due:failures"}) == "0";
  }));
  EXPECT_EQ(cli({"KEYS", "{larder}:webhook:*"}), "");
  tell("ada", "2");
  EXPECT_EQ(cli({"EXISTS", "{larder}:events"}), "0");  // nobody wants the feed any more
}

TEST_F(DeliveriesTest, a_receiver_that_hangs_delays_no_other_webhook_and_no_stop) {
  auto const hanging = make();
  Receiver other(io);
  receiver.answer = [](Received const&) { return std::string(); };
  ASSERT_TRUE(run(webhooks.create({.url = other.url(), .filter = {}})));
  start();
  for (int i = 0; i < 20; ++i) tell("u" + std::to_string(i), std::to_string(i));
  ASSERT_TRUE(eventually([&] { return other.received.size() == 20; }));
  EXPECT_TRUE(deliveries(hanging, Delivery::State::delivered).empty());
  run(background.stop());
  started = false;
  EXPECT_EQ(deliveries(hanging, Delivery::State::waiting).size(), 20U);
}

TEST_F(DeliveriesTest, refuses_addresses_that_are_not_allowed) {
  for (auto const* url :
       {"http://127.0.0.2/", "http://[::1]/", "http://10.0.0.1/", "http://169.254.169.254/x",
        "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/", "http://2130706434/", "http://127.2/"}) {
    auto const made = run(webhooks.create({.url = url, .filter = {}}));
    ASSERT_FALSE(made) << url;
    EXPECT_EQ(made.error().code, errors::address_not_allowed) << url;
  }
  EXPECT_TRUE(run(webhooks.list()).empty());
}

TEST_F(DeliveriesTest, checks_the_address_again_at_each_delivery) {
  auto const webhook = make();
  sql.write_now(
      [](sql::Session& session) { session.execute("UPDATE webhook SET url = 'http://127.0.0.2:9/'"); });
  start();
  tell("ada", "1");
  ASSERT_TRUE(eventually([&] { return deliveries(webhook)[0].attempts == 1; }));
  EXPECT_NE(deliveries(webhook)[0].why.find("not allowed"), std::string::npos);
}

class CrowdedTest : public WebhooksTest {
 protected:
  CrowdedTest() : WebhooksTest({}, 10) {}
};

TEST_F(CrowdedTest, the_oldest_deliveries_die_if_too_many_wait_and_none_is_forgotten) {
  auto const webhook = make();
  receiver.answer = [](Received const&) {
    return std::string("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
  };
  start();
  for (int i = 0; i < 250; ++i) tell("u" + std::to_string(i % 20), std::to_string(i));
  ASSERT_TRUE(eventually([&] {
    return deliveries(webhook, Delivery::State::dead).size() == 240 &&
           deliveries(webhook, Delivery::State::waiting).size() == 10;
  }));
  auto const all = deliveries(webhook);
  EXPECT_EQ(all.size(), 250U);
  EXPECT_EQ(all[0].state, Delivery::State::waiting);
  EXPECT_EQ(all[9].state, Delivery::State::waiting);
  EXPECT_EQ(all[10].why, "more than 10 deliveries waited");
}

}  // namespace larder::webhooks
