// Exports and forgets what webhooks have of a user: copies of events.
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"

namespace larder::webhooks {

// Events that name the user: deliveries that wait, were made or are dead.
Task<void> export_user(redis::Redis& redis, sql::Database& sql, UserId user, privacy::ExportTo to);

// Removes these deliveries. So events about the user that were not delivered yet never are. Can be repeated.
Task<void> forget_user(redis::Redis& redis, sql::Database& sql, UserId user);

}  // namespace larder::webhooks
