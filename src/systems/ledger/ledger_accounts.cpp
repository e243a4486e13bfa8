// Accounts now and in the past.
#include "kit/events/projector.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/ledger/account_reader.hpp"
#include "systems/ledger/ledger.hpp"

namespace larder::ledger {

namespace {

constexpr auto journal_patience = std::chrono::milliseconds(5000);

AccountView view_of(Account account, AccountState const& state) {
  AccountView view{.account = std::move(account),
                   .balance = Amount::from(state.balance).value(),
                   .held = Amount::from(state.held()).value(),
                   .pending = Amount::from(state.pending()).value(),
                   .waiting = Amount::from(state.waiting_points()).value(),
                   .lots = {},
                   .holds = {},
                   .transfers = {}};
  auto const time = [](std::int64_t ms) { return ms == 0 ? std::nullopt : std::optional(TimeMs{ms}); };
  for (auto const& [expires, points] : state.lots) {
    view.lots.push_back(
        {.amount = Amount::from(points).value(), .effective_at = std::nullopt, .expires_at = time(expires)});
  }
  for (auto const& [times, points] : state.waiting) {
    view.lots.push_back({.amount = Amount::from(points).value(),
                         .effective_at = time(times.first),
                         .expires_at = time(times.second)});
  }
  for (auto const& [order, hold] : state.holds) {
    view.holds.push_back({.order_id = OrderId::from(order).value(),
                          .amount = Amount::from(points_of(hold.parts)).value(),
                          .expires_at = time(hold.expires)});
  }
  for (auto const& [order, sent] : state.sent) {
    view.transfers.push_back({.order_id = OrderId::from(order).value(),
                              .to = UserId::from(sent.to).value(),
                              .amount = Amount::from(points_of(sent.parts)).value(),
                              .sent_at = {sent.sent_at},
                              .remark = sent.remark});
  }
  return view;
}

}  // namespace

Task<Result<AccountView>> Ledger::account(Account account) {
  return with_newest_types([this, account = std::move(account)] { return account_once(account); });
}

Task<Result<AccountView>> Ledger::account_once(Account const& account) {
  auto const found = co_await find_type(account.type);
  if (!found) co_return std::unexpected(found.error());
  auto const& type = **found;
  auto const now = shared_.clock.now();
  auto stored = co_await read_account(redis_, shared_.keys, account);
  if (stored.ends_revision > type.ends_revision) throw StaleType();
  // Redis keeps the keys for another day, but the points no longer count.
  if (type.ends_at && now >= *type.ends_at) co_return view_of(account, {});
  if (stored.next_due && *stored.next_due <= now) {
    co_await settle_account(account);
    stored = co_await read_account(redis_, shared_.keys, account);
  }
  co_return view_of(account, stored.state);
}

// Each script does a bounded part of what is due, so that Redis can serve others in between.
Task<void> Ledger::settle_account(Account account) {
  auto const type = co_await known_type(account.type);
  auto const now = shared_.clock.now();
  for (bool settled = false; !settled;) {
    try {
      auto const reply = co_await scripts::run(redis_, redis::Use::idempotent_write,
                                               scripts::settle_account(shared_.keys, account, *type, now));
      redis::ReplyReader in(reply);
      after(account.uid, in.text());
      settled = in.flag();
    } catch (redis::ReplyError const& error) {
      refuse_stale_type(error);
      throw;
    }
  }
}

Task<void> Ledger::settle(std::string member) {
  return with_newest_types([this, account = parse_account(member)] { return settle_account(account); });
}

Task<Result<Amount>> Ledger::balance_at(Account account, TimeMs time) {
  if (auto problem = problem_of_past_time(time, shared_.clock.now())) {
    co_return std::unexpected(std::move(*problem));
  }
  // Settles the account, so that the journal has everything that was due.
  auto const now = co_await this->account(account);
  if (!now) co_return std::unexpected(now.error());
  // The result is what an answer at that time would have said.
  auto const type = co_await known_type(account.type);
  if (type->ends_at && time >= *type->ends_at) co_return Amount{};
  co_await journal_caught_up(account.uid);
  co_return co_await shared_.journal.balance_at(account, time);
}

Task<std::vector<Flow>> Ledger::flows(FlowQuery query) {
  co_await journal_caught_up(query.uid);
  co_return co_await shared_.journal.flows(std::move(query));
}

Task<void> Ledger::journal_caught_up(UserId const& uid) {
  auto const shard = shared_.keys.shard_of(uid);
  shared_.wake_projector(shard);
  if (!co_await events::caught_up(redis_, shared_.keys.shards()[shard].outbox, journal_patience)) {
    throw StoreError("the journal lags behind the entries", false);
  }
}

}  // namespace larder::ledger
