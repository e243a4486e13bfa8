// Reads accounts from Redis.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_state.hpp"

namespace larder::ledger {

struct StoredAccount {
  AccountState state;
  std::optional<TimeMs> next_due;  // when the account changes by itself
  std::int64_t ends_revision = 0;  // of the type: see ScoreType
};

// Reads the account in one atomic step. Does not settle it. Throws LostError if this Redis has lost data: a
// missing balance is not zero.
Task<StoredAccount> read_account(redis::Redis& redis, Keys const& keys, Account const& account);

}  // namespace larder::ledger
