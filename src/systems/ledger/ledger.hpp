// The ledger: points with idempotent orders, balances in Redis, every change journaled in SQL.
#pragma once

#include "base/single_flight.hpp"
#include "base/time.hpp"
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

// The request that sends a transfer to another slot also brings it to its end; if it is not done by then, the
// relay does it.
inline constexpr std::int64_t relay_after_ms = 1000;
// Every type counts its orders in shards of its own, so that a number is unique across types as well.
inline constexpr std::int64_t shards_per_type = 1000;

// What the ledgers of all io threads share. The functions are called from all of them.
struct Shared {
  Keys keys;
  Journal& journal;
  Clock const& clock;
  Metrics& metrics;
  std::int64_t order_shards = 16;
  std::function<void(std::size_t shard)> wake_projector = [](std::size_t) {};
  std::function<void(std::size_t shard, TimeMs due)> wake_schedule = [](std::size_t, TimeMs) {};
  TypeCache types = {};
  // Returns when every Larder has the types as they were at the call. A test need not wait.
  std::function<Task<void>()> types_known_everywhere = [] { return sleep_for(types_stale); };
};

// Thread-compatible: one per io thread. Throws StoreError when a store is away; a write whose outcome is
// unknown may be repeated with the same order.
//
// An order is decided once and for all. A refusal for lack of points, or beyond the largest balance, is an
// outcome too: it is remembered and journaled. Refused without a trace: type_not_found, a bad field,
// type_not_active, order_too_old, order_conflict and the names that a function adds.
class Ledger {
 public:
  Ledger(redis::Redis& redis, Shared& shared);

  Task<Result<ScoreType>> create_type(ScoreType type);
  // Another end is written to the keys of all the type's accounts, which takes a while; a change that was cut
  // off has to be repeated. Adds type_exists, and type_over for another end of one that ended a day ago.
  Task<Result<ScoreType>> change_type(TypeId id, TypeChange change);
  Task<std::vector<ScoreType>> types();
  Task<Result<ScoreType>> type(TypeId id);

  // A number nobody was given before.
  Task<Result<OrderId>> issue_order(TypeId type);
  Task<Result<Outcome>> order(UserId uid, OrderId order_id);

  Task<Result<Receipt>> post(Entry entry);
  // Each on its own, in order for one account; a StoreError is thrown once all have ended, and says that the
  // outcome is unknown if any of them may have taken effect.
  Task<std::vector<Result<Receipt>>> post_each(std::vector<Entry> entries);
  // All or none. batch_refused has the `index` of the first that says no and its `reason`, and leaves no
  // trace; not_one_slot: on a cluster the users must share a partition.
  Task<Result<std::vector<Receipt>>> post_all(std::vector<Entry> entries);

  // As of this very moment: what has fallen due is settled first.
  Task<Result<AccountView>> account(Account account);
  // The balance as the journal has it for a moment that is not in the future.
  Task<Result<Amount>> balance_at(Account account, TimeMs time);
  // Sees at least every entry that was acknowledged before the call; StoreError if the projector is far
  // behind.
  Task<std::vector<Flow>> flows(FlowQuery query);

  // Inside of a slot it is done at once. To another slot the points are first under way (`state=pending` in
  // the outcome's detail if they still are when this returns), then done, or returned under an order of their
  // own if they cannot arrive. Adds self_target.
  Task<Result<Receipt>> transfer(Transfer transfer);

  Task<Result<Rate>> set_rate(Rate rate);
  // Adds rate_not_found, of types that there are not, too.
  Task<Result<Rate>> rate(TypeId from, TypeId to);
  Task<std::vector<Rate>> rates(RateQuery query);
  // Adds rate_not_found, nothing_to_credit (less than one point).
  Task<Result<Receipt>> exchange(Exchange exchange);

  Task<Result<Receipt>> hold(Hold hold);
  // Takes `amount` of the hold, all if it is not given, and gives the rest back; the hold is over then. The
  // same again answers the same. Adds hold_not_found, hold_closed with its `state`, hold_too_small.
  Task<Result<Receipt>> capture(UserId uid, OrderId order_id, std::optional<Amount> amount);
  Task<Result<Receipt>> release(UserId uid, OrderId order_id);

  // For the schedule: matures, expires and releases what has fallen due. `member` is "uid type domain".
  Task<void> settle(std::string member);
  // For the relay: brings a transfer to its end. `member` is "uid type domain order". Throws
  // std::runtime_error if it is too old to know whether it arrived.
  Task<void> relay(std::string member);

 private:
  using TypePtr = std::shared_ptr<ScoreType const>;

  Task<Result<TypePtr>> find_type(TypeId id);
  Task<Result<TypePtr>> look_up_type(TypeId id);
  Task<TypePtr> known_type(TypeId id);
  Task<std::optional<Error>> problem_of_order_now(OrderId const& order_id, ScoreType const& type,
                                                  std::optional<TimeMs> expires_at, TimeMs now);
  Task<redis::Reply> post_plain(std::span<Posting const> postings, TimeMs now);
  // What post_entry.lua says of an account that is not for it.
  static bool has_more(redis::ReplyReader const& answer) { return answer.left() == 1; }
  struct Batch;
  Task<std::vector<std::size_t>> post_slot(Batch& batch, std::span<std::size_t const> indices);
  Task<std::vector<std::size_t>> post_chunk(Batch& batch, std::span<std::size_t const> indices);
  Task<bool> post_in_order(Batch& batch, std::span<std::size_t const> indices);
  Task<redis::Reply> post_entries(std::span<Posting const> postings, scripts::Posted posted, TimeMs now);
  Task<redis::Reply> run(redis::ScriptCall call, OrderId const& order_id);
  Task<void> settle_account(Account const& account, ScoreType const& type);
  Task<void> journal_caught_up(UserId const& uid);
  Task<redis::Reply> move_points(Move const& move, TimeMs now);
  Task<Outcome> deliver(Account const& from, ScoreType const& type, OrderId const& order_id,
                        std::string const& intent);
  Task<std::optional<std::string>> intent_of(Account const& from, OrderId const& order_id);
  Task<Result<Receipt>> close_hold(UserId uid, OrderId order_id, Op op, std::optional<Amount> amount);
  // What a script has answered, of which `in` reads {replayed, record}.
  template <class Request>
  Result<Receipt> receipt(Request const& request, redis::Reply const& reply, redis::ReplyReader& in,
                          TimeMs now) {
    bool const replayed = in.flag();
    auto outcome = parse_record(in.text());
    if (replayed) {
      // What our own first attempt did, whose answer was lost on the way, is no replay.
      bool const own = reply.repeated() && outcome.at == now;
      return replay(terms_of(request), request.order_id, {.outcome = std::move(outcome), .replayed = !own});
    }
    metrics_.decided(outcome);
    return Receipt{.outcome = std::move(outcome), .replayed = false};
  }
  static Result<Receipt> replay(Terms const& terms, OrderId const& order_id, Receipt receipt);
  void after(UserId const& uid, std::string_view next_due);

  redis::Redis& redis_;
  Shared& shared_;
  IssuedOrders issued_;
  LedgerMetrics metrics_;
  SingleFlight look_up_;
  TimeMs looked_up_at_;  // of the last time it worked
};

}  // namespace larder::ledger
