// The SQL side of the ledger: score types and flows.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "stores/sql/database.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace larder::ledger {

// A flow that should be in the journal, with an id from between two moments.
struct OrderClue {
  UserId uid;
  OrderId order_id;
  Op op = Op::add;
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
};

// Thread-safe.
class Journal {
 public:
  // `flow_tables` is fixed with the first start: a user's flows stay in one table for ever.
  Journal(sql::Database& sql, std::int64_t flow_tables);

  // Makes the tables. Blocking. Throws SetupError if the database was made for another number of tables.
  void migrate_now();

  // How the keys of the Redis look that belongs to this journal: recorded once, by the first who asks, and
  // changed by a rebuild only. The first two throw SetupError if it is another layout than the recorded one.
  Task<void> keep_key_layout(std::string layout);
  Task<void> check_key_layout(std::string layout);  // writes nothing
  Task<void> set_key_layout(std::string layout);

  Task<Result<ScoreType>> create_type(ScoreType type);
  Task<Result<ScoreType>> change_type(TypeId id, TypeChange change, TimeMs now);
  Task<std::vector<ScoreType>> types();

  Task<void> set_rate(Rate rate);
  Task<std::optional<Rate>> rate(TypeId from, TypeId to);
  Task<std::vector<Rate>> rates(RateQuery query);

  // Newest first.
  Task<std::vector<Flow>> flows(FlowQuery query);

  std::int64_t flow_tables() const { return flow_tables_; }
  // All flows in pages, so that any number of them can be read while others write: up to `limit` of one
  // table, user by user and each user's oldest first, those behind `after`.
  Task<std::vector<UserFlow>> page(std::int64_t table, std::optional<UserFlow> after, int limit);
  // The same of one user.
  Task<std::vector<UserFlow>> page_of(UserId uid, std::optional<UserFlow> after, int limit);
  // Whether there is any flow of each account.
  Task<std::vector<bool>> has_accounts(std::vector<Account> accounts);
  // Whether there is such a flow of each; perhaps a little earlier or later than the clue says.
  Task<std::vector<bool>> has_orders(std::vector<OrderClue> clues);

  // Accounts of a type with flows in one table, in order; up to `limit` behind `after`.
  Task<std::vector<Account>> accounts_of(TypeId type, std::int64_t table, std::optional<Account> after,
                                         int limit);

  // After the last flow that is not later; 0 if there is none.
  Task<Amount> balance_at(Account account, TimeMs time);

  // Writes outbox events of the ledger's scripts; one that is already there is ignored.
  void write_flows(sql::Session& session, std::span<events::Event const> events) const;

 private:
  std::string table_of(UserId const& uid) const;

  sql::Database& sql_;
  std::int64_t flow_tables_;
};

}  // namespace larder::ledger
