// The ledger: points with idempotent orders. Redis has the balances, and SQL has a flow for every change.
#pragma once

#include "base/single_flight.hpp"
#include "base/time.hpp"
#include "kit/schedule/due_set.hpp"
#include "stores/redis/redis.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/ledger/issued_orders.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_metrics.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/ledger_scripts.hpp"
#include "systems/ledger/ledger_types.hpp"
#include "systems/ledger/order_record.hpp"
#include "systems/ledger/type_cache.hpp"

#include <functional>
#include <string>
#include <vector>

namespace larder::ledger {

// A transfer to another slot is completed by the request that sends it. If it is not complete after this
// time, the relay completes it.
inline constexpr std::int64_t relay_after_ms = 1000;

// A transfer to another slot that waits for a person.
struct LeftTransfer {
  Account from;
  OrderId order_id;
  std::optional<Intent> intent;    // none: the transfer is closed, or gone with its type
  std::optional<Outcome> arrival;  // how the journal says that the arrival was decided
  // SQL refuses events of the receiver's outbox. So if there is no arrival, the journal may just lack it.
  bool journal_lacks_events = false;
  TimeMs left_at;
  std::string why;
};

// What the Ledger objects of all io threads share. The functions must be thread-safe:
// every io thread calls them.
struct Shared {
  Keys keys;
  Journal& journal;
  Clock const& clock;
  Metrics& metrics;
  std::int64_t order_shards = 16;
  std::int64_t clock_margin_ms = 120'000;  // clocks of the servers and of Redis differ by less
  std::function<void(std::size_t shard)> wake_projector = [](std::size_t) {};
  std::function<void(std::size_t shard, TimeMs due)> wake_schedule = [](std::size_t, TimeMs) {};
  TypeCache types = {};
};

// Thread-compatible: one per io thread. Throws StoreError when a store is unavailable. If the outcome of a
// write is unknown, repeat it with the same order.
//
// An order is decided once. The refusals insufficient_balance and balance_limit are also decisions: they are
// remembered and journaled. All other refusals leave no trace: type_not_found, invalid fields,
// type_not_active, order_too_old, order_conflict, and the refusals that the comment of a function adds.
//
// Another program may have left a value under the key of a balance or an order. A call that meets it is
// refused with foreign_record or throws ForeignRecord, and changes nothing.
class Ledger {
 public:
  Ledger(redis::Redis& redis, Shared& shared);

  // Adds type_exists.
  Task<Result<ScoreType>> create_type(ScoreType type);
  // A new end is written to the keys of all accounts of the type. If that takes longer than some seconds, or
  // is cut off, the servers continue it in the background. Adds type_exists, and type_over if the type ended
  // too long ago to get another end.
  Task<Result<ScoreType>> change_type(TypeId id, TypeChange change);
  Task<std::vector<ScoreType>> types();
  Task<Result<ScoreType>> type(TypeId id);

  // Returns a number that was never issued before.
  Task<Result<OrderId>> issue_order(TypeId type);
  Task<Result<Outcome>> order(UserId uid, OrderId order_id);

  Task<Result<Receipt>> post(Entry entry);
  // Decides each entry on its own; entries of one account are decided in order. A StoreError is thrown only
  // after all entries have ended. It says that the outcome is unknown if any entry may have taken effect.
  Task<std::vector<Result<Receipt>>> post_each(std::vector<Entry> entries);
  // Decides all entries or none. `entries` must not be empty. Adds batch_refused, with the `index` of the
  // first entry that was refused and its `reason`; it leaves no trace. Adds not_one_slot: on a cluster, all
  // users must be in one partition.
  Task<Result<std::vector<Receipt>>> post_all(std::vector<Entry> entries);

  // The account as of now: whatever is due is settled first.
  Task<Result<AccountView>> account(Account account);
  // The balance at a moment that is not in the future, according to the journal.
  Task<Result<Amount>> balance_at(Account account, TimeMs time);
  // Includes every entry that was acknowledged before the call. Throws StoreError if the
  // projector is too far behind.
  Task<std::vector<Flow>> flows(FlowQuery query);

  // A user's accounts, as they are now. Like flows().
  Task<Result<std::vector<AccountView>>> accounts(AccountsQuery query);
  Task<Result<OrdersPage<OpenHold>>> open_holds(OrdersQuery query);
  // Those that the user has sent.
  Task<Result<OrdersPage<PendingTransfer>>> pending_transfers(OrdersQuery query);

