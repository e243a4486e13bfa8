// A Redis that has lost its data must not pass for an empty one.
#pragma once

#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"

namespace larder::ledger {

// Whether the journal has flows, but this Redis has never had any: the Redis is new,
// or it has lost everything.
Task<bool> is_lost(redis::Redis& redis, Journal& journal, Keys const& keys);

}  // namespace larder::ledger
