#include "systems/ledger/type_ends.hpp"

#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "systems/ledger/account_reader.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/ledger_scripts.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr int page_accounts = 500;
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

// Orders that can be open until the type ends are remembered until then, and after that for order_ttl_days.
Task<bool> renew_orders(redis::Redis& redis, Keys const& keys, Account account, ScoreType const& type) {
  auto const [state, due] = co_await read_account(redis, keys, account);
  auto const forgotten_at = type.ends_at ? keys_expire_at(type) + type.order_ttl_days * day_ms : TimeMs{};
  std::vector<std::string> fields;
  for (auto const& [order, hold] : state.holds) {
    if (hold.expires == 0) fields.push_back("h:" + order);
  }
  for (auto const& [order, sent] : state.sent) fields.push_back("t:" + order);
  for (auto const& field : fields) {
    co_await redis.run(redis::Use::idempotent_write,
                       scripts::renew_order(keys, account, field, forgotten_at));
  }
  co_return true;
}

Task<ScoreType> read_type(Journal& journal, TypeId id) {
  for (auto& type : co_await journal.types()) {
    if (type.id == id) co_return std::move(type);
  }
  throw std::runtime_error(fmt::format("there is no type {}", id));
}

Task<void> renew(redis::Redis& redis, Keys const& keys, std::vector<Account> const& accounts,
                 ScoreType const& type) {
  auto const expires_at = fmt::to_string(keys_expire_at(type).value);
  std::vector<Task<bool>> renewals;
  for (auto const& account : accounts) {
    auto const of = keys.account(account);
    for (auto const& key : {of.balance, of.more, of.expiring, of.due}) {
      renewals.push_back(renew_key(redis, key, expires_at));
    }
    renewals.push_back(renew_orders(redis, keys, account, type));
  }
  co_await when_all(std::move(renewals));
}

}  // namespace

Task<void> renew_expiry(redis::Redis& redis, Journal& journal, Keys const& keys, TypeId id) {
  for (auto const& shard : keys.shards()) {
    if (!co_await events::caught_up(redis, shard.outbox, patience)) {
      throw StoreError("the journal lags behind the entries", true);
    }
  }
  auto type = co_await read_type(journal, id);
  for (std::int64_t table = 0; table < journal.flow_tables(); ++table) {
    std::optional<Account> last;
    do {
      auto const accounts = co_await journal.accounts_of(id, table, last, page_accounts);
      last = accounts.empty() ? std::nullopt : std::optional(accounts.back());
      // If the end changed in the meantime, write again. So the newest end is written last.
      for (bool newest = accounts.empty(); !newest;) {
        co_await renew(redis, keys, accounts, type);
        auto now = co_await read_type(journal, id);
        newest = now.ends_at == type.ends_at;
        type = std::move(now);
      }
    } while (last);
  }
}

}  // namespace larder::ledger