  // What all users have done. The newest flows may be missing for some seconds.
  Task<HistoryPage> history(HistoryQuery query);
  // All types, each with the points that all users had at the moment `at`, by the number of the type.
  Task<std::vector<TypeTotals>> totals();
  // Counts a portion of the journal for the totals. Returns the moment up to which everything is counted;
  // nothing if there is more to count.
  Task<std::optional<CountMark>> count_totals();

  // Within one slot, the transfer is done at once. To another slot, the points are first under way; if they
  // still are when this function returns, the outcome's detail has `state=pending`. Then the transfer is
  // done, or, if the points cannot arrive, they are returned under a new order. Adds self_target.
  Task<Result<Receipt>> transfer(Transfer transfer);

  // Adds self_target.
  Task<Result<Rate>> set_rate(Rate rate);
  // Adds rate_not_found, also for unknown types.
  Task<Result<Rate>> rate(TypeId from, TypeId to);
  Task<std::vector<Rate>> rates(RateQuery query);
  // Adds self_target, rate_not_found, and nothing_to_credit (the result is less than one point).
  Task<Result<Receipt>> exchange(Exchange exchange);

  Task<Result<Receipt>> hold(Hold hold);
  // Takes `amount` of the held points, or all of them without an amount, and gives the rest back. This closes
  // the hold. The same call again gets the same answer. Adds hold_not_found, hold_closed (with the `state` of
  // the hold) and hold_too_small.
  Task<Result<Receipt>> capture(UserId uid, OrderId order_id, std::optional<Amount> amount);
  Task<Result<Receipt>> release(UserId uid, OrderId order_id);

  // For the scheduler of types: see type_ends.hpp. `member` is the id of a type.
  Task<void> work_on_type(std::string member);
  // For the scheduler: settles everything of the account that is due. `member` is "uid type domain".
  Task<void> settle(std::string member);
  // For the relay: completes a transfer. `member` is "uid type domain order". Throws std::runtime_error if
  // the transfer was sent so long ago that nobody knows whether it arrived.
  Task<void> relay(std::string member);

  // For operators: transfers that the relay has given up, because nobody remembers whether their points
  // arrived, or because they failed too often. The journal says whether the points arrived.
  Task<std::vector<LeftTransfer>> left_transfers();
  // Ends such a transfer: the receiver has the points, or gets them now. If they cannot arrive, they come
  // back. Refused with transfer_not_left if the transfer is none of these, and with arrival_unknown if the
  // journal may lack the arrival.
  Task<Result<Outcome>> complete_left(UserId uid, OrderId order_id);
  // Ends it the other way: the sender gets the points back. Adds transfer_arrived.
  Task<Result<Outcome>> return_left(UserId uid, OrderId order_id);

 private:
  using TypePtr = std::shared_ptr<ScoreType const>;

