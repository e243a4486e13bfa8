#include "edges/api/accounts/accounts_system.hpp"

#include "edges/api/accounts/accounts_api.hpp"
#include "edges/api/accounts/accounts_commands.hpp"
#include "edges/api/accounts/accounts_privacy.hpp"
#include "edges/api/accounts/accounts_search.hpp"

namespace larder::api {

std::vector<cli::Command> AccountsSystem::commands() { return accounts_commands(); }

Task<void> AccountsSystem::load(Process const& process) {
  behind_proxy_ = process.config.accounts.behind_proxy;
  sql_ = &process.sql;
  background_ = std::make_unique<AccountsBackground>(process);
  co_await background_->load();
}

SearchOf AccountsSystem::search(IoThread const& /*thread*/, Part const& /*part*/) {
  return accounts_search(*sql_);
}

Api AccountsSystem::api() const {
  return {.tables = {accounts_routes()},
          .tags = {{"auth", "Accounts of players: register, log in, log out"}}};
}

Part AccountsSystem::part(IoThread const& thread) {
  return Part(
      std::make_shared<AccountsDesk>(AccountsDesk{.accounts = {thread.redis, background_->shared()},
                                                  .attempts = {thread.redis, background_->shared().clock},
                                                  .tokens = background_->tokens(),
                                                  .behind_proxy = behind_proxy_}));
}

Task<void> AccountsSystem::export_user(UserStores const& at, UserId user, privacy::ExportTo to) {
  co_await export_account(at, std::move(user), std::move(to));
}

Task<std::string> AccountsSystem::forget_user(UserStores const& at, privacy::Subject subject) {
  co_return co_await forget_account(at, std::move(subject.user));
}

std::vector<std::string_view> AccountsSystem::event_types() const {
  return {"account_registered", "account_password_changed", "account_disabled", "account_enabled",
          "account_deleted"};
}

}  // namespace larder::api
