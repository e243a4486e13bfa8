#include "kit/accounts/accounts_scripts.hpp"

#include "base/limits.hpp"
#include "kit/accounts/player_names.hpp"
#include "larder_accounts_scripts.hpp"

namespace larder::accounts::scripts {

redis::ScriptCall register_account(AccountKeys const& keys, Account const& account,
                                   std::string_view name_key) {
  return redis::ScriptCall(lua::register_account)
      .keys(AccountKeys::outbox(), keys.username(name_key), keys.user(account.id))
      .args(account.id, account.username, account.hashed_password, account.created_at);
}

redis::ScriptCall set_password(AccountKeys const& keys, UserId const& id, std::string_view hash,
                               std::string_view expected, TimeMs now) {
  return redis::ScriptCall(lua::set_password)
      .keys(AccountKeys::outbox(), AccountKeys::revoked(), keys.user(id))
      .args(hash, expected, now, limits::revocations_kept_ms);
}

redis::ScriptCall set_disabled(AccountKeys const& keys, UserId const& id, bool disabled, TimeMs now) {
  return redis::ScriptCall(lua::set_disabled)
      .keys(AccountKeys::outbox(), AccountKeys::revoked(), keys.user(id))
      .args(disabled, now, limits::revocations_kept_ms);
}

redis::ScriptCall end_sessions(AccountKeys const& keys, UserId const& id) {
  return redis::ScriptCall(lua::end_sessions)
      .keys(AccountKeys::revoked(), keys.user(id))
      .args(limits::revocations_kept_ms);
}

redis::ScriptCall revoke_session(std::string_view session_id) {
  return redis::ScriptCall(lua::revoke_session)
      .keys(AccountKeys::revoked())
      .args(session_id, limits::revocations_kept_ms);
}

redis::ScriptCall delete_account(AccountKeys const& keys, Account const& account, std::string_view expected,
                                 TimeMs now) {
  return redis::ScriptCall(lua::delete_account)
      .keys(AccountKeys::outbox(), AccountKeys::revoked(), keys.user(account.id),
            keys.username(fold_name(account.username)), AccountKeys::deletions())
      .args(expected, now, limits::revocations_kept_ms);
}

redis::ScriptCall raise_generation(AccountKeys const& keys, UserId const& id, std::int64_t at_least) {
  return redis::ScriptCall(lua::raise_generation).keys(keys.user(id)).args(at_least);
}

redis::ScriptCall restore_accounts(AccountKeys const& keys, std::span<Account const> accounts) {
  redis::ScriptCall call(lua::restore_accounts);
  for (auto const& account : accounts) {
    call.keys(keys.user(account.id), keys.username(fold_name(account.username)));
    call.args(account.id, account.username, account.hashed_password, account.generation, account.disabled,
              account.created_at);
  }
  return call;
}

}  // namespace larder::accounts::scripts
