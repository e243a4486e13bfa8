// Deletes realms: first a realm is closed, in one step; then its data is deleted in portions, in Redis and in
// SQL. Each portion may be repeated, so any server can continue where another one died.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/economy_journal.hpp"
#include "systems/economy/realm.hpp"

#include <functional>

namespace larder::economy {

inline constexpr std::string_view closing_key = "{larder}:economy:closing";  // a set of closed realms

// Returns false if Redis does not have the realm. A realm that is already closed stays closed.
Task<bool> close_realm(redis::Redis& redis, RealmId realm);
// Tells the servers that there is a realm to delete. A realm that is not closed is left alone.
Task<void> announce_closed(redis::Redis& redis, RealmId const& realm);
Task<bool> is_closed(redis::Redis& redis, RealmKeys const& keys);
Task<std::vector<RealmId>> closed_realms(redis::Redis& redis);

// Deletes a closed realm. Returns false if some of its events are not in SQL yet, or if `stopping`, which is
// asked before each portion, ended it: then call it again later. Answers under idempotency keys and roulettes
// stay until they expire.
Task<bool> delete_closed_realm(
    redis::Redis& redis, EconomyJournal& journal, RealmId realm,
    std::function<bool()> stopping = [] { return false; });

}  // namespace larder::economy
