// The keys of an account carry the end of its type. When that changes, they have to be told.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"

namespace larder::ledger {

// Every account of the type that the journal knows. May be repeated.
Task<void> renew_expiry(redis::Redis& redis, Journal& journal, Keys const& keys, ScoreType type);

}  // namespace larder::ledger
