// The SQL side of the ledger: score types, rates and flows.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "stores/sql/database.hpp"
#include "systems/ledger/ledger_totals.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace larder::ledger {

// Describes a flow that should be in the journal, with an id between two moments.
struct OrderClue {
  UserId uid;
  OrderId order_id;
  Op op = Op::add;
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
};

// Where a flow is in its table.
struct FlowPosition {
  UserId uid;
  FlowId id;
  OrderId order_id;
};

// Thread-safe.
class Journal {
 public:
  // `flow_tables` is fixed at the first start, because the flows of a user stay in one table.
  Journal(sql::Database& sql, std::int64_t flow_tables);

  // Makes the tables. Blocks. Throws SetupError if the database was made with another number of flow tables.
  void migrate_now();

  // The layout is the format of the keys in the Redis that belongs to this journal. The first call of
  // keep_key_layout records it, and only a rebuild changes it. keep_key_layout and check_key_layout throw
  // SetupError if `layout` is not the recorded layout.
  Task<void> keep_key_layout(std::string layout);
  Task<void> check_key_layout(std::string layout);  // writes nothing
  Task<void> set_key_layout(std::string layout);

  Task<Result<ScoreType>> create_type(ScoreType type);
  Task<Result<ScoreType>> change_type(TypeId id, TypeChange change, TimeMs now);
  Task<std::vector<ScoreType>> types();
  // Notes how far a change of the end has come; none: it is done. Returns false if the type has another end
  // by now, or if the change is already done.
  Task<bool> move_ends_cursor(TypeId id, std::int64_t revision, std::optional<std::string> cursor);
  Task<void> set_cleared(TypeId id);

  Task<void> set_rate(Rate rate);
  Task<std::optional<Rate>> rate(TypeId from, TypeId to);
  Task<std::vector<Rate>> rates(RateQuery query);

  // Newest first.
  Task<std::vector<Flow>> flows(FlowQuery query);
  // The flows of all users, newest first. With a filter, a page may be short although more follow.
  Task<HistoryPage> history(HistoryQuery query);
  // The accounts of a user that have a flow, by type and domain. Takes longer for a user with many flows.
  Task<std::vector<Account>> accounts_of_user(AccountsQuery query);

  Task<Totals> totals();
  // Counts a portion of the flows that are not counted yet, up to `until`. No further flow may come from
  // before that moment. Returns the mark if nothing is left to count: then the sums are also exact for
  // `until`.
  Task<std::optional<CountMark>> count_flows(TimeMs until);

  sql::Database& database() { return sql_; }
  std::int64_t flow_tables() const { return flow_tables_; }
  // The table that has the flows of the user.
  std::string table_of(UserId const& uid) const;
  // Reads all flows in pages, so that any number of flows can be read while others write: up to `limit` flows
  // of one table after `after`, user by user, and oldest first within a user.
  Task<std::vector<UserFlow>> page(std::int64_t table, std::optional<UserFlow> after, int limit);
  // The same for one user.
  Task<std::vector<UserFlow>> page_of(UserId uid, std::optional<UserFlow> after, int limit);
  // For each account: whether it has any flow.
  Task<std::vector<bool>> has_accounts(std::vector<Account> accounts);
  // The flows of a user with this order and op, oldest first. There is more than one only if the order was
  // forgotten and used again, or if several users have sent points under the same order.
  Task<std::vector<Flow>> flows_of_order(UserId uid, OrderId order_id, Op op);
  // Users who have this order, at most `limit`.
  Task<std::vector<UserId>> users_of_order(OrderId order_id, std::int64_t limit);
  Task<bool> has_flows(UserId uid);
  // For each clue: whether such a flow exists. Its id may be a little earlier or later than the clue says.
  Task<std::vector<bool>> has_orders(std::vector<OrderClue> clues);

  // Reads up to `limit` flows of one table after `after`, like page(). `accounts` are those of the type, each
  // once. `last` is the last flow that was read; none at the end of the table.
  struct AccountsPage {
    std::vector<Account> accounts;
    std::optional<FlowPosition> last;
  };
  Task<AccountsPage> accounts_of(TypeId type, std::int64_t table, std::optional<FlowPosition> after,
                                 int limit);

  // The balance after the last flow at or before this time; 0 if there is no such flow.
  Task<Amount> balance_at(Account account, TimeMs time);

  // Writes outbox events of the ledger's scripts as flows. Flows that the journal already has are skipped.
  void write_flows(sql::Session& session, std::span<events::Event const> events) const;

 private:
  sql::Database& sql_;
  std::int64_t flow_tables_;
};

}  // namespace larder::ledger
