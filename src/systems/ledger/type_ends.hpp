// The end of a type is in the expiry of its accounts' keys, and of the orders of open holds and transfers.
// When the end changes, all of these keys have to change.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"

namespace larder::ledger {

// Gives all accounts of the type that the journal knows the end that SQL has. May be repeated, and may run
// concurrently for another change: in the end, all keys have the newest end. Throws StoreError if the
// projector is too far behind, and std::runtime_error for an unknown type.
Task<void> renew_expiry(redis::Redis& redis, Journal& journal, Keys const& keys, TypeId id);

}  // namespace larder::ledger
