// The types of the ledger.
#pragma once

#include "base/amount.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace larder::ledger {

namespace errors {
inline constexpr ErrorCode type_not_found{ErrorKind::not_found, "type_not_found"};
inline constexpr ErrorCode type_exists{ErrorKind::conflict, "type_exists"};
inline constexpr ErrorCode type_not_active{ErrorKind::conflict, "type_not_active"};
inline constexpr ErrorCode type_over{ErrorKind::conflict, "type_over"};
inline constexpr ErrorCode order_not_found{ErrorKind::not_found, "order_not_found"};
inline constexpr ErrorCode order_too_old{ErrorKind::conflict, "order_too_old"};
inline constexpr ErrorCode order_conflict{ErrorKind::conflict, "order_conflict"};
inline constexpr ErrorCode insufficient_balance{ErrorKind::conflict, "insufficient_balance"};
inline constexpr ErrorCode balance_limit{ErrorKind::conflict, "balance_limit"};
inline constexpr ErrorCode batch_refused{ErrorKind::conflict, "batch_refused"};
inline constexpr ErrorCode not_one_slot{ErrorKind::conflict, "not_one_slot"};
inline constexpr ErrorCode self_target{ErrorKind::conflict, "self_target"};
inline constexpr ErrorCode rate_not_found{ErrorKind::not_found, "rate_not_found"};
inline constexpr ErrorCode nothing_to_credit{ErrorKind::conflict, "nothing_to_credit"};
inline constexpr ErrorCode hold_not_found{ErrorKind::not_found, "hold_not_found"};
inline constexpr ErrorCode hold_closed{ErrorKind::conflict, "hold_closed"};
inline constexpr ErrorCode hold_too_small{ErrorKind::conflict, "hold_too_small"};
inline constexpr ErrorCode transfer_withdrawn{ErrorKind::conflict, "transfer_withdrawn"};
inline constexpr ErrorCode transfer_not_left{ErrorKind::not_found, "transfer_not_left"};
inline constexpr ErrorCode transfer_arrived{ErrorKind::conflict, "transfer_arrived"};
inline constexpr ErrorCode arrival_unknown{ErrorKind::conflict, "arrival_unknown"};
}  // namespace errors

using TypeId = std::int64_t;

// A kind of points, such as shop money or membership points.
struct ScoreType {
  TypeId id = 0;
  std::string name;
  std::optional<TimeMs> starts_at;
  std::optional<TimeMs> ends_at;
  std::int64_t order_ttl_days = 7;      // how long Redis remembers the outcome of an order
  std::int64_t order_age_days_max = 7;  // how old an issued order may be when it is used
  std::string remark;
  TimeMs created_at;
  // Set when order_ttl_days is raised: orders that were decided before may be
  // remembered for this many days only.
  std::optional<std::int64_t> order_ttl_days_before = {};
  std::optional<TimeMs> order_ttl_raised_at = {};
  // Counts the changes of the end. The scripts refuse a caller that knows an older end than the keys have.
  std::int64_t ends_revision = 0;
  // How far the last change of the end has reached the keys: see type_ends.hpp. None: everywhere.
  std::optional<std::string> ends_cursor = {};
  bool is_cleared = false;  // the type is over, and what its accounts left in Redis is removed
};

// One user's points of one type in one domain.
struct Account {
  TypeId type = 0;
  Domain domain;
  UserId uid;
};

// Reads "uid type domain", as the scripts name an account in a due set. Throws std::runtime_error if
// the text has another form.
Account parse_account(std::string_view words);

// The kinds of flows. Entries ask for the first three; the others come from transfers,
// exchanges, holds and lots, and from balances that were there before the ledger.
enum class Op {
  add,
  deduct,
  reset,
  transfer_out,
  transfer_in,
  transfer_done,    // a transfer to another slot has arrived
  transfer_return,  // a transfer to another slot could not arrive
  exchange_out,
  exchange_in,
  hold,
  capture,
  release,
  mature,     // a lot begins to count
  expire,     // a lot vanishes
  opening,    // the ledger takes over a balance
  forgotten,  // the account of a user who is forgotten gets a pseudonym; changes nothing else
};
inline constexpr std::string_view op_names[] = {
    "add",          "deduct",      "reset", "transfer_out", "transfer_in", "transfer_done", "transfer_return",
    "exchange_out", "exchange_in", "hold",  "capture",      "release",     "mature",        "expire",
    "opening",      "forgotten"};
constexpr std::string_view name_of(Op op) { return op_names[std::size_t(op)]; }
inline constexpr std::span<std::string_view const> entry_op_names{op_names, 3};

// An add with at least one of the two times makes a lot: points that count from `effective_at` on
// and vanish at `expires_at`.
struct Entry {
  OrderId order_id;
  Op op = Op::add;
  Account account;
  Amount amount;
  std::string remark;
  std::optional<TimeMs> effective_at = {};
  std::optional<TimeMs> expires_at = {};

  bool makes_lot() const { return effective_at || expires_at; }
};

// Moves points of one type and domain from one user to another.
struct Transfer {
  OrderId order_id;
  TypeId type = 0;
  Domain domain;
  UserId from;
  UserId to;
  Amount amount;
  std::string remark;
};

// `denominator` points of type `from` are worth `numerator` points of type `to`.
struct Rate {
  TypeId from = 0;
  TypeId to = 0;
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;
};

