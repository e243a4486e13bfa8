// The words of the ledger.
#pragma once

#include "base/amount.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace larder::ledger {

namespace errors {
inline constexpr ErrorCode type_not_found{ErrorKind::not_found, "type_not_found"};
inline constexpr ErrorCode type_exists{ErrorKind::conflict, "type_exists"};
inline constexpr ErrorCode type_not_active{ErrorKind::conflict, "type_not_active"};
inline constexpr ErrorCode order_not_found{ErrorKind::not_found, "order_not_found"};
inline constexpr ErrorCode order_conflict{ErrorKind::conflict, "order_conflict"};
inline constexpr ErrorCode insufficient_balance{ErrorKind::conflict, "insufficient_balance"};
inline constexpr ErrorCode balance_limit{ErrorKind::conflict, "balance_limit"};
}  // namespace errors

using TypeId = std::int64_t;

// A kind of points: shop money, membership points, ...
struct ScoreType {
  TypeId id = 0;
  std::string name;
  std::optional<TimeMs> starts_at;
  std::optional<TimeMs> ends_at;
  std::int64_t order_ttl_days = 7;      // how long an order's outcome is remembered in Redis
  std::int64_t order_age_days_max = 7;  // how old an issued order may be when it is used
  std::string remark;
  TimeMs created_at;
};

// One user's points of one type in one domain.
struct Account {
  TypeId type = 0;
  Domain domain;
  UserId uid;
};

enum class Op { add, deduct, reset };
inline constexpr std::string_view op_names[] = {"add", "deduct", "reset"};
constexpr std::string_view name_of(Op op) { return op_names[std::size_t(op)]; }

struct Entry {
  OrderId order_id;
  Op op = Op::add;
  Account account;
  Amount amount;
  std::string remark;
};

enum class Status { ok, insufficient_balance, balance_limit };
inline constexpr std::string_view status_names[] = {"ok", "insufficient_balance", "balance_limit"};
constexpr std::string_view name_of(Status status) { return status_names[std::size_t(status)]; }

// How an order was decided. Kept in Redis as one line of words, and in the journal.
struct Outcome {
  Status status = Status::ok;
  Op op = Op::add;
  TypeId type = 0;
  Domain domain;
  Amount amount;
  Amount old_balance;
  Amount balance;
  TimeMs at;

  std::int64_t change() const { return balance.value() - old_balance.value(); }
};

inline constexpr int outcome_words = 8;
// "ok add 1 main 5 0 5 1700000000000", as post_entry.lua writes it. Throws std::runtime_error if it is not
// one.
Outcome parse_outcome(std::string_view record);

struct Receipt {
  Outcome outcome;
  bool replayed = false;
};

// Where a flow stands among those of its user: the id of its outbox event.
struct FlowId {
  std::int64_t ms = 0;
  std::int64_t sequence = 0;
};

// A line of the journal.
struct Flow {
  FlowId id;
  OrderId order_id;
  Outcome outcome;
  std::string remark;
};

struct FlowQuery {
  UserId uid;
  std::optional<TypeId> type;
  std::optional<Domain> domain;
  std::optional<TimeMs> from;    // inclusive
  std::optional<TimeMs> to;      // exclusive
  std::optional<FlowId> before;  // only older ones: the cursor
  std::int64_t limit = 50;
};

}  // namespace larder::ledger
