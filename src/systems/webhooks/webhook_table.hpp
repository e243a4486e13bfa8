// Webhooks and dead deliveries in SQL.
#pragma once

#include "stores/sql/database.hpp"
#include "systems/webhooks/webhook_types.hpp"

#include <vector>

namespace larder::webhooks {

void migrate_webhooks(sql::Database& sql);

// Jobs of the Database.
std::vector<Webhook> list_webhooks(sql::Session& session);  // oldest first
std::optional<Webhook> find_webhook(sql::Session& session, std::string const& id);
// Refusal: too_many_webhooks.
Result<Webhook> insert_webhook(sql::Session& session, Webhook webhook);
// Refusal: webhook_not_found.
Result<Webhook> change_webhook(sql::Session& session, std::string const& id, WebhookChange const& change);
bool delete_webhook(sql::Session& session, std::string const& id);

// Ignores deliveries that are there already. Forgets those that have been dead for too long.
void insert_dead(sql::Session& session, std::string const& webhook, std::vector<Delivery> const& dead,
                 TimeMs now);
// Newest first: those with a smaller number than `below`.
std::vector<Delivery> list_dead(sql::Session& session, std::string const& webhook, DeliveryNumber below,
                                std::int64_t limit);
void delete_dead(sql::Session& session, std::string const& webhook, DeliveryNumber number);

}  // namespace larder::webhooks
