// Compares the accounts in Redis with those in SQL, and brings back accounts that Redis has lost.
#pragma once

#include "kit/accounts/account_store.hpp"
#include "stores/sql/database.hpp"

#include <functional>
#include <string>

namespace larder::accounts {

// Whether SQL has accounts, but this Redis has lost them or never had any. Then names would seem to be free.
// Also true after a rebuild that was cut off.
Task<bool> is_lost(redis::Redis& redis, sql::Database& sql);
// Whether SQL has events that this Redis has never had, so that this Redis is an older copy.
Task<bool> is_behind(redis::Redis& redis, sql::Database& sql);
// Whether a rebuild would bring back an account. Reads all accounts.
Task<bool> is_incomplete(redis::Redis& redis, sql::Database& sql);

struct RebuildReport {
  std::int64_t accounts = 0;   // that were restored
  std::int64_t deletions = 0;  // deleted accounts whose ids are in the due set again
  std::int64_t problems = 0;
};
struct RebuildOptions {
  std::function<void(std::string const&)> problem = {};  // one line
  std::function<void(RebuildReport const&)> progress = {};
};
// For a Redis that has lost accounts, or has an older state of them, while no server uses it. Events that
// wait in the outbox reach SQL first. An account that Redis has is left alone. An account whose name now
// belongs to another account is a problem: it is not restored. The ids of all deleted accounts are due again;
// see AccountKeys::deletions(). If anything is restored, every session ends, because the session keys are
// replaced. If it is cut off, run it again. Afterwards is_lost() is false, even if there were problems.
// Throws StoreError.
Task<RebuildReport> rebuild(redis::Redis& redis, sql::Database& sql, Clock const& clock,
                            RebuildOptions options = {});

struct VerifyReport {
  std::int64_t accounts = 0;  // compared
  std::int64_t differences = 0;
};
struct VerifyOptions {
  std::function<void(std::string const&)> difference = {};  // one line, without the hash
  std::function<void(VerifyReport const&)> progress = {};
  // Called before differences are checked again: waits until the events that are in the outbox now are in
  // SQL. Empty: verify() does not wait. Servers may change accounts meanwhile.
  std::function<Task<void>()> settle = {};
};
// Compares every account of SQL with Redis, and every account and every name of Redis with SQL. The
// generation in Redis may be higher, because it also grows without an event. Throws StoreError.
Task<VerifyReport> verify(redis::Redis& redis, sql::Database& sql, VerifyOptions options = {});

}  // namespace larder::accounts
