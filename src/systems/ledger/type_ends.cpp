#include "systems/ledger/type_ends.hpp"

#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr int accounts_at_once = 500;
constexpr auto patience = std::chrono::seconds(30);

Task<bool> renew_key(redis::Redis& redis, std::string key, std::string expires_at) {
  auto const use = redis::Use::idempotent_write;
  if (expires_at == "0") {
    co_await redis.command(use, key, {"PERSIST", key});
  } else {
    co_await redis.command(use, key, {"PEXPIREAT", key, expires_at});
  }
  co_return true;
}

}  // namespace

Task<void> renew_expiry(redis::Redis& redis, Journal& journal, Keys const& keys, ScoreType type) {
  for (auto const& shard : keys.shards()) {
    if (!co_await events::caught_up(redis, shard.outbox, patience)) {
      throw StoreError("the journal lags behind the entries", true);
    }
  }
  auto const expires_at = fmt::to_string(keys_expire_at(type).value);
  for (std::int64_t table = 0; table < journal.tables(); ++table) {
    std::optional<Account> last;
    do {
      auto const accounts = co_await journal.accounts_of(type.id, table, last, accounts_at_once);
      last = accounts.empty() ? std::nullopt : std::optional(accounts.back());
      std::vector<Task<bool>> renewals;
      for (auto const& account : accounts) {
        auto const of = keys.account(account);
        for (auto const& key : {of.balance, of.more, of.expiring, of.due}) {
          renewals.push_back(renew_key(redis, key, expires_at));
        }
      }
      co_await when_all(std::move(renewals));
    } while (last);
  }
}

}  // namespace larder::ledger
