// The accounts in Redis. Each change is one script, which also appends the event of the change to the outbox.
#pragma once

#include "base/task.hpp"
#include "kit/accounts/account_keys.hpp"
#include "kit/accounts/account_types.hpp"
#include "kit/accounts/player_names.hpp"
#include "stores/redis/redis.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace larder::accounts {

// Thread-compatible, like the Redis it uses. Throws what Redis throws. Every change may be repeated after a
// lost answer: it takes effect once.
class AccountStore {
 public:
  // `on_event` is called after each change that may have appended an event.
  AccountStore(redis::Redis& redis, std::function<void()> on_event = {})
      : redis_(redis), keys_(redis.is_cluster()), on_event_(std::move(on_event)) {}

  Task<std::optional<Account>> find(UserId id);
  // Always asks Redis the same two questions, so an unknown name takes as long as a known one.
  Task<std::optional<Account>> find_by_name(std::string name_key);
  // Whether Redis has the account in this state or a newer one, and its name leads to it.
  Task<bool> has(Account account);
  Task<bool> is_taken(std::string name_key);

  // Refusal: username_taken. Of two calls with the same name at the same time, one succeeds.
  Task<Result<void>> add(Account account, std::string name_key);

  // Each of these ends the account's sessions and returns its new generation. Refusal: account_not_found.
  // With `expected`, the account must have this hash now; otherwise the refusal is wrong_credentials.
  Task<Result<std::int64_t>> set_password(UserId id, std::string hash, std::string expected, TimeMs now);
  // Returns the present generation if the account is disabled or enabled already.
  Task<Result<std::int64_t>> set_disabled(UserId id, bool disabled, TimeMs now);
  Task<Result<std::int64_t>> end_sessions(UserId id);
  // Ends one session.
  Task<void> end_session(std::string session_id);
  // See AccountKeys::deletions(). An account that no longer exists is not refused if an earlier attempt of
  // this call may have deleted it.
  Task<Result<std::int64_t>> remove(Account account, std::string expected, TimeMs now);

  // For an account that is gone: every system that keeps something about the player forgets it again.
  Task<void> schedule_deletion(UserId id, TimeMs now);
  // The account gets at least this generation. Returns its generation; 0 if there is no such account. For a
  // server that knows of ended sessions that this Redis, an older copy, does not know of.
  Task<std::int64_t> raise_generation(UserId id, std::int64_t at_least);

  AccountKeys const& keys() const { return keys_; }

 private:
  Task<redis::Reply> change(redis::ScriptCall call);

  redis::Redis& redis_;
  AccountKeys keys_;
  std::function<void()> on_event_;
};

}  // namespace larder::accounts
