// Makes the calls of the scripts of accounts. The head of each script says what it does and what it returns.
#pragma once

#include "kit/accounts/account_keys.hpp"
#include "kit/accounts/account_types.hpp"
#include "stores/redis/script_call.hpp"

#include <span>

namespace larder::accounts::scripts {

redis::ScriptCall register_account(AccountKeys const& keys, Account const& account,
                                   std::string_view name_key);
redis::ScriptCall set_password(AccountKeys const& keys, UserId const& id, std::string_view hash,
                               std::string_view expected, TimeMs now);
redis::ScriptCall set_disabled(AccountKeys const& keys, UserId const& id, bool disabled, TimeMs now);
redis::ScriptCall end_sessions(AccountKeys const& keys, UserId const& id);
redis::ScriptCall revoke_session(std::string_view session_id);
redis::ScriptCall delete_account(AccountKeys const& keys, Account const& account, std::string_view expected,
                                 TimeMs now);
redis::ScriptCall raise_generation(AccountKeys const& keys, UserId const& id, std::int64_t at_least);
redis::ScriptCall restore_accounts(AccountKeys const& keys, std::span<Account const> accounts);

}  // namespace larder::accounts::scripts
