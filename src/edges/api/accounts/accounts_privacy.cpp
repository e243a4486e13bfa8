#include "edges/api/accounts/accounts_privacy.hpp"

#include "kit/accounts/account_store.hpp"
#include "kit/accounts/account_table.hpp"
#include "kit/accounts/player_ids.hpp"
#include "kit/events/privacy/traces.hpp"

namespace larder::api {

namespace {

using accounts::AccountKeys;

Task<std::optional<accounts::AccountRow>> row_of_account(sql::Database& sql, UserId user) {
  return sql.read(
      [user = std::move(user)](sql::Session& session) { return accounts::find_account_row(session, user); });
}

// An account that only SQL has, because another one has its name since a loss.
Task<void> delete_in_sql(UserStores const& at, accounts::Account const& account) {
  accounts::AccountEvent const event{
      .type = "deleted",
      .at = at.clock.now(),
      .account = {.id = account.id, .generation = account.generation + 1, .created_at = account.created_at}};
  co_await at.sql.write(
      [event](sql::Session& session) { accounts::write_account_events(session, std::span(&event, 1)); });
}

json::object account_json(accounts::Account const& account) {
  return {{"user_id", account.id.str()},
          {"username", account.username},
          {"disabled", account.disabled},
          {"created_at", to_rfc3339(account.created_at)}};
}

}  // namespace

Task<void> export_account(UserStores at, UserId user, privacy::ExportTo to) {
  if (!accounts::is_player_id(user.str())) co_return;
  if (auto const account = co_await accounts::AccountStore(at.redis).find(user)) {
    to("account", account_json(*account));
    co_return;
  }
  auto const row = co_await row_of_account(at.sql, user);
  if (row && !row->deleted_at) to("account", account_json(row->account));
}

Task<std::string> forget_account(UserStores at, UserId user) {
  if (!accounts::is_player_id(user.str())) co_return std::string();
  accounts::AccountStore store(at.redis);
  if (auto const account = co_await store.find(user)) {
    auto const removed = co_await store.remove(*account, "", at.clock.now());
    if (!removed) throw StoreError("the account could not be deleted", false);
  }
  co_await privacy::journal_all(at.redis, AccountKeys::outbox());
  auto const row = co_await row_of_account(at.sql, user);
  if (!row) co_return std::string();
  if (!row->deleted_at) {
    co_await delete_in_sql(at, row->account);
    co_await store.schedule_deletion(user, at.clock.now());
  }
  auto const deletions = AccountKeys::deletions();
  auto const waiting =
      co_await at.redis.command(redis::Use::read, deletions, {"ZSCORE", deletions, user.str()});
  if (!waiting.is_nil()) throw StoreError("the towns of the account are not ruins yet", false);
  co_return "the id that was drawn for the account stays in the list of deleted accounts and of ended sessions";
}

}  // namespace larder::api
