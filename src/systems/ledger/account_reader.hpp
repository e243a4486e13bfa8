// Accounts as Redis has them.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_state.hpp"

namespace larder::ledger {

struct StoredAccount {
  AccountState state;
  std::optional<TimeMs> next_due;  // when it changes by itself
};

// In one moment; nothing is settled.
Task<StoredAccount> read_account(redis::Redis& redis, Keys const& keys, Account const& account);

}  // namespace larder::ledger