// A page of rates, sorted by `from` and then by `to`. The page begins after the rate with these types.
struct RateQuery {
  TypeId after_from = 0;
  TypeId after_to = 0;
  std::int64_t limit = limits::page_default;
};

// Turns a user's points of one type into points of another, at the current rate, rounded down.
struct Exchange {
  OrderId order_id;
  UserId uid;
  Domain domain;
  TypeId from_type = 0;
  TypeId to_type = 0;
  Amount amount;
};

// Puts points aside until they are captured or released, or until the hold expires.
struct Hold {
  OrderId order_id;
  Account account;
  Amount amount;
  std::optional<TimeMs> expires_at;
  std::string remark;
};

// A change of a type. Absent members stay as they are. `clears_...` removes a time.
struct TypeChange {
  std::optional<std::string> name;
  std::optional<TimeMs> starts_at;
  std::optional<TimeMs> ends_at;
  bool clears_starts_at = false;
  bool clears_ends_at = false;
  std::optional<std::int64_t> order_ttl_days;
  std::optional<std::int64_t> order_age_days_max;
  std::optional<std::string> remark;
};

// The last two are only of transfers whose points could not arrive, or that an operator has withdrawn.
enum class Status { ok, insufficient_balance, balance_limit, type_not_active, transfer_withdrawn };
inline constexpr std::string_view status_names[] = {"ok", "insufficient_balance", "balance_limit",
                                                    "type_not_active", "transfer_withdrawn"};
constexpr std::string_view name_of(Status status) { return status_names[std::size_t(status)]; }

// How an order was decided. Redis keeps it as one line of words, and the journal keeps it in a flow.
struct Outcome {
  Status status = Status::ok;
  Op op = Op::add;
  TypeId type = 0;
  Domain domain;
  Amount amount;
  Amount old_balance;
  Amount balance;
  TimeMs at;
  // Further words, such as "eff=<ms> exp=<ms>" of an add that makes a lot, or "to=<uid>" of a transfer.
  std::string detail = {};

  std::int64_t change() const { return balance.value() - old_balance.value(); }
  // The value of a word of the detail; empty if the detail does not have the word.
  std::string_view word(std::string_view name) const;
  std::int64_t number(std::string_view name) const;  // the word must be there
};

struct Receipt {
  Outcome outcome;
  bool replayed = false;
};

struct Lot {
  Amount amount;
  std::optional<TimeMs> effective_at;  // only of a lot that does not count yet
  std::optional<TimeMs> expires_at;
};

struct OpenHold {
  OrderId order_id;
  Amount amount;
  std::optional<TimeMs> expires_at;
};

// Points on their way to another slot.
struct PendingTransfer {
  OrderId order_id;
  UserId to;
  Amount amount;
  TimeMs sent_at;
  std::string remark;
};

struct AccountView {
  Account account;
  Amount balance;  // what can be spent now
  Amount held;     // in open holds
  Amount pending;  // sent to another slot, not yet arrived
  Amount waiting;  // in lots that do not count yet
  std::vector<Lot> lots;
  std::vector<OpenHold> holds;
  std::vector<PendingTransfer> transfers;
};

// A page of a user's accounts, by type and domain, from an account on.
struct AccountsQuery {
  UserId uid;
  std::optional<std::pair<TypeId, Domain>> from = {};
  bool skips_first = false;  // leaves out that account itself
  std::int64_t limit = limits::page_default;
};

// A place in a list of a user's orders.
struct OrderPlace {
  TypeId type = 0;
  Domain domain;
  std::string order;  // compared as text; no order needs to have this id
};

// A page of a user's open holds or pending transfers, by type, domain and order.
struct OrdersQuery {
  UserId uid;
  std::optional<OrderPlace> after = {};
  std::int64_t limit = limits::page_default;
};
// May have fewer items than asked for although more follow: then `next` says where.
template <class T>
struct OrdersPage {
  std::vector<std::pair<Account, T>> items = {};
  std::optional<OrderPlace> next = {};
};

// The position of a flow among the flows of its user: the id of its outbox event.
struct FlowId {
  std::int64_t ms = 0;
  std::int64_t sequence = 0;
  friend auto operator<=>(FlowId const&, FlowId const&) = default;
  std::string str() const;  // "<ms>-<sequence>", as in Redis
};

// A line of the journal.
struct Flow {
  FlowId id;
  OrderId order_id;
  Outcome outcome;
  std::string remark;
};

struct UserFlow {
  UserId uid;
  Flow flow;
};

// The place of a flow among those of all users.
struct FlowPlace {
  FlowId id;
  std::string uid;
  std::string order;
  friend auto operator<=>(FlowPlace const&, FlowPlace const&) = default;
};

// A page of the flows of all users. The two times are those at which flows were recorded.
struct HistoryQuery {
  std::optional<TypeId> type = {};
  std::optional<Domain> domain = {};
  std::optional<Op> op = {};
  std::optional<TimeMs> from = {};  // inclusive
  std::optional<TimeMs> to = {};    // exclusive
  std::optional<FlowPlace> before = {};
  std::int64_t limit = limits::page_default;
};
struct HistoryPage {
  std::vector<UserFlow> flows = {};
  std::optional<FlowPlace> next = {};
};

struct FlowQuery {
  UserId uid;
  std::optional<TypeId> type;
  std::optional<Domain> domain;
  std::optional<TimeMs> from;    // inclusive
  std::optional<TimeMs> to;      // exclusive
  std::optional<FlowId> before;  // only older flows: the cursor
  std::int64_t limit = 50;
};

}  // namespace larder::ledger
