// The keys of an account carry the end of its type, and so do the orders of what is open. When that changes,
// they have to be told.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"

namespace larder::ledger {

// Every account of the type that the journal knows, with the end that SQL has. May be repeated, and run at
// the same time for another change: what is there at last is the newest end.
Task<void> renew_expiry(redis::Redis& redis, Journal& journal, Keys const& keys, TypeId id);

}  // namespace larder::ledger
