// What a user has: all accounts, open holds and transfers under way.
#include "base/try.hpp"
#include "base/when_all.hpp"
#include "systems/ledger/ledger.hpp"

#include <tuple>

namespace larder::ledger {

namespace {

constexpr int accounts_looked_at = 200;  // that one call looks at for holds or transfers

// Whether the order comes after the place where the last page ended.
bool is_after(Account const& account, OrderId const& order, std::optional<OrderPlace> const& place) {
  if (!place) return true;
  return std::tie(account.type, account.domain.str(), order.str()) >
         std::tie(place->type, place->domain.str(), place->order);
}

OrderPlace place_of(Account const& account, std::string order) {
  return {.type = account.type, .domain = account.domain, .order = std::move(order)};
}

}  // namespace

Task<Result<std::vector<AccountView>>> Ledger::accounts(AccountsQuery query) {
  co_await journal_caught_up(query.uid);
  auto accounts = co_await shared_.journal.accounts_of_user(std::move(query));
  co_return co_await read_accounts(std::move(accounts));
}

Task<Result<std::vector<AccountView>>> Ledger::read_accounts(std::vector<Account> accounts) {
  std::vector<Task<Result<AccountView>>> asked;
  for (auto& each : accounts) asked.push_back(account(std::move(each)));
  std::vector<AccountView> views;
  for (auto& view : co_await when_all(std::move(asked))) {
    if (!view) co_return std::unexpected(std::move(view.error()));
    views.push_back(std::move(*view));
  }
  co_return views;
}

template <class T>
Task<Result<OrdersPage<T>>> Ledger::list_orders(OrdersQuery query, std::vector<T> AccountView::* orders) {
  AccountsQuery first{.uid = query.uid, .limit = accounts_looked_at + 1};
  if (query.after) first.from = {{query.after->type, query.after->domain}};
  co_await journal_caught_up(query.uid);
  auto accounts = co_await shared_.journal.accounts_of_user(std::move(first));
  bool const more_accounts = accounts.size() > accounts_looked_at;
  if (more_accounts) accounts.pop_back();
  CO_TRY(auto const views, co_await read_accounts(std::move(accounts)));

  OrdersPage<T> page;
  for (auto const& view : views) {
    for (auto const& order : view.*orders) {
      if (!is_after(view.account, order.order_id, query.after)) continue;
      if (std::int64_t(page.items.size()) == query.limit) {
        auto const& [account, last] = page.items.back();
        page.next = place_of(account, last.order_id.str());
        co_return page;
      }
      page.items.emplace_back(view.account, order);
    }
  }
  // No order id has a `~`, and it comes after all characters that an order id may have.
  if (more_accounts) page.next = place_of(views.back().account, "~");
  co_return page;
}

Task<Result<OrdersPage<OpenHold>>> Ledger::open_holds(OrdersQuery query) {
  return list_orders(std::move(query), &AccountView::holds);
}

Task<Result<OrdersPage<PendingTransfer>>> Ledger::pending_transfers(OrdersQuery query) {
  return list_orders(std::move(query), &AccountView::transfers);
}

}  // namespace larder::ledger
