#include "systems/webhooks/webhook_table.hpp"

#include "base/limits.hpp"
#include "support/sql_databases.hpp"

namespace larder::webhooks {

class WebhookTableTest : public test::OnEachDatabase {};
LARDER_ON_EACH_DATABASE(WebhookTableTest);

TEST_P(WebhookTableTest, keeps_webhooks_and_dead_deliveries) {
  Metrics metrics;
  sql::Database sql(url, 2, metrics);
  migrate_webhooks(sql);
  sql.write_now([](sql::Session& session) {
    Webhook const made{.id = "a1",
                       .url = "http://x/",
                       .secret = "s",
                       .filter = {.systems = {"ledger", "economy"}, .types = {}, .realms = {"r"}},
                       .created_at = {5}};
    ASSERT_TRUE(insert_webhook(session, made));
    auto const found = find_webhook(session, "a1");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->filter, made.filter);
    ASSERT_TRUE(change_webhook(session, "a1", {.systems = Words(), .types = Words{"add"}}));
    EXPECT_EQ(list_webhooks(session).at(0).filter,
              (Filter{.systems = {}, .types = {"add"}, .realms = {"r"}}));
    EXPECT_FALSE(change_webhook(session, "b", {}));
    std::vector<Delivery> const dead{
        {.number = 1'700'000'000'000'001, .queued_at = {5}, .line = "x"},
        {.number = 1'700'000'000'000'002, .queued_at = {5}, .why = "\u00fc", .line = "y"}};
    insert_dead(session, "a1", dead, {10});
    insert_dead(session, "a1", dead, {10});
    auto const all = list_dead(session, "a1", limits::amount_max, 10);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].line, "y");
    EXPECT_EQ(all[0].why, "\u00fc");
    EXPECT_EQ(list_dead(session, "a1", all[0].number, 10).size(), 1U);
    delete_dead(session, "a1", all[0].number);
    EXPECT_EQ(list_dead(session, "a1", limits::amount_max, 10).size(), 1U);
    insert_dead(session, "a1", {{.number = 9, .queued_at = {5}, .line = "z"}},
                {11 + limits::webhook_dead_kept_ms});
    EXPECT_EQ(list_dead(session, "a1", limits::amount_max, 10).size(), 1U);
    for (std::size_t i = 1; i < limits::webhooks_max; ++i)
      ASSERT_TRUE(insert_webhook(
          session,
          {.id = "b" + std::to_string(i), .url = "u", .secret = "s", .filter = {}, .created_at = {6}}));
    EXPECT_FALSE(
        insert_webhook(session, {.id = "c", .url = "u", .secret = "s", .filter = {}, .created_at = {6}}));
    EXPECT_TRUE(delete_webhook(session, "a1"));
    EXPECT_FALSE(delete_webhook(session, "a1"));
    EXPECT_TRUE(list_dead(session, "a1", limits::amount_max, 10).empty());
  });
}

}  // namespace larder::webhooks