  Task<Result<TypePtr>> find_type(TypeId id);
  Task<Result<TypePtr>> look_up_type(TypeId id);
  Task<TypePtr> known_type(TypeId id);
  Task<void> refresh_types();
  // Thrown when a script refused, because the type has a newer end than this server knows.
  struct StaleType : std::runtime_error {
    StaleType() : std::runtime_error("the types in SQL are older than those that Redis knows") {}
  };
  // Returns what `work()` returns. Repeats it with the newest types if a script refused the types.
  template <class Work>
  std::invoke_result_t<Work&> with_newest_types(Work work) {
    for (int attempt = 1;; ++attempt) {
      try {
        co_return co_await work();
      } catch (StaleType const& stale) {
        if (attempt == refreshes_max) throw StoreError(stale.what(), false);
      }
      co_await refresh_types();
    }
  }
  static constexpr int refreshes_max = 5;
  static void refuse_stale_type(redis::ReplyError const& error);
  Task<std::optional<Error>> problem_of_order_now(OrderId const& order_id, ScoreType const& type,
                                                  std::optional<TimeMs> expires_at, TimeMs now);
  Task<redis::Reply> post_plain(std::span<Posting const> postings, TimeMs now);
  // How post_entry.lua says that the account has more than a balance, so that it cannot post the entry.
  static bool has_more(redis::ReplyReader const& answer) { return answer.left() == 1; }
  // How it says that this server's copy of the type is old.
  static bool is_stale(redis::ReplyReader const& answer) { return answer.left() == 3; }
  Task<Result<std::vector<AccountView>>> read_accounts(std::vector<Account> accounts);
  template <class T>
  Task<Result<OrdersPage<T>>> list_orders(OrdersQuery query, std::vector<T> AccountView::* orders);
  Task<TimeMs> journaled_until();
  struct Batch;
  Task<std::vector<std::size_t>> post_slot(Batch& batch, std::span<std::size_t const> indices);
  Task<std::vector<std::size_t>> post_chunk(Batch& batch, std::span<std::size_t const> indices,
                                            int refreshes = 0);
  Task<bool> post_in_order(Batch& batch, std::span<std::size_t const> indices);
  Task<redis::Reply> post_entries(std::span<Posting const> postings, scripts::Posted posted, TimeMs now);
  // Runs a script for this order. If too much is due for it, settles the accounts of the script first.
  Task<redis::Reply> run(redis::ScriptCall call, OrderId const& order_id);
  Task<void> settle_account(Account account);
  Task<bool> settle_fully(Account account);
  Task<Result<Receipt>> post_once(Entry const& entry);
  Task<Result<std::vector<Receipt>>> post_all_once(std::vector<Entry> const& entries);
  Task<Result<AccountView>> account_once(Account const& account);
  Task<Result<Receipt>> transfer_once(Transfer const& transfer);
  Task<Result<Receipt>> exchange_once(Exchange const& exchange);
  Task<Result<Receipt>> hold_once(Hold const& hold);
  Task<void> journal_caught_up(UserId const& uid);
  Task<redis::Reply> move_points(Move const& move, TimeMs now);
  Task<Outcome> deliver(Account from, OrderId order_id, std::string intent);
  Task<Outcome> deliver_once(Account const& from, OrderId const& order_id, std::string const& intent);
  Task<Outcome> close_transfer(Account const& from, ScoreType const& type, OrderId const& order_id,
                               Outcome const& arrival);
  Task<std::optional<std::string>> intent_of(Account const& from, OrderId const& order_id);
  Task<LeftTransfer> read_left(schedule::DeadMember dead);
  Task<Result<LeftTransfer>> find_left(UserId const& uid, OrderId const& order_id);
  Task<bool> has_dead_events(UserId const& uid);
  Task<std::optional<Outcome>> arrival_in_journal(Account const& from, OrderId const& order_id,
                                                  Intent const& intent);
  Task<Result<Outcome>> end_left(LeftTransfer const& left, scripts::Decides decides);
  Task<Result<Receipt>> close_hold(UserId uid, OrderId order_id, Op op, std::optional<Amount> amount);
  Task<Result<Receipt>> close_hold_once(UserId const& uid, OrderId const& order_id, Op op,
                                        std::optional<Amount> amount);
  static constexpr std::int64_t foreign_answer = 3;  // of post_entry.lua
  // Makes a receipt from a reply. `in` is at {replayed, record}, or at {foreign_answer, key}.
  template <class Request>
  Result<Receipt> receipt(Request const& request, redis::Reply const& reply, redis::ReplyReader& in,
                          TimeMs now) {
    auto const how = in.integer();
    if (how == foreign_answer) return std::unexpected(ForeignRecord(std::string(in.text())).refusal());
    if (how == 1) {
      auto outcome = remembered(terms_of(request), user_of(request), request.order_id, in.text());
      if (!outcome) return std::unexpected(std::move(outcome.error()));
      // If the answer of our own first attempt was lost, its decision is not a replay.
      bool const own = reply.repeated() && outcome->at == now;
      return replay(terms_of(request), request.order_id, {.outcome = std::move(*outcome), .replayed = !own});
    }
    auto outcome = parse_record(in.text());
    metrics_.decided(outcome);
    return Receipt{.outcome = std::move(outcome), .replayed = false};
  }
  // The outcome in a record. If the original service decided the order, the type and the domain are those of
  // the request. Refused with foreign_record if nobody here wrote the record.
  Result<Outcome> remembered(Terms const& terms, UserId const& uid, OrderId const& order_id,
                             std::string_view record) const;
  static UserId const& user_of(Entry const& entry) { return entry.account.uid; }
  static UserId const& user_of(Transfer const& transfer) { return transfer.from; }
  static UserId const& user_of(Exchange const& exchange) { return exchange.uid; }
  static UserId const& user_of(Hold const& hold) { return hold.account.uid; }
  static Result<Receipt> replay(Terms const& terms, OrderId const& order_id, Receipt receipt);
  void after(UserId const& uid, std::string_view next_due);

  redis::Redis& redis_;
  Shared& shared_;
  IssuedOrders issued_;
  LedgerMetrics metrics_;
  SingleFlight look_up_;
  TimeMs looked_up_at_;  // when the last look-up succeeded
};

}  // namespace larder::ledger
